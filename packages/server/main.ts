import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type App, openApp } from "./app.ts";
import { announce } from "./banner.ts";
import { type Config, type Secrets, loadConfig, withPort } from "./config/config.ts";
import { readAllBrowserFiles } from "./platform/browser-files.ts";
import { type DiskSpace, unwatchedDisk, watchDiskSpace } from "./platform/disk-space.ts";
import { openLog } from "./platform/log.ts";
import { assertPortFree, findFreePort, listen } from "./platform/ports.ts";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "@avow/postgres";
import { toNamedError, toStartMessage } from "./platform/start-error.ts";
import { type StopSignals, listenForStop } from "./platform/stop-signals.ts";
import { openTelemetry } from "./platform/telemetry/open.ts";
import type { Telemetry } from "./platform/telemetry/telemetry.ts";
import { toHelp } from "./config/help.ts";

/** Connections for jobs, migrations and an operator in addition to the pool. */
const CONNECTIONS_BESIDE_POOL = 40;
/** Timeout of the disposal of jobs and the pool, after open requests have ended. */
const DISPOSE_MARGIN_MS = 10_000;

process.exit(await main(process.argv.slice(2)));

/** Returns the process's exit status. */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--help" && arg !== "-h");
  if (unknown !== undefined) {
    process.stderr.write(`Unknown argument ${unknown}. See: avow start --help\n`);
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
  const telemetry = await openTelemetry({
    config: config.telemetry,
    headers: secrets.telemetryHeaders ?? {},
    onError: (err) => log.warn({ err }, "telemetry export failed"),
  });
  const tracing = telemetry?.tracing;
  const log = openLog({
    ...config.log,
    ...(tracing && { findTraceparent: () => tracing.findActiveSpan()?.traceparent }),
  });
  process.on("uncaughtException", (err) => {
    log.fatal({ err }, "service failed");
    process.exit(1);
  });
  const stop = listenForStop(log);
  try {
    return await serve({ config, secrets, log, stop, telemetry });
  } catch (error) {
    if (!stop.signal.aborted) {
      const external = secrets.databaseUrl !== undefined;
      throw toNamedError(error, { dataDir: config.dataDir, external });
    }
    log.info("start cancelled");
    return 0;
  }
}

/** Selects a free port first, since addresses in the configuration contain it. */
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
  telemetry: Telemetry | undefined;
}

/** Opens everything, serves until a signal to stop, and disposes everything in reverse order. */
async function serve(service: Service): Promise<number> {
  const { config, secrets, log, stop, telemetry } = service;
  await using opened = new AsyncDisposableStack();
  if (telemetry) opened.use(telemetry);
  // Fails before a database is created.
  if (secrets.databaseUrl !== undefined) await assertPortFree(config.http);
  // Runs beside the database's start, which takes as long as a build. A failure is thrown where the files are awaited.
  const reading = readAllBrowserFiles(log);
  reading.catch(() => undefined);
  const databaseUrl = secrets.databaseUrl ?? opened.use(await openPostgres(service)).url;
  stop.signal.throwIfAborted();
  const diskSpace = opened.use(await openDiskSpace(service));
  const browserFiles = await reading;
  const app = await openApp({
    config,
    secrets,
    databaseUrl,
    dataUrl: secrets.consentsDatabaseUrl,
    log,
    diskSpace,
    browserFiles,
    telemetry,
  });
  opened.defer(() => closeApp(app, service));
  stop.signal.throwIfAborted();
  const address = await listen(app.http, config.http);
  stop.signal.throwIfAborted();
  const claim = await app.createFirstClaim();
  announce(config, { address, embedded: secrets.databaseUrl === undefined, claim, log });
  await stop.requested;
  try {
    await opened.disposeAsync();
  } catch (err) {
    log.error({ err }, "shutdown failed");
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
    log.fatal({ err }, "embedded database lost, exiting");
    process.exit(1);
  });
  return postgres;
}

/** Watches the disk of the embedded database; an external one is its operator's. */
async function openDiskSpace({ config, secrets, log }: Service): Promise<DiskSpace & Disposable> {
  const { dataDir, diskReserveBytes: reserveBytes } = config;
  if (secrets.databaseUrl !== undefined || reserveBytes === 0)
    return { ...unwatchedDisk, [Symbol.dispose]: () => undefined };
  return watchDiskSpace({ folder: join(dataDir, "postgres"), reserveBytes, log });
}

/**
 * Waits for open requests up to the configured timeout, then closes their connections. A job that hangs is left to
 * the next start.
 */
async function closeApp(app: App, { config, log }: Service): Promise<void> {
  const { server } = app.http;
  const limitMs = config.shutdownTimeoutMs + DISPOSE_MARGIN_MS;
  const late = Promise.withResolvers<never>();
  const cut = setTimeout(() => {
    log.warn("shutdown timeout: closing open connections");
    server.closeAllConnections();
  }, config.shutdownTimeoutMs);
  const end = setTimeout(() => {
    late.reject(new Error(`Shutdown timed out after ${limitMs} ms.`));
  }, limitMs);
  try {
    await Promise.race([app[Symbol.asyncDispose](), late.promise]);
  } finally {
    for (const timer of [cut, end]) clearTimeout(timer);
  }
}
