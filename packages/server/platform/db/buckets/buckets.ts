import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { DataDb, Db, Planes } from "../db.ts";
import { isDatabaseUnavailable } from "../open.ts";
import { Fault } from "../../errors.ts";
import { StartError } from "../../start-error.ts";
import { listBuckets } from "./create-bucket.ts";
import { HOME, findPlace, listBucketNames, listPlaces, placeProject } from "./directory-store.ts";
import { NODE_STALE_MS, confirmNode, deleteNode } from "./nodes-store.ts";

/** Projects whose bucket is remembered. */
const KNOWN_MAX = 200_000;
/** Interval in which new buckets are looked for. */
const REFRESH_MS = 5_000;
const MOVING =
  "avow db move is moving projects at the moment. Start the service after it has ended.";

/** A schema of the data plane that holds the tables of some projects. */
export interface Bucket {
  name: string;
  data: DataDb;
}

/** The data plane: the buckets with the tables of projects. Without `avow db distribute` there is one. */
export interface Buckets extends AsyncDisposable {
  /** The bucket whose schema has the tables of the whole installation as well. */
  home: Bucket;
  /**
   * A connection of its own to the home bucket, for single short statements: they wait for no request, nor for a
   * transaction that this process holds.
   */
  directory: DataDb;
  /** All buckets, `home` first. Work on all of them costs that many statements. */
  list(): readonly Bucket[];
  /** The bucket of a project. One that does not exist has no data anywhere; `home` is answered. */
  of(projectId: string): Promise<Bucket>;
  /** Looks the buckets of these projects up at once, so that `of` knows them. */
  prefetch(projectIds: readonly string[]): Promise<void>;
}

/** The control plane and all of the data plane. */
export interface AllPlanes {
  db: Db;
  buckets: Buckets;
}

/** Dependencies of work on one project, before its bucket is known. */
export type Unplaced<App extends Planes> = Omit<App, "data"> & AllPlanes;

interface BucketsOptions {
  home: DataDb;
  /** See `Buckets`: requests must not delay that this node confirms itself. */
  directory: DataDb;
  /** Opens the connections to another bucket, by its schema. `close` ends them. */
  open: (name: string, count: number) => { data: DataDb; close: () => Promise<void> };
  /** Whether the control plane has the project: a place is assigned to no other. */
  hasProject: (projectId: string) => Promise<boolean>;
  onError: (error: unknown) => void;
}

/**
 * Opens the buckets. A project is placed when it is first asked for, and then stays where it is. With one bucket nothing
 * is looked up.
 *
 * Every few seconds this node reads the list of buckets and confirms that it knows them. While it cannot, it answers for no
 * project: a command may have taken it for ended, and placed or moved projects.
 * @throws StartError while projects are moved, or if the schema of a bucket is missing
 */
