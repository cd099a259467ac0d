import { getOnlyPositional, parseOptions } from "@avow/cli/arguments";
import { CommandError } from "@avow/cli/errors";
import { openProgress } from "@avow/cli/progress";
import { openAddress } from "@avow/postgres/address";
import { pino } from "pino";
import { loadConfig } from "../../config/config.ts";
import { openObjects } from "../../platform/objects/open.ts";
import { writeBackup } from "./backup.ts";
import type { Manifest } from "./manifest.ts";
import { openPlace } from "./place.ts";

const help = `Usage: avow backup PLACE [--quiet]

Backs up the database, the published files and assets, and the keys, while the service runs. PLACE is an
empty folder, or s3://bucket/prefix with the settings S3_ENDPOINT, S3_REGION and S3_PATH_STYLE and the
credentials of AWS's tools. The database is that of the moment at which the backup starts.

Uses DATABASE_URL, or the embedded database in DATA_DIR (default ./data), and the settings of the service.
The keys are secrets: who has them can sign in the log's name. Store backups as carefully as the service.

  --quiet           print errors only
  -h, --help        print this text

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
A backup that failed has no manifest.json; remove it.
`;

/** Runs `avow backup`; returns the exit status. */
export async function runBackup(args: string[], signal: AbortSignal): Promise<number> {
  const parsed = parseOptions(args, help, { quiet: { type: "boolean" } });
  if (!parsed) return 0;
  const expected = "PLACE: an empty folder, or s3://bucket/prefix";
  const place = getOnlyPositional(parsed.positionals, expected);
  const progress = openProgress(parsed.values.quiet === true);
  const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));
  const { config, secrets } = loadConfig();
  await using opened = new AsyncDisposableStack();
  const backup = opened.use(await openPlace(place, config));
  for await (const key of backup.listKeys())
    throw new CommandError(`${place} is not empty: it has ${key}.`);
  const now = new Date();
  const objects = opened.use(await openObjects(config.objects, () => now));
  const address = opened.use(await openAddress({ ...config, ...secrets, log }));
  const manifest = await writeBackup({
    config,
    secrets,
    databaseUrl: address.url,
    objects,
    backup,
    now,
    signal,
    onProgress: ({ title, done }) => progress.show({ title, done, unit: "bytes" }),
  });
  progress.say(`${place} is complete: ${toSummary(manifest)}.`);
  for (const { setting, part } of manifest.keys)
    if (!part) progress.say(`${setting} is a setting and not in the backup. Keep it elsewhere.`);
  return 0;
}

/** The contents of a backup, in words. */
export function toSummary({ tables, files, createdAt }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const parts = tables.flatMap((table) => table.parts);
  const bytes = parts.reduce((sum, part) => sum + part.sizeBytes, files.sizeBytes);
  const numbers = [rows, files.count].map((count) => count.toLocaleString("en"));
  return `${numbers[0]} rows and ${numbers[1]} files as of ${createdAt}, ${(bytes / 1e6).toFixed(1)} MB`;
}
