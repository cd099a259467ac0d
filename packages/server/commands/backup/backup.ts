import { Readable } from "node:stream";
import type { Config, Secrets } from "../../config/config.ts";
import { type DumpedTable, type Snapshot, openSnapshot } from "../../platform/db/dump.ts";
import { findSecretFile } from "../../platform/crypto/secret-file.ts";
import type { Objects } from "../../platform/objects/objects.ts";
import { version } from "../../platform/version.ts";
import { readFiles, toMetadata } from "./files.ts";
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
  databaseUrl: string;
  objects: Objects;
  /** The new backup: storage without any object. */
  backup: Objects;
  now: Date;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/**
 * Writes a backup of the database, the published files, the assets and the keys. The database is that of one time; the
 * service may be running. The manifest is written last.
 * @throws CommandError, StorageError, DatabaseError; the backup is then incomplete, without a manifest
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { databaseUrl, backup, now } = options;
  await using snapshot = await openSnapshot(databaseUrl);
  const tables: ManifestTable[] = [];
  for (const table of snapshot.schema.tables)
    tables.push(await writeTable(options, snapshot, table));
  const files = await writeFiles(options, snapshot);
  // Late, so that a backup that failed contains no keys.
  const keys = await writeKeys(options);
  const { postgres, migrations, partitions, sequences } = snapshot.schema;
  const manifest = toManifest({
    version,
    createdAt: now.toISOString(),
    postgres,
    migrations,
    tables,
    partitions,
    sequences,
    files,
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

async function writeTable(
  { backup, signal, onProgress }: BackupOptions,
  snapshot: Snapshot,
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
  const key = `database/${schema}.${name}`;
  const parts = await putStream(backup, { key, stream: rows, onBytes });
  return { schema, name, columns, rows: count(), parts };
}

async function writeFiles(
  { backup, objects, signal, onProgress }: BackupOptions,
  { db }: Snapshot,
): Promise<Manifest["files"]> {
  let count = 0;
  let sizeBytes = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const file of readFiles(objects, db)) {
      signal.throwIfAborted();
      const part = await putPart(backup, `files/${file.key}`, file.bytes);
      count += 1;
      sizeBytes += part.sizeBytes;
      onProgress({ title: "files", done: sizeBytes });
      yield `${JSON.stringify({ ...part, key: file.key, ...toMetadata(file) })}\n`;
    }
  };
  const parts = await putStream(backup, { key: "files.ndjson", stream: Readable.from(lines()) });
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