export async function openBuckets(options: BucketsOptions): Promise<Buckets> {
  const opened = new AsyncDisposableStack();
  const home: Bucket = { name: HOME, data: options.home };
  let all: readonly Bucket[] = [home];
  const known = new LRUCache<string, Promise<Bucket>>({ max: KNOWN_MAX });
  const atHome = Promise.resolve(home);
  const id = randomUUID();
  let confirmedMs = Number.NEGATIVE_INFINITY;
  const readDirectory = async (): Promise<void> => {
    const startedMs = performance.now();
    const names = await listBucketNames(options.directory);
    const others = names.filter((name) => !all.some((bucket) => bucket.name === name));
    if (others.length > 0) await assertSchemas(options.directory, others);
    const added = others.map((name): Bucket => {
      const { data, close } = options.open(name, names.length);
      opened.defer(close);
      return { name, data };
    });
    all = [...all, ...added];
    if (!(await confirmNode(options.directory, { id, buckets: all.length })))
      throw new Fault("busy", MOVING);
    confirmedMs = startedMs;
  };
  let reading: Promise<void> | undefined;
  const refresh = (): Promise<void> =>
    (reading ??= readDirectory().finally(() => (reading = undefined)));
  const toBucket = async (name: string): Promise<Bucket> => {
    const find = () => all.find((bucket) => bucket.name === name);
    if (!find()) await refresh();
    const bucket = find();
    if (!bucket) throw new Error(`The data plane has no bucket ${name}.`);
    return bucket;
  };
  const look = async (projectId: string): Promise<Bucket | undefined> => {
    const place = await findPlace(options.home, projectId);
    if (place !== undefined) return toBucket(place);
    if (!(await options.hasProject(projectId))) return undefined;
    return toBucket(await placeProject(options.home, projectId));
  };
  await refresh().catch((error: unknown) => {
    throw error instanceof Fault ? new StartError(error.message, { cause: error }) : error;
  });
  const timer = setInterval(() => void refresh().catch(options.onError), REFRESH_MS);
  timer.unref();
  opened.defer(async () => {
    clearInterval(timer);
    await reading?.catch(() => undefined);
    await deleteNode(options.directory, id).catch(options.onError);
  });
  const findBucket = (projectId: string): Promise<Bucket> => {
    if (all.length === 1) return atHome;
    const remembered = known.get(projectId);
    if (remembered) return remembered;
    const looking = look(projectId).then((found) => {
      if (!found) known.delete(projectId);
      return found ?? home;
    });
    known.set(projectId, looking);
    looking.catch(() => known.delete(projectId));
    return looking;
  };
  return {
    home,
    directory: options.directory,
    list: () => all,
    of: (projectId) =>
      performance.now() - confirmedMs < NODE_STALE_MS
        ? findBucket(projectId)
        : refresh().then(() => findBucket(projectId)),
    async prefetch(projectIds) {
      if (all.length === 1) return;
      const unknown = projectIds.filter((projectId) => !known.has(projectId));
      if (unknown.length === 0) return;
      for (const [projectId, name] of await listPlaces(options.home, unknown)) {
        const bucket = await toBucket(name);
        known.set(projectId, Promise.resolve(bucket));
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Without its schema, the statements of a bucket would use the tables of `public`. */
async function assertSchemas(directory: DataDb, names: readonly string[]): Promise<void> {
  const schemas = new Set<string>(await listBuckets(directory));
  const missing = names.filter((name) => !schemas.has(name));
  if (missing.length === 0) return;
  throw new StartError(
    `The database has no schema ${missing.join(", ")}, which the table buckets lists. Restore it from a backup, with the data of its projects.`,
  );
}

/** One bucket with everything, for work that knows its connections. */
export function toOneBucket(data: DataDb): Buckets {
  const home = { name: HOME, data };
  return {
    home,
    directory: data,
    list: () => [home],
    of: async () => home,
    prefetch: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The connections that the work on one project needs. */
export async function planesOf({ db, buckets }: AllPlanes, projectId: string): Promise<Planes> {
  return { db, data: (await buckets.of(projectId)).data };
}

/** The dependencies with the connections that the work on one project needs. */
export async function within<App extends AllPlanes>(
  app: App,
  projectId: string,
): Promise<App & Planes> {
  return { ...app, ...(await planesOf(app, projectId)) };
}

/** Reads of each bucket what belongs to the projects of these keys; the results in no order. */
export async function readByProject<Key extends { projectId: string }, T>(
  buckets: Buckets,
  keys: readonly Key[],
  read: (data: DataDb, keys: readonly Key[]) => Promise<readonly T[]>,
): Promise<T[]> {
  if (buckets.list().length === 1) return [...(await read(buckets.home.data, keys))];
  const groups = await groupByBucket(buckets, keys);
  const parts = await Promise.all([...groups].map(([{ data }, own]) => read(data, own)));
  return parts.flat();
}

/** The keys of each bucket, by their projects. */
export async function groupByBucket<Key extends { projectId: string }>(
  buckets: Pick<Buckets, "of" | "prefetch">,
  keys: readonly Key[],
): Promise<ReadonlyMap<Bucket, Key[]>> {
  await buckets.prefetch([...new Set(keys.map(({ projectId }) => projectId))]);
  const groups = new Map<Bucket, Key[]>();
  for (const key of keys) {
    const bucket = await buckets.of(key.projectId);
    const own = groups.get(bucket);
    if (own) own.push(key);
    else groups.set(bucket, [key]);
  }
  return groups;
}

/** Reads of all buckets at once; the results in no order. */
export async function readAll<T>(
  buckets: Buckets,
  read: (data: DataDb) => Promise<readonly T[]>,
): Promise<T[]> {
  return (await Promise.all(buckets.list().map(({ data }) => read(data)))).flat();
}

/**
 * Runs `work` for each bucket, one after another, and returns whether it returned true for any. An error of one does not
 * keep the others from it; the first is thrown.
 */
export async function forEachBucket(
  { buckets }: Pick<AllPlanes, "buckets">,
  work: (data: DataDb) => Promise<boolean | void>,
): Promise<boolean> {
  const errors: unknown[] = [];
  let isAny = false;
  for (const { data } of buckets.list())
    try {
      if (await work(data)) isAny = true;
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
  return isAny;
}

/**
 * Runs `work`, which is repeated periodically, for each bucket. An error of another bucket than `home` is logged: its server
 * must keep neither a node from starting nor the work of the others from being done.
 */
export async function tryEachBucket(
  { buckets, log }: Pick<AllPlanes, "buckets"> & { log: Pick<FastifyBaseLogger, "error"> },
  work: (data: DataDb) => Promise<void>,
): Promise<void> {
  for (const { name, data } of buckets.list())
    try {
      await work(data);
    } catch (err) {
      if (data === buckets.home.data) throw err;
      log.error({ err, bucket: name }, "bucket skipped, will retry");
    }
}

/** The results of all buckets that answer, and the names of those whose server is unavailable. */
export interface Available<T> {
  results: T[];
  unavailable: string[];
}

/**
 * Reads of all buckets at once, without those whose server is unavailable.
 * @throws every other error, and every error of the home bucket
 */
export async function readAvailable<T>(
  buckets: Pick<Buckets, "home" | "list">,
  read: (data: DataDb) => Promise<T>,
): Promise<Available<T>> {
  const unavailable: string[] = [];
  const results = await Promise.all(
    buckets.list().map(async ({ name, data }) => {
      try {
        return [await read(data)];
      } catch (error) {
        if (data === buckets.home.data || !isDatabaseUnavailable(error)) throw error;
        unavailable.push(name);
        return [];
      }
    }),
  );
  return { results: results.flat(), unavailable };
}
