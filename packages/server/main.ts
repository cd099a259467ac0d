import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type App, openApp } from "./app.ts";
import { announce } from "./banner.ts";
import { type Config, type Secrets, loadConfig, withPort } from "./config/config.ts";
import { readAllBrowserFiles } from "./platform/browser-files.ts";
import { type DiskRoom, unwatchedRoom, watchDiskRoom } from "./platform/disk-room.ts";
import { openLog } from "./platform/log.ts";
import { assertPortFree, findFreePort, listen } from "./platform/ports.ts";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "@avow/postgres";
import { toNamedError, toStartMessage } from "./platform/start-error.ts";
import { type StopSignals, listenForStop } from "./platform/stop-signals.ts";
import { toHelp } from "./config/help.ts";

/** Connections that jobs, migrations and an operator may need beside the pool. */
const CONNECTIONS_BESIDE_POOL = 40;
/** What may follow the end of open requests: jobs, the pool. */
const DISPOSE_MARGIN_MS = 10_000;
const IDLE_POLL_MS = 20;

process.exit(await main(process.argv.slice(2)));

/** Answers the process's exit status. */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--help" && arg !== "-h");
  if (unknown !== undefined) {
    process.stderr.write(`Unknown argument ${unknown}. See: npm start -- --help\n`);
    return 2;
  }
  if (args.length > 0) {
    process.stdout.write(toHelp(process.stdout.columns || 100));
    return 0;
  }
  try {
    return await start();
  } catch (error) {
    process.stderr.write(`Avow cannot start. ${toStartMessage(error)}\n`);
    return 1;
  }
}

async function start(): Promise<number> {
  const { config, secrets } = await loadSettings();
  const log = openLog(config.log);
  process.on("uncaughtException", (err) => {
    log.fatal({ err }, "the service failed");
    process.exit(1);
  });
  const stop = listenForStop(log);
  try {
    return await serve({ config, secrets, log, stop });
  } catch (error) {
    if (!stop.signal.aborted) {
      const external = secrets.databaseUrl !== undefined;
      throw toNamedError(error, { dataDir: config.dataDir, external });
    }
    log.info("stopped before the start was complete");
    return 0;
  }
}

/** A free port is taken first, since the addresses in the configuration are made of it. */
async function loadSettings(): Promise<{ config: Config; secrets: Secrets }> {
  const loaded = loadConfig();
  const { host, port } = loaded.config.http;
  return port === 0 ? loadConfig(withPort(await findFreePort(host))) : loaded;
}

interface Service {
  config: Config;
  secrets: Secrets;
  log: FastifyBaseLogger;
  stop: StopSignals;
}

/** Opens everything, serves until asked to stop, and closes everything in the opposite order. */
async function serve(service: Service): Promise<number> {
  const { config, secrets, log, stop } = service;
  await using opened = new AsyncDisposableStack();
  // Whoever cannot listen shall not make a database first.
  if (secrets.databaseUrl !== undefined) await assertPortFree(config.http);
  // Beside the database's start, which takes as long as a build. A failure counts where the files are awaited.
  const reading = readAllBrowserFiles(log);
  reading.catch(() => undefined);
  const databaseUrl = secrets.databaseUrl ?? opened.use(await openPostgres(service)).url;
  stop.signal.throwIfAborted();
  const room = opened.use(await openRoom(service));
  const browserFiles = await reading;
  const app = await openApp({ config, secrets, databaseUrl, log, room, browserFiles });
  opened.defer(() => closeApp(app, service));
  stop.signal.throwIfAborted();
  const address = await listen(app.http, config.http);
  stop.signal.throwIfAborted();
  announce(config, { address, embedded: secrets.databaseUrl === undefined, log });
  await stop.requested;
  try {
    await opened.disposeAsync();
  } catch (err) {
    log.error({ err }, "stopped, though not in order");
    return 1;
  }
  log.info("stopped");
  return 0;
}

async function openPostgres({ config, log, stop }: Service): Promise<EmbeddedPostgres> {
  const connectionsMax =
    config.database.poolMax + config.collect.connections + CONNECTIONS_BESIDE_POOL;
  const { dataDir } = config;
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log,
    connectionsMax,
    signal: stop.signal,
    beforeStart: () => assertPortFree(config.http),
  });
  void postgres.lost.then((err) => {
    log.fatal({ err }, "the service ends: it has no database any more");
    process.exit(1);
  });
  return postgres;
}

/** The disk of an external database is its operator's to watch. */
async function openRoom({ config, secrets, log }: Service): Promise<DiskRoom & Disposable> {
  const { dataDir, diskReserveBytes: reserveBytes } = config;
  if (secrets.databaseUrl !== undefined || reserveBytes === 0)
    return { ...unwatchedRoom, [Symbol.dispose]: () => undefined };
  return watchDiskRoom({ folder: join(dataDir, "postgres"), reserveBytes, log });
}

/**
 * Lets open requests end, for as long as the settings say. A connection that is kept alive after its
 * last answer would hold the end up; so would a job that hangs, which is left to the next start.
 */
async function closeApp(app: App, { config, log }: Service): Promise<void> {
  const { server } = app.http;
  const limitMs = config.shutdownTimeoutMs + DISPOSE_MARGIN_MS;
  const late = Promise.withResolvers<never>();
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
  const cut = setTimeout(() => {
    log.warn("open requests did not end in time: they are cut off");
    server.closeAllConnections();
  }, config.shutdownTimeoutMs);
  const end = setTimeout(() => {
    late.reject(new Error(`What was going on did not end within ${limitMs} ms.`));
  }, limitMs);
  try {
    await Promise.race([app[Symbol.asyncDispose](), late.promise]);
  } finally {
    clearInterval(idle);
    for (const timer of [cut, end]) clearTimeout(timer);
  }
}
