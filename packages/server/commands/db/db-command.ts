// avow db: the buckets of the data plane, for installations that have outgrown one server.
import { parseOptions } from "@avow/cli/arguments";
import { UsageError } from "@avow/cli/errors";
import { openProgress } from "@avow/cli/progress";
import { openAddress } from "@avow/postgres/address";
import { pino } from "pino";
import { loadConfig } from "../../config/config.ts";
import { assertMigrated } from "../../platform/db/migrations/migrate.ts";
import { openDataDatabase, toPlaneUrls } from "../../platform/db/open.ts";
import { printBuckets } from "./buckets.ts";
import { distribute } from "./distribute.ts";
import { moveProjects } from "./move.ts";

const help = `Usage: avow db buckets
       avow db distribute [--buckets N] [--quiet]
       avow db move (PROJECT ... | --all) [--to BUCKET] [--quiet]

The data of projects lies in buckets, which are schemas of the data plane. One server holds a bucket. An
installation begins with one bucket, public.

  buckets           print each bucket with its server, projects and size, and whether it takes new projects
  distribute        create the buckets avow_b1 to avow_bN and place new projects in them; on the coordinator of a
                    Citus cluster, the workers hold them. The service may be running, all nodes with this version.
                    Run it again to add more
  move              move projects to another bucket. The service must be stopped

  --buckets N       number of buckets, 1 to 256 (with Citus: four for each worker; otherwise 4)
  --all             move all projects of public
  --to BUCKET       move to this bucket; by default, projects are spread over those that take new projects
  --quiet           print errors only
  -h, --help        print this text

Uses CONSENTS_DATABASE_URL, else DATABASE_URL, or the embedded database in DATA_DIR (default ./data). A command that
was stopped can be run again: it continues where it stopped.

Exit status: 0 for success, 1 for a failure, 2 for wrong usage, 130 after an interrupt (Ctrl-C).
`;

const BUCKETS_MAX = 256;
const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));

/** Runs `avow db`; returns the exit status. */
export async function runDb(args: string[], signal: AbortSignal): Promise<number> {
  const parsed = parseOptions(args, help, {
    buckets: { type: "string" },
    all: { type: "boolean" },
    to: { type: "string" },
    quiet: { type: "boolean" },
  });
  if (!parsed) return 0;
  const { positionals, values } = parsed;
  const [verb, ...projectIds] = positionals;
  const { all: isAll = false, to, quiet = false } = values;
  if (verb !== "buckets" && verb !== "distribute" && verb !== "move")
    throw new UsageError("expected buckets, distribute or move.");
  if (verb !== "move" && (projectIds.length > 0 || isAll || to !== undefined))
    throw new UsageError(`${verb} takes no projects.`);
  if (verb === "move" && isAll === projectIds.length > 0)
    throw new UsageError("name the projects, or move --all of them.");
  if (verb !== "distribute" && values.buckets !== undefined)
    throw new UsageError(`${verb} takes no --buckets.`);
  const count = toCount(values.buckets);
  const { config, secrets } = loadConfig();
  await using opened = new AsyncDisposableStack();
  const address = opened.use(await openAddress({ ...config, ...secrets, log }));
  const { dataUrl: url } = toPlaneUrls(address.url, secrets.consentsDatabaseUrl);
  const home = openDataDatabase({ url, poolMax: 1, queueMax: 10, log, timeoutMs: 0 });
  opened.defer(() => home.destroy());
  await assertMigrated(home);
  const given = { home, url, config, log, progress: openProgress(quiet), signal };
  if (verb === "buckets") await printBuckets(home);
  else if (verb === "distribute") await distribute(given, count);
  else await moveProjects(given, { projectIds: isAll ? undefined : projectIds, to });
  return 0;
}

function toCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= BUCKETS_MAX) return count;
  throw new UsageError(`--buckets: expected a number from 1 to ${BUCKETS_MAX}, got ${text}.`);
}
