import { join } from "node:path";
import type { Readable } from "node:stream";
import { CommandError } from "@avow/cli/errors";
import type { FastifyBaseLogger } from "fastify";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { Config, Secrets } from "../../config/config.ts";
import { createJobTables } from "../../kernel/jobs.ts";
import { findSecretFile, openSecretFile } from "../../platform/crypto/secret-file.ts";
import {
  type Loading,
  NotEmptyError,
  assertUnused,
  openLoading,
} from "../../platform/db/dump/load.ts";
import { listMigrations, migrateDatabase } from "../../platform/db/migrations/migrate.ts";
import { type PlaneUrls, openDatabase } from "../../platform/db/open.ts";
import { dataTables } from "../../platform/db/planes.ts";
import type { Objects } from "../../platform/objects/objects.ts";
import { type Progress, toFingerprint } from "./backup.ts";
import { type Manifest, type ManifestTable, Part, keyFiles } from "./manifest.ts";
import { openStream, readPart } from "./parts.ts";

/** A published file or an asset. */
const File = Type.Object({
  ...Part.properties,
  contentType: Type.String({ maxLength: 256 }),
  cacheControl: Type.String({ maxLength: 256 }),
  contentEncoding: Type.Optional(Type.Union([Type.Literal("br"), Type.Literal("gzip")])),
});
type File = Static<typeof File>;

interface RestoreOptions {
  config: Config;
  secrets: Secrets;
  urls: PlaneUrls;
  objects: Objects;
  /** The storage of archived months. */
  archive: Objects;
  backup: Objects;
  manifest: Manifest;
  log: FastifyBaseLogger;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/**
 * Asserts that a backup can be restored by this version and with these settings, before anything is written.
 * @throws CommandError if it was written by a newer version, or if a key is not that of the backup
 */
export async function assertRestorable({
  config,
  secrets,
  manifest,
}: Pick<RestoreOptions, "config" | "secrets" | "manifest">): Promise<void> {
  const known = await listMigrations();
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new CommandError(
      `The backup is from Avow ${manifest.version}, which is newer than this version. Restore it with that version.`,
    );
  for (const { name, setting, fingerprint, part } of manifest.keys) {
    const given = findSecret(secrets, name);
    const { dataDir } = config;
    const present =
      given === undefined ? await findSecretFile({ dataDir, name }) : Buffer.from(given);
    if (present && toFingerprint(present) !== fingerprint)
      throw new CommandError(
        `${given === undefined ? join(dataDir, name) : setting} is not the key of the backup. ${given === undefined ? "Restore into an empty DATA_DIR" : "Set it to that of the backed-up service, or remove it"}.`,
      );
    if (!present && !part)
      throw new CommandError(
        `The backup does not contain ${setting}, since it was a setting. Set it as for the backed-up service.`,
      );
  }
}

/**
 * Restores the keys, the published files, the assets and the database, which is complete or stays empty. Each file of the
 * backup is checked against its SHA-256 before it is used.
 * @throws CommandError for a damaged backup, or a database that is in use
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { config, urls, backup, manifest, log } = options;
  const addresses = new Set([urls.url, urls.dataUrl]);
  for (const url of addresses) await assertUnused(url).catch(toPlainError);
  await assertNoOtherFiles(options);
  for (const url of addresses) {
    const db = openDatabase({ url, poolMax: 1, queueMax: 1, log, timeoutMs: 0 });
    try {
      await migrateDatabase(db, log, { names: manifest.migrations });
    } finally {
      await db.destroy();
    }
  }
  await createJobTables(urls.url);
  await using opened = new AsyncDisposableStack();
  const loadings = new Map<string, Loading>();
  for (const url of addresses) {
    const tables = manifest.tables.filter((table) => urlOf(table, urls) === url);
    // Each database has all tables and sequences, and only the data plane's needs the partitions.
    const partitions = url === urls.dataUrl ? manifest.partitions : [];
    const loading = await openLoading(url, { ...manifest, tables, partitions }).catch(toPlainError);
    loadings.set(url, opened.use(loading));
  }
  for (const table of manifest.tables) {
    options.signal.throwIfAborted();
    const rows = openStream(backup, table.parts);
    let done = 0;
    rows.on("data", (chunk: Buffer) => {
      if (options.signal.aborted) rows.destroy(options.signal.reason as Error);
      done += chunk.length;
      options.onProgress({ title: table.name, done });
    });
    const count = await loadings.get(urlOf(table, urls))?.loadRows(table, rows);
    if (count !== table.rows)
      throw new CommandError(
        `The table ${table.name} of the backup has ${count} rows, and its manifest ${table.rows}.`,
      );
  }
  await restoreFiles(options, "files");
  await restoreFiles(options, "archive");
  for (const { name, setting, part } of manifest.keys) {
    if (!part || findSecret(options.secrets, name) !== undefined) continue;
    const bytes = await readPart(backup, part);
    await openSecretFile({ dataDir: config.dataDir, name, setting, make: () => bytes });
  }
  // The data plane first: the service starts with a control plane only.
  for (const [, loading] of [...loadings].toReversed()) await loading.commit();
}

/** The address of the database that a table is restored into. A backup of one database can be restored into two, or the reverse. */
function urlOf({ name, plane }: ManifestTable, { url, dataUrl }: PlaneUrls): string {
  return (plane ?? (dataTables.has(name) ? "data" : "control")) === "data" ? dataUrl : url;
}

/** An earlier attempt may have left files of the backup. Those of the widget never change, and any start writes them. */
async function assertNoOtherFiles({
  objects,
  backup,
}: Pick<RestoreOptions, "objects" | "backup">): Promise<void> {
  for await (const key of objects.listKeys()) {
    if (key.startsWith("widget/") || (await backup.findObject(`files/${key}`))) continue;
    throw new CommandError(
      `The storage of files has ${key}, which is not in the backup: another service uses it. Restore into an empty DATA_DIR, or set S3_BUCKET or S3_PREFIX to an empty place.`,
    );
  }
}

async function restoreFiles(options: RestoreOptions, title: "files" | "archive"): Promise<void> {
  const { backup, manifest, signal, onProgress } = options;
  const objects = title === "files" ? options.objects : options.archive;
  let done = 0;
  for await (const line of readLines(openStream(backup, manifest[title]?.parts ?? []))) {
    signal.throwIfAborted();
    const { sha256, sizeBytes, ...file } = parseFile(line);
    const bytes = await readPart(backup, { key: `${title}/${file.key}`, sha256, sizeBytes });
    await objects.putObject({ ...file, bytes });
    done += sizeBytes;
    onProgress({ title, done });
  }
}

async function* readLines(stream: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.setEncoding("utf8") as AsyncIterable<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

function parseFile(line: string): File {
  const file: unknown = JSON.parse(line);
  if (!Check(File, file)) throw new CommandError("files.ndjson of the backup is damaged.");
  return file;
}

function findSecret(secrets: Secrets, name: string): string | undefined {
  const key = keyFiles.find((one) => one.name === name);
  return key && secrets[key.secret];
}

function toPlainError(error: unknown): never {
  if (error instanceof NotEmptyError)
    throw new CommandError(
      `${error.message} A backup is restored into an empty DATA_DIR, or an empty database in DATABASE_URL.`,
    );
  throw error;
}
