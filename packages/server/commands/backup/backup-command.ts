import { getOnlyPositional, parseOptions } from "@avow/cli/arguments";
import { CommandError, UsageError } from "@avow/cli/errors";
import { openProgress } from "@avow/cli/progress";
import { openAddress } from "@avow/postgres/address";
import { type Logger, pino } from "pino";
import { loadConfig } from "../../config/config.ts";
import { recordBackup } from "../../platform/db/backups.ts";
import { openDatabase, toPlaneUrls } from "../../platform/db/open.ts";
import { openObjects } from "../../platform/objects/open.ts";
import { writeBackup } from "./backup.ts";
import { removeOldBackups, toDatedPlace } from "./kept-backups.ts";
import type { Manifest } from "./manifest.ts";
import { makePlace, openPlace } from "./place.ts";

const help = `Usage: avow backup PLACE [--keep COUNT] [--quiet]

Backs up the database, the published files and assets, and the keys, while the service runs. PLACE is an
empty folder, or s3://bucket/prefix with the settings S3_ENDPOINT, S3_REGION and S3_PATH_STYLE and the
credentials of AWS's tools. The database is that of the moment at which the backup starts.

Uses DATABASE_URL, or the embedded database in DATA_DIR (default ./data), and the settings of the service.
The keys are secrets: who has them can sign in the log's name. Store backups as carefully as the service.

  --keep COUNT      for schedules: write to a new folder in PLACE, named by the time, and then remove all
                    complete backups there except the newest COUNT
  --without-archive leave the files of archived months out, if their storage has copies of its own
  --quiet           print errors only
  -h, --help        print this text

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
A backup that failed has no manifest.json; remove it (--keep does, after a day).
`;

/** Runs `avow backup`; returns the exit status. */
export async function runBackup(args: string[], signal: AbortSignal): Promise<number> {
  const parsed = parseOptions(args, help, {
    keep: { type: "string" },
    "without-archive": { type: "boolean" },
    quiet: { type: "boolean" },
  });
  if (!parsed) return 0;
  const expected = "PLACE: an empty folder, or s3://bucket/prefix";
  const given = getOnlyPositional(parsed.positionals, expected);
  const keep = toCount(parsed.values.keep);
  const now = new Date();
  const place = keep === undefined ? given : toDatedPlace(given, now);
  const progress = openProgress(parsed.values.quiet === true);
  const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));
  const { config, secrets } = loadConfig();
  // Backups contain keys and personal data.
  process.umask(0o077);
  await using opened = new AsyncDisposableStack();
  const address = opened.use(await openAddress({ ...config, ...secrets, log }));
  await makePlace(place);
  const backup = opened.use(await openPlace(place, config));
  for await (const key of backup.listKeys())
    throw new CommandError(
      `${place} is not empty: it has ${key}. Choose another place, or remove it if a backup failed there.`,
    );
  const objects = opened.use(await openObjects(config.objects, () => now));
  const isWhole = parsed.values["without-archive"] !== true;
  const archive = isWhole
    ? opened.use(await openObjects(config.archive.objects, () => now))
    : undefined;
  const manifest = await writeBackup({
    archive,
    config,
    secrets,
    urls: toPlaneUrls(address.url, secrets.consentsDatabaseUrl),
    objects,
    backup,
    now,
    signal,
    onProgress: ({ title, done }) => progress.show({ title, done, unit: "bytes" }),
  });
  await recordEnd(address.url, manifest, log);
  progress.say(`${place} is complete: ${toSummary(manifest)}.`);
  for (const { setting, part } of manifest.keys)
    if (!part) progress.say(`${setting} is a setting and not in the backup. Keep it elsewhere.`);
  if (keep === undefined) return 0;
  const removed = await removeOldBackups(given, config, { keep, now });
  if (removed > 0) progress.say(`Old backups that were removed: ${removed}.`);
  return 0;
}

function toCount(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text === "string" && /^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError("--keep: expected a number of backups from 1 to 9999.");
}

/**
 * Records the backup in the database, for the status of the installation. The backup is complete in any case, so a
 * database of an older version, or one that cannot be written, causes a warning only.
 */
async function recordEnd(url: string, manifest: Manifest, log: Logger): Promise<void> {
  const db = openDatabase({ url, poolMax: 1, queueMax: 1, log });
  try {
    await recordBackup(db, {
      createdAt: new Date(manifest.createdAt),
      endedAt: new Date(),
      sizeBytes: toSizeBytes(manifest),
    });
  } catch (err) {
    log.warn({ err }, "backup complete, but not recorded in the database");
  } finally {
    await db.destroy();
  }
}

function toSizeBytes({ tables, files, archive }: Manifest): number {
  const parts = tables.flatMap((table) => table.parts);
  const sizeBytes = files.sizeBytes + (archive?.sizeBytes ?? 0);
  return parts.reduce((sum, part) => sum + part.sizeBytes, sizeBytes);
}

/** The contents of a backup, in words. */
export function toSummary(manifest: Manifest): string {
  const { tables, files, createdAt } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = toSizeBytes(manifest);
  const numbers = [rows, files.count].map((count) => count.toLocaleString("en"));
  return `${numbers[0]} rows and ${numbers[1]} files as of ${createdAt}, ${(bytes / 1e6).toFixed(1)} MB`;
}
