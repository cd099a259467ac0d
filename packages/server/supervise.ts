import type { FastifyBaseLogger } from "fastify";
import { announce } from "./banner.ts";
import type { Config, Secrets } from "./config/config.ts";
import { createFirstClaim } from "./modules/auth/instance/claims.ts";
import { openDatabase, toPlaneUrls } from "./platform/db/open.ts";
import { migratePlanes } from "./platform/db/migrations/migrate.ts";
import type { StopSignals } from "./platform/stop-signals.ts";
import { openProcessMetrics } from "./platform/telemetry/merged-metrics.ts";
import { version } from "./platform/version.ts";
import { openSupervisor } from "./platform/workers/supervisor.ts";
import { openServiceDatabase } from "./service-database.ts";

/** Longer than a worker takes beyond SHUTDOWN_TIMEOUT_MS until it ends itself. */
const KILL_MARGIN_MS = 12_000;

interface Supervision {
  config: Config;
  secrets: Secrets;
  log: FastifyBaseLogger;
  stop: StopSignals;
  /** Whether SIGHUP restarts the workers. */
  isReloadable: boolean;
}

/**
 * Runs the service as WORKERS processes on one port. This process opens and migrates the database, starts and replaces the
 * workers, and answers no requests. Returns the exit status.
 */
export async function supervise(supervision: Supervision): Promise<number> {
  const { config, log, stop, isReloadable } = supervision;
  const startedAtMs = Date.now();
  // Its default would end the process.
  if (isReloadable) process.on("SIGHUP", () => undefined);
  await using opened = new AsyncDisposableStack();
  const databaseUrl = await openServiceDatabase(opened, supervision);
  stop.signal.throwIfAborted();
  const urls = toPlaneUrls(databaseUrl, supervision.secrets.consentsDatabaseUrl);
  if (config.migratesAtStart) await migratePlanes(urls, log, config.database.pooling);
  stop.signal.throwIfAborted();
  const supervisor = openSupervisor({
    count: config.workers,
    log,
    stopTimeoutMs: config.shutdownTimeoutMs + KILL_MARGIN_MS,
    readOwnMetrics: openProcessMetrics(),
    toPlan: (number) => ({
      number,
      count: config.workers,
      hasBackgroundWork: number === 1,
      port: config.http.port,
      databaseUrl,
      version,
      startedAtMs,
    }),
  });
  if (isReloadable) process.on("SIGHUP", () => void supervisor.restart());
  let hasFailed = false;
  opened.defer(async () => {
    if (!(await supervisor.stop())) hasFailed = true;
  });
  const address = await Promise.race([supervisor.start(), stop.requested]);
  if (address === undefined) throw new Error("stopped");
  await announceFirst(supervision, databaseUrl, address);
  const lost = await Promise.race([stop.requested, supervisor.lost]);
  if (lost) {
    log.fatal({ err: lost }, "workers keep failing, exiting");
    hasFailed = true;
  }
  try {
    await opened.disposeAsync();
  } catch (err) {
    log.error({ err }, "shutdown failed");
    return 1;
  }
  log.info("stopped");
  return hasFailed ? 1 : 0;
}

async function announceFirst(
  { config, secrets, log }: Supervision,
  databaseUrl: string,
  address: string,
): Promise<void> {
  const db = openDatabase({ url: databaseUrl, poolMax: 1, queueMax: 10, log });
  try {
    const { publicUrl } = config.http;
    const claim = await createFirstClaim(db, { publicUrl, now: new Date() });
    announce(config, { address, embedded: secrets.databaseUrl === undefined, claim, log });
  } finally {
    await db.destroy();
  }
}
