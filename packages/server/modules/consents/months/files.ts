import { createHash, randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import { type ArchivedRow, archivedColumns } from "../archive/columns.ts";
import { type ArchivedFile, parseFile, toHash } from "../archive/parquet-file.ts";
import { type StoredFile, insertGarbage, keepGarbage } from "./months-store.ts";

/**
 * The time that covers every running read: records leave `consents` this long after their file was listed, and a replaced
 * file is deleted this long after its row. A read lists files, then reads; its timeouts are far shorter.
 */
export const READS_MS = 10 * 60_000;
/** The time after which a file without a row is deleted: its writer has died, and records may have been erased since. */
const WRITING_MS = 30 * 60_000;

export interface MonthsApp {
  /** With a reader of archived months (`withArchive`). */
  data: DataDb;
  /** The storage of archived months. */
  objects: Objects;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
  /** Months that stay in the database after their end; 0: all. */
  afterMonths: number;
}

/**
 * Stores a file under a new key, reads it back and compares it with its records. Until a row is written in a transaction
 * with `keepFile`, the file is garbage.
 * @throws Error if the storage returns other bytes; StorageError
 */
export async function storeFile(
  { data, objects, now }: MonthsApp,
  of: { projectId: string; month: string },
  { bytes, ...file }: ArchivedFile,
): Promise<StoredFile> {
  const key = `archive/${of.projectId}/${of.month.slice(0, 7)}/${randomUUID()}.parquet`;
  await insertGarbage(data, { key, deleteAfter: new Date(now().getTime() + WRITING_MS) });
  const metadata = { contentType: "application/vnd.apache.parquet", cacheControl: "private" };
  await objects.putObject({ key, bytes, ...metadata });
  const stored = await objects.readRange(key, { start: 0, length: bytes.length + 1 });
  if (!stored || !toHash(stored).equals(file.sha256))
    throw new Error(`the storage returned other bytes of ${key} than it was given`);
  return { key, file: { ...file, sizeBytes: bytes.length } };
}

/** Takes a stored file out of the garbage. @throws Error if its time is over, so that it may be deleted */
export async function keepFile(tx: DataTx, { key }: StoredFile): Promise<void> {
  if (!(await keepGarbage(tx, key))) throw new Error(`${key} took too long to be written`);
}

/** A hash of records and their order. */
export interface RowsHash {
  add(row: ArchivedRow): void;
  digest(): string;
}

export function openRowsHash(): RowsHash {
  const hash = createHash("sha256");
  return {
    add: (row) => void hash.update(`${JSON.stringify(archivedColumns.map((name) => row[name]))}\n`),
    digest: () => hash.digest("hex"),
  };
}

/** Parses a file and compares its records with those that were written to it. @throws Error if they differ */
export async function assertSame(
  { bytes, footerBytes }: ArchivedFile,
  written: string,
): Promise<void> {
  const hash = openRowsHash();
  for await (const row of parseFile(bytes, footerBytes)) hash.add(row);
  if (hash.digest() !== written)
    throw new Error("the archived form of the records differs from the records");
}

/** The ids of a file's records, in parts. */
export async function* readIds(bytes: Buffer, footerBytes: number): AsyncGenerator<string[]> {
  let ids: string[] = [];
  for await (const { id } of parseFile(bytes, footerBytes)) {
    ids.push(id);
    if (ids.length < IDS_MAX) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

/** Ids of one statement. */
const IDS_MAX = 10_000;
