import { getOnlyPositional, parseOptions } from "@avow/cli/arguments";
import { openProgress } from "@avow/cli/progress";
import { openEmbeddedPostgres } from "@avow/postgres";
import { toPlaneUrls } from "../../platform/db/open.ts";
import { pino } from "pino";
import { loadConfig } from "../../config/config.ts";
import { openObjects } from "../../platform/objects/open.ts";
import { toSummary } from "./backup-command.ts";
import { readManifest } from "./manifest.ts";
import { openPlace } from "./place.ts";
import { assertRestorable, restoreBackup } from "./restore.ts";

const help = `Usage: avow restore PLACE [--quiet]

Restores a backup of \`avow backup\` into an empty DATA_DIR (default ./data), or an empty database in
DATABASE_URL and CONSENTS_DATABASE_URL. Any version that is as new as the backup can restore it, also with another major version of
PostgreSQL. Each file is checked against its SHA-256. The database is complete or stays empty. Restore only
backups that you trust: accounts and keys come from them.

  --quiet           print errors only
  -h, --help        print this text

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
After a failure, run the same command again.
`;

/** Runs `avow restore`; returns the exit status. */
export async function runRestore(args: string[], signal: AbortSignal): Promise<number> {
  const parsed = parseOptions(args, help, { quiet: { type: "boolean" } });
  if (!parsed) return 0;
  const expected = "PLACE: the folder or bucket of a backup";
  const place = getOnlyPositional(parsed.positionals, expected);
  const progress = openProgress(parsed.values.quiet === true);
  const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));
  const { config, secrets } = loadConfig();
  await using opened = new AsyncDisposableStack();
  const backup = opened.use(await openPlace(place, config));
  const manifest = await readManifest(backup, place);
  await assertRestorable({ config, secrets, manifest });
  const { dataDir } = config;
  const databaseUrl =
    secrets.databaseUrl ?? opened.use(await openEmbeddedPostgres({ dataDir, log, signal })).url;
  const objects = opened.use(await openObjects(config.objects, () => new Date()));
  const archive = opened.use(await openObjects(config.archive.objects, () => new Date()));
  const onProgress = ({ title, done }: { title: string; done: number }) =>
    progress.show({ title, done, unit: "bytes" });
  await restoreBackup({
    config,
    secrets,
    urls: toPlaneUrls(databaseUrl, secrets.consentsDatabaseUrl),
    objects,
    archive,
    backup,
    manifest,
    log,
    signal,
    onProgress,
  });
  progress.say(`Restored ${toSummary(manifest)}.`);
  progress.say(
    "Start the service, repeat the erasures that were requested after the backup, and run avow log check --records.",
  );
  return 0;
}
