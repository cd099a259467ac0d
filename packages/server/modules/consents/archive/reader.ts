import type { FastifyBaseLogger } from "fastify";
import type { KyselyPlugin } from "kysely";
import { LRUCache } from "lru-cache";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import type { ByteRange, Objects } from "../../../platform/objects/objects.ts";
import { openFairQueue } from "../../../platform/queues/fair-queue.ts";
import type { ArchivedColumn, ArchivedRow } from "./columns.ts";
import { type Footer, parseFooter, parseGroup, toHash } from "./parquet-file.ts";

/** Range reads that one node runs at once. Each has a row group in memory. */
const READS_MAX = 8;
const WAITERS_MAX = 1_000;
const WAIT_MS_MAX = 10_000;
/** Timeout of a range read. The drivers' own timeouts are longer. */
const READ_TIMEOUT_MS = 20_000;
/** Parsed footers in memory, each some megabytes. Files never change. */
const FOOTERS_MAX = 8;

/** A file, as its row of `archived_objects` describes it. */
export interface FilePlace {
  projectId: string;
  key: string;
  rows: number;
  bytes: number;
  sha256: Buffer;
  footerBytes: number;
  footerSha256: Buffer;
}

/** An archived file is missing or damaged. The message names it and can be logged. */
class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** Reads archived files. Every byte is checked against a hash before it is used. */
export interface ArchiveReader extends Disposable {
  /** @throws ArchiveError for a missing or damaged file; Fault busy, StorageError when the storage does not respond */
  readFooter(place: FilePlace): Promise<Footer>;
  /** The records of a row group; with `only`, the other columns are null. Errors as `readFooter`. */
  readGroup(place: FilePlace, at: number, only?: readonly ArchivedColumn[]): Promise<ArchivedRow[]>;
  /** The whole file. Errors as `readFooter`. */
  readFile(place: FilePlace): Promise<Buffer>;
}

interface ArchiveReaderOptions {
  objects: Pick<Objects, "readRange">;
  log: Pick<FastifyBaseLogger, "error">;
  readTimeoutMs?: number;
}

/** Opens a reader, which limits concurrent reads and shares them fairly among projects. */
export function openArchiveReader(options: ArchiveReaderOptions): ArchiveReader {
  const { objects, log, readTimeoutMs = READ_TIMEOUT_MS } = options;
  const footers = new LRUCache<string, Footer>({ max: FOOTERS_MAX });
  const queue = openFairQueue({
    capacity: READS_MAX,
    waitersMax: WAITERS_MAX,
    waitMsMax: WAIT_MS_MAX,
    toFault: () => new Fault("busy", "Too many archived months are being read at the moment."),
  });
  const toDamaged = (key: string, reason: string, cause?: unknown): ArchiveError => {
    const error = new ArchiveError(`the archived object ${key} ${reason}`, { cause });
    log.error({ err: error, key }, "archived object unreadable");
    return error;
  };
  const readRange = async ({ projectId, key }: FilePlace, range: ByteRange): Promise<Buffer> => {
    const bytes = await queue.run({ keys: [projectId] }, () =>
      withTimeout(objects.readRange(key, range), readTimeoutMs),
    );
    if (!bytes) throw toDamaged(key, "is missing");
    return bytes;
  };
  const readChecked = async (
    place: FilePlace,
    range: ByteRange,
    sha256: Buffer,
  ): Promise<Buffer> => {
    const bytes = await readRange(place, range);
    if (!toHash(bytes).equals(sha256))
      throw toDamaged(place.key, `is damaged: bytes ${range.start} and following have changed`);
    return bytes;
  };
  const readFooter = async (place: FilePlace): Promise<Footer> => {
    const { key, footerBytes, footerSha256 } = place;
    const known = footers.get(key);
    if (known) return known;
    const range = { start: place.bytes - footerBytes, length: footerBytes };
    const bytes = await readChecked(place, range, footerSha256);
    const footer = parseFooter(bytes);
    footers.set(key, footer);
    return footer;
  };
  return {
    readFooter,
    async readGroup(place, at, only) {
      const footer = await readFooter(place);
      const group = footer.groups[at];
      if (!group) throw new Error(`${place.key} has no row group ${at}`);
      const bytes = await readChecked(place, group, Buffer.from(group.sha256, "hex"));
      return parseGroup(footer, at, { bytes, only });
    },
    readFile: (place) => readChecked(place, { start: 0, length: place.bytes }, place.sha256),
    [Symbol.dispose]: () => queue[Symbol.dispose](),
  };
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const message = "The storage of archived months does not respond at the moment.";
  const timer = setTimeout(() => reject(new Fault("busy", message)), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A plugin of the query builder that does nothing but carry the reader. */
interface ArchivePlugin extends KyselyPlugin {
  archive: ArchiveReader;
}

/**
 * The same database with a reader of archived months. The reader belongs to the database, as a table would, so that
 * every read of records finds it, also in a transaction.
 */
export function withArchive(db: DataDb, archive: ArchiveReader): DataDb {
  const plugin: ArchivePlugin = {
    archive,
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  };
  return db.withPlugin(plugin);
}

/** The reader of archived months. @throws Error if the database was opened without one */
export function archiveOf(db: DataDb | DataTx): ArchiveReader {
  for (const plugin of db.getExecutor().plugins)
    if ("archive" in plugin) return (plugin as ArchivePlugin).archive;
  throw new Error("archived months cannot be read here: the database was opened without them");
}
