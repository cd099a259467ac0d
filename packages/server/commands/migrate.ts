import { once } from "node:events";
import { assertNoPositionals, parseOptions } from "@avow/cli/arguments";
import { openAddress } from "@avow/postgres/address";
import { toPlaneUrls } from "../platform/db/open.ts";
import { pino } from "pino";
import { loadConfig } from "../config/config.ts";
import { createJobTables } from "../kernel/jobs.ts";
import { migratePlanes } from "../platform/db/migrations/migrate.ts";

const help = `Usage: avow migrate

Migrates the database, or both of them, to this version and ends, for installations whose nodes run with MIGRATE_AT_START=off.
Back up first: migrations cannot be undone.

Uses DATABASE_URL, or the embedded database in DATA_DIR (default ./data), and checks all settings of the
service first. A second run at the same time waits for the first.

  -h, --help        print this text

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
A migration that fails or is interrupted changes nothing.
`;

/** Runs `avow migrate`; returns the exit status. */
export async function runMigrate(args: string[], signal: AbortSignal): Promise<number> {
  const parsed = parseOptions(args, help, {});
  if (!parsed) return 0;
  assertNoPositionals(parsed.positionals);
  const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));
  const { config, secrets } = loadConfig();
  await using database = await openAddress({ ...config, ...secrets, log });
  console.log("Migrating the database …");
  const urls = toPlaneUrls(database.url, secrets.consentsDatabaseUrl);
  const migrating = migratePlanes(urls, log, config.database.pooling);
  // The exit that follows an interrupt closes the connection, which rolls the transaction back.
  await Promise.race([migrating, once(signal, "abort").then(() => signal.throwIfAborted())]);
  const names = await migrating;
  await createJobTables(database.url);
  console.log(
    names.length === 0
      ? "The database is already at this version."
      : `${names.length} migrations applied: ${names.join(", ")}.`,
  );
  return 0;
}
