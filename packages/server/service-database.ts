import type { FastifyBaseLogger } from "fastify";
import { openEmbeddedPostgres } from "@avow/postgres";
import type { Config, Secrets } from "./config/config.ts";
import { assertPortFree } from "./platform/ports.ts";
import type { StopSignals } from "./platform/stop-signals.ts";

/** Connections for jobs, migrations and an operator in addition to the pools. */
const CONNECTIONS_BESIDE_POOLS = 40;
/** Connections of a worker that only sends jobs: one for that, and one to the directory of buckets. */
const SENDING_CONNECTIONS = 2;

interface Service {
  config: Config;
  secrets: Secrets;
  log: FastifyBaseLogger;
  stop: StopSignals;
}

/**
 * Opens the database of DATABASE_URL, or starts the embedded one, which `opened` stops. Returns its URL.
 * @throws StartError if the port is in use, before a database is created
 */
export async function openServiceDatabase(
  opened: AsyncDisposableStack,
  { config, secrets, log, stop }: Service,
): Promise<string> {
  if (secrets.databaseUrl !== undefined) {
    await assertPortFree(config.http);
    return secrets.databaseUrl;
  }
  const postgres = await openEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    connectionsMax: toConnectionsMax(config),
    signal: stop.signal,
    beforeStart: () => assertPortFree(config.http),
  });
  opened.use(postgres);
  void postgres.lost.then((err) => {
    log.fatal({ err }, "embedded database lost, exiting");
    process.exit(1);
  });
  return postgres.url;
}

/** During a restart one by one, there is a worker more. */
function toConnectionsMax({ workers, database, collect }: Config): number {
  const pools = database.poolMax + collect.connections;
  const ofWorkers = workers === 1 ? pools : (workers + 1) * (pools + SENDING_CONNECTIONS);
  return ofWorkers + CONNECTIONS_BESIDE_POOLS;
}
