import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Objects, OpenedObject } from "../../../platform/objects/objects.ts";
import type { Client } from "../../../platform/queues/fair-queue.ts";
import type { Pictures } from "../child/pool.ts";
import { type AssetType, type RenderSpec, renderTypes } from "../formats/tasks.ts";
import { IMMUTABLE, toRenderKey } from "../storage/contents.ts";
import { openSharedWork } from "./shared-work.ts";
import {
  type RenderRow,
  countRenders,
  deleteOldRenders,
  findRender,
  listCrowdedContents,
  noteRenderUse,
  upsertRender,
} from "../storage/renders-store.ts";
import { openSources } from "../storage/sources.ts";
import type { Spool } from "../storage/spool.ts";
import { findAssetWith, lockContent } from "../storage/store.ts";

/** Told in every digest: when what is made of the same parameters changes, so does this. */
const MAKER = 1;
/** Of one content; with twice the sizes and formats that a site uses there is room. */
const KEPT = 256;
/** So many more may be there before the oldest are removed. */
const SLACK = 32;
const CROWDED_MAX = 1_000;

/** How often the use of a render is noted, so that reading does not write. */
const USE_NOTED_MS = 3_600_000;

/** What took too long would take as long again. */
const REFUSED_MS = 10 * 60_000;
const REFUSALS_MAX = 1_000;

/** What renders are made of. */
type Content = { sha256: string; type: string };

/** A render that is to be read. */
export interface Asked {
  spec: RenderSpec;
  /** What `find` answered. */
  known: RenderRow | undefined;
  client: Client;
}

/** A render that is being read; its `body` is to be read to its end, or destroyed. */
type OpenedRender = { render: RenderRow; object: OpenedObject };

/** Pictures that are made of assets: each once, however many ask for it. */
export interface Renders {
  /** What is known of a render that was made; undefined where it was not. That it is used is noted. */
  find: (content: Content, spec: RenderSpec) => Promise<RenderRow | undefined>;
  /** The same; one that was not made is. Throws as `open`. */
  get: (content: Content, spec: RenderSpec, client: Client) => Promise<RenderRow>;
  /**
   * The render itself; one that is not there, or that storage has lost, is made and kept. Who asks for
   * one that is being made gets that one.
   * @throws Fault not-found, impossible, busy
   */
  open: (content: Content, asked: Asked) => Promise<OpenedRender>;
  /** Removes the renders of contents that have too many (see `deleteOldRenders`). */
  trim: () => Promise<void>;
}

interface RendersOptions {
  db: Db;
  objects: Objects;
  pictures: Pictures;
  spool: Spool;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "warn">;
  /** Renders of one content that are kept; tests have their own. */
  kept?: number;
}

/** Opens the renders of this process. Two that make the same one at once do no harm. */
export function openRenders(options: RendersOptions): Renders {
  const { db, objects, kept = KEPT } = options;
  const openSource = openSources(options);
  const shareWork = openSharedWork<RenderRow>();
  const refusals = new LRUCache<string, Fault>({ max: REFUSALS_MAX, ttl: REFUSED_MS });
  const make = async (content: Content, spec: RenderSpec, client: Client): Promise<RenderRow> => {
    await options.spool.assertRoom();
    await using source = await openSource(content);
    await using scratch = options.spool.openScratch();
    const out = scratch.newPath();
    const type = content.type as AssetType;
    const task = { kind: "render", path: source.path, out, type, spec } as const;
    const done = await options.pictures.run(task, client);
    const madeAt = options.now();
    const row: RenderRow = {
      sha256: content.sha256,
      digest: toDigest(spec),
      type: renderTypes[spec.format],
      size: done.size,
      hash: done.sha256,
      created_at: madeAt,
      used_at: madeAt,
    };
    await keepRender(options, row, out);
    await trimOne(options, content.sha256, { kept, slack: SLACK });
    return row;
  };
  const makeOnce = (content: Content, spec: RenderSpec, client: Client): Promise<RenderRow> => {
    const key = `${content.sha256} ${toDigest(spec)}`;
    const refusal = refusals.get(key);
    if (refusal) throw refusal;
    return shareWork(key, client, (one) =>
      make(content, spec, one).catch((error: unknown) => {
        if (error instanceof Fault && error.kind === "impossible") refusals.set(key, error);
        throw error;
      }),
    );
  };
  const find = async ({ sha256 }: Content, spec: RenderSpec): Promise<RenderRow | undefined> => {
    const row = await findRender(db, { sha256, digest: toDigest(spec) });
    const now = options.now();
    const before = new Date(now.getTime() - USE_NOTED_MS);
    if (row && row.used_at < before)
      await noteRenderUse(db, row, { now, before }).catch((error: unknown) => {
        // Who reads has the picture all the same; the disk of the database may be full.
        options.log.warn({ err: error }, "the use of a picture was not noted");
      });
    return row;
  };
  return {
    find,
    get: async (content, spec, client) =>
      (await find(content, spec)) ?? makeOnce(content, spec, client),
    async open(content, { spec, known, client }) {
      const found = known && (await objects.openObject(toRenderKey(known)));
      if (known && found) return { render: known, object: found };
      const render = await makeOnce(content, spec, client);
      const object = await objects.openObject(toRenderKey(render));
      if (!object) throw new Fault("not-found", "The file is no longer there.");
      return { render, object };
    },
    async trim() {
      for (const sha256 of await listCrowdedContents(db, { kept, max: CROWDED_MAX }))
        await trimOne(options, sha256, { kept, slack: 0 });
    },
  };
}

function toDigest(spec: RenderSpec): string {
  const text = canonicalize({ maker: MAKER, ...spec }) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/**
 * The row first, then the object, so that no object is without a row that tells of it. Where the asset
 * was deleted in between, nothing stays.
 */
async function keepRender(
  { db, objects }: Pick<RendersOptions, "db" | "objects">,
  row: RenderRow,
  path: string,
): Promise<void> {
  const { sha256, type, size } = row;
  await inTransaction(db, async (tx) => {
    await lockContent(tx, sha256);
    if (!(await findAssetWith(tx, sha256)))
      throw new Fault("not-found", "The file is no longer there.");
    await upsertRender(tx, row);
  });
  const key = toRenderKey(row);
  await objects.putFile({ key, path, sizeBytes: size, contentType: type, cacheControl: IMMUTABLE });
  if (!(await findRender(db, row))) await objects.deleteObject(key);
}

async function trimOne(
  { db, objects }: Pick<RendersOptions, "db" | "objects">,
  sha256: string,
  { kept, slack }: { kept: number; slack: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if ((await countRenders(tx, sha256)) <= kept + slack) return;
    await lockContent(tx, sha256);
    const old = await deleteOldRenders(tx, { sha256, kept, max: CROWDED_MAX });
    for (const render of old) await objects.deleteObject(toRenderKey(render));
  });
}
