import { Readable } from "node:stream";
import { CommandError } from "@avow/cli/errors";
import type { Config, Secrets } from "../../config/config.ts";
import { type DumpedTable, type Snapshot, openSnapshot } from "../../platform/db/dump/dump.ts";
import { findSecretFile } from "../../platform/crypto/secret-file.ts";
import { listBucketNames } from "../../platform/db/buckets/directory-store.ts";
import type { DataDb } from "../../platform/db/db.ts";
import type { ObjectIn, Objects } from "../../platform/objects/objects.ts";
import { dataTables, sharedTables } from "../../platform/db/planes.ts";
import type { PlaneUrls } from "../../platform/db/open.ts";
import { version } from "../../platform/version.ts";
import { readArchivedFiles, readFiles, toMetadata } from "./files.ts";
import { MANIFEST, type Manifest, type ManifestTable, keyFiles, toManifest } from "./manifest.ts";
import { putPart, putStream, toSha256 } from "./parts.ts";

/** The progress of a backup or a restore. */
export interface Progress {
  /** The table, or `files`. */
  title: string;
  /** Bytes so far. */
  done: number;
}

interface BackupOptions {
  config: Config;
  secrets: Secrets;
  urls: PlaneUrls;
  objects: Objects;
  /** The storage of archived months; undefined: the backup is without them. */
  archive: Objects | undefined;
  /** The new backup: storage without any object. */
  backup: Objects;
  now: Date;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/**
 * Tables that the service fills again. A state of a project that is newer than its document, in the snapshot taken first,
 * would keep collection from following the project.
 */
const derivedTables: ReadonlySet<string> = new Set(["collecting_projects"]);

/** The tables of one database in a backup. */
interface Source {
  snapshot: Snapshot;
  tables: DumpedTable[];
  /** Undefined with one database. */
  plane: ManifestTable["plane"];
}

/**
 * Writes a backup of the database, the published files, the assets and the keys. The database is that of one time; the
 * service may be running. With two databases, the data plane is that of some milliseconds later. The manifest is written
 * last.
 * @throws CommandError, StorageError, DatabaseError; the backup is then incomplete, without a manifest
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { backup, now } = options;
  await using opened = new AsyncDisposableStack();
  const { control, data } = await openSources(options.urls, opened);
  const tables: ManifestTable[] = [];
  for (const source of new Set([control, data]))
    for (const table of source.tables) tables.push(await writeTable(options, source, table));
  const files = await writeFiles(options, "files", readFiles(options.objects, control.snapshot.db));
  const { archive: archived } = options;
  const archive =
    archived &&
    (await writeFiles(options, "archive", readArchivedFiles(archived, toData(data.snapshot))));
  // Late, so that a backup that failed contains no keys.
  const keys = await writeKeys(options);
  const { postgres, migrations, sequences } = control.snapshot.schema;
  const { partitions } = data.snapshot.schema;
  const manifest = toManifest({
    version,
    createdAt: now.toISOString(),
    postgres,
    migrations,
    tables,
    partitions,
    sequences,
    files,
    ...(archive && { archive }),
    keys,
  });
  await backup.putObject({
    key: MANIFEST,
    bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    contentType: "application/json",
    cacheControl: "private",
  });
  return manifest;
}

/** Opens the snapshots; both sources are one with one database. */
async function openSources(
  { url, dataUrl }: PlaneUrls,
  opened: AsyncDisposableStack,
): Promise<Record<"control" | "data", Source>> {
  const open = async (address: string, plane: Source["plane"]): Promise<Source> => {
    const snapshot = opened.use(await openSnapshot(address));
    const isOwn = ({ name }: DumpedTable): boolean =>
      plane === undefined || sharedTables.has(name) || dataTables.has(name) === (plane === "data");
    const tables = snapshot.schema.tables.filter(
      (table) => isOwn(table) && !derivedTables.has(table.name),
    );
    return { snapshot, tables, plane };
  };
  const isOne = url === dataUrl;
  const control = await open(url, isOne ? undefined : "control");
  const data = isOne ? control : await open(dataUrl, "data");
  await assertOneBucket(toData(data.snapshot));
  return { control, data };
}

/** @throws CommandError: other buckets would be missing in the backup */
async function assertOneBucket(data: DataDb): Promise<void> {
  const count = (await listBucketNames(data)).length;
  if (count > 1)
    throw new CommandError(
      `The data plane has ${count} buckets, and avow backup copies only one. Back up its servers with the tools of the database: see docs/guides/many-database-servers.md.`,
    );
}

async function writeTable(
  { backup, signal, onProgress }: BackupOptions,
  { snapshot, plane }: Source,
  table: DumpedTable,
): Promise<ManifestTable> {
  signal.throwIfAborted();
  const { schema, name, columns } = table;
  const { rows, count } = snapshot.openRows(table);
  let done = 0;
  const onBytes = (bytes: number): void => {
    if (signal.aborted) rows.destroy(signal.reason as Error);
    done += bytes;
    onProgress({ title: name, done });
  };
  const isShared = plane === "data" && sharedTables.has(name);
  const key = `database/${isShared ? "data" : schema}.${name}`;
  const parts = await putStream(backup, { key, stream: rows, onBytes });
  return { schema, name, ...(plane && { plane }), columns, rows: count(), parts };
}

/** A snapshot of the data plane, whose tables one with one database has, too. */
function toData({ db }: Snapshot): DataDb {
  return db as unknown as DataDb;
}

async function writeFiles(
  { backup, signal, onProgress }: BackupOptions,
  title: "files" | "archive",
  files: AsyncIterable<ObjectIn>,
): Promise<Manifest["files"]> {
  let count = 0;
  let sizeBytes = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const file of files) {
      signal.throwIfAborted();
      const part = await putPart(backup, `${title}/${file.key}`, file.bytes);
      count += 1;
      sizeBytes += part.sizeBytes;
      onProgress({ title, done: sizeBytes });
      yield `${JSON.stringify({ ...part, key: file.key, ...toMetadata(file) })}\n`;
    }
  };
  const parts = await putStream(backup, { key: `${title}.ndjson`, stream: Readable.from(lines()) });
  return { count, sizeBytes, parts };
}

async function writeKeys({ backup, config, secrets }: BackupOptions): Promise<Manifest["keys"]> {
  const keys: Manifest["keys"] = [];
  for (const { name, setting, secret } of keyFiles) {
    const given = secrets[secret];
    if (given !== undefined) {
      keys.push({ name, setting, fingerprint: toFingerprint(Buffer.from(given)) });
      continue;
    }
    const bytes = await findSecretFile({ dataDir: config.dataDir, name });
    if (!bytes) continue;
    const part = await putPart(backup, `keys/${name}`, bytes);
    keys.push({ name, setting, fingerprint: toFingerprint(bytes), part });
  }
  return keys;
}

/** Reveals nothing about a key, and is equal for equal keys. */
export function toFingerprint(key: Uint8Array): string {
  return toSha256(toSha256(key));
}
