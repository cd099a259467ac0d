// avow months: lists archived months, archives due months, and restores a month into the database.
import { getOnlyPositional, parseOptions } from "@avow/cli/arguments";
import { UsageError } from "@avow/cli/errors";
import { openProgress } from "@avow/cli/progress";
import { openAddress } from "@avow/postgres/address";
import { pino } from "pino";
import { loadConfig } from "../config/config.ts";
import { listDueMonths } from "../modules/consents/months/copy.ts";
import { runAllMonths } from "../modules/consents/months/jobs.ts";
import {
  type ArchivedMonth,
  estimateRows,
  listArchivedMonths,
} from "../modules/consents/months/months-store.ts";
import { restoreMonth } from "../modules/consents/months/restore.ts";
import { forEachBucket, readAll } from "../platform/db/buckets/buckets.ts";
import { toPlaneUrls } from "../platform/db/open.ts";
import { openCommandData } from "./data-plane.ts";

const help = `Usage: avow months list
       avow months archive [--dry-run]
       avow months restore MONTH [--days DAYS] [--quiet]

Months of consents that are files in object storage (ARCHIVE_AFTER_MONTHS), such as 2024-03:

  list              print each archived month with its records, bytes and place
  archive           archive the due months now, as the service does every ten minutes. Records leave the database
                    ten minutes after they were copied: by the service, or when this command runs again
  restore MONTH     copy the records of a month back into the database. The files are deleted later by the service

  --dry-run         print the due months with their estimated records, and change nothing
  --days DAYS       how long a restored month stays in the database (30)
  --quiet           print errors only
  -h, --help        print this text

Uses DATABASE_URL, or the embedded database in DATA_DIR (default ./data), and the settings of the service, which
may be running. A command that was stopped can be run again.
`;

const DAY_MS = 86_400_000;
const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));

const now = (): Date => new Date();

/** Runs `avow months`; returns the exit status. */
export async function runMonthsCommand(args: string[], signal: AbortSignal): Promise<number> {
  const parsed = parseOptions(args, help, {
    "dry-run": { type: "boolean" },
    days: { type: "string" },
    quiet: { type: "boolean" },
  });
  if (!parsed) return 0;
  const [verb = "", ...rest] = parsed.positionals;
  const month = verb === "restore" ? toMonth(getOnlyPositional(rest, "MONTH")) : undefined;
  if (month === undefined && !((verb === "list" || verb === "archive") && rest.length === 0))
    throw new UsageError("expected list, archive, or restore and a month.");
  const days = toDays(parsed.values.days);
  const { config, secrets } = loadConfig();
  await using opened = new AsyncDisposableStack();
  const address = opened.use(await openAddress({ ...config, ...secrets, log }));
  const { dataUrl } = toPlaneUrls(address.url, secrets.consentsDatabaseUrl);
  const { buckets, archive: objects } = opened.use(await openCommandData(dataUrl, { config, log }));
  const { afterMonths, objects: place } = config.archive;
  const progress = openProgress(parsed.values.quiet === true);
  if (verb === "list") {
    const where = place.kind === "s3" ? `s3://${place.bucket}` : place.root;
    for (const one of sumMonths(await readAll(buckets, listArchivedMonths)))
      console.log(
        `${one.month.slice(0, 7)}  ${count(one.rows)} records of ${count(one.projects)} projects, ${count(one.bytes)} bytes in ${count(one.objects)} files, ${where}${one.live > 0 ? `; ${count(one.live)} records are in the database, too` : ""}`,
      );
  } else if (month !== undefined) {
    const until = new Date(now().getTime() + days * DAY_MS);
    const done = { rows: 0, ofRows: 0, ofObjects: 0 };
    await forEachBucket({ buckets }, async (data) => {
      const before = done.rows;
      const restored = await restoreMonth({ data, now }, month, {
        until,
        signal,
        onProgress: ({ rows }) =>
          progress.show({ title: month.slice(0, 7), done: before + rows, unit: "records" }),
      });
      for (const name of ["rows", "ofRows", "ofObjects"] as const) done[name] += restored[name];
    });
    progress.say(
      `${count(done.rows)} records of ${count(done.ofRows)} in ${done.ofObjects} files are restored. The month stays in the database until ${until.toISOString().slice(0, 10)}.`,
    );
  } else if (parsed.values["dry-run"] === true) {
    if (afterMonths === 0) console.log("ARCHIVE_AFTER_MONTHS is 0: no month is due.");
    const due = new Map<string, number>();
    await forEachBucket({ buckets }, async (data) => {
      for (const partition of await listDueMonths({ data, now, afterMonths })) {
        const { month: name } = partition;
        due.set(name, (due.get(name) ?? 0) + (await estimateRows(data, partition)));
      }
    });
    for (const [name, rows] of [...due].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      console.log(`${name.slice(0, 7)}  about ${count(rows)} records`);
  } else await runAllMonths({ buckets, objects, now, log, afterMonths }, signal);
  return 0;
}

/** The sums of all buckets, by month. A project is in one bucket. */
function sumMonths(rows: readonly ArchivedMonth[]): ArchivedMonth[] {
  const months = Map.groupBy(rows, ({ month }) => month);
  return [...months]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, parts]) => {
      const sum = (name: "projects" | "objects" | "rows" | "bytes" | "live") =>
        parts.reduce((total, part) => total + part[name], 0);
      const [projects, objects] = [sum("projects"), sum("objects")];
      return {
        month,
        projects,
        objects,
        rows: sum("rows"),
        bytes: sum("bytes"),
        live: sum("live"),
      };
    });
}

function count(number: number): string {
  return number.toLocaleString("en");
}

/** The first day of a month. */
function toMonth(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return `${text}-01`;
  throw new UsageError(`${text} is not a month such as 2024-03.`);
}

function toDays(text: unknown): number {
  if (text === undefined) return 30;
  if (typeof text === "string" && /^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError("--days: expected a number of days from 1 to 9999.");
}
