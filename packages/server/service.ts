import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type App, openApp } from "./app.ts";
import { announce } from "./banner.ts";
import type { Config, Secrets } from "./config/config.ts";
import { readAllBrowserFiles } from "./platform/browser-files.ts";
import { type DiskSpace, unwatchedDisk, watchDiskSpace } from "./platform/disk-space.ts";
import { openServiceDatabase } from "./service-database.ts";
import { listen } from "./platform/ports.ts";
import type { StopSignals } from "./platform/stop-signals.ts";
import type { Telemetry } from "./platform/telemetry/telemetry.ts";
import { type Peers, assertSameVersion } from "./platform/workers/worker.ts";

/** Timeout of the disposal of jobs and the pool, after open requests have ended. */
const DISPOSE_MARGIN_MS = 10_000;

interface Service {
  config: Config;
  secrets: Secrets;
  log: FastifyBaseLogger;
  stop: StopSignals;
  telemetry: Telemetry | undefined;
  /** The supervisor and its other workers, if this process is one of several. */
  peers: Peers | undefined;
}

/**
 * Opens everything, serves until a signal to stop or until another worker has taken over, and disposes everything in
 * reverse order. Returns the exit status.
 */
export async function serve(service: Service): Promise<number> {
  const { config, secrets, log, stop, telemetry, peers } = service;
  await using opened = new AsyncDisposableStack();
  if (telemetry) opened.use(telemetry);
  if (peers) assertSameVersion(peers);
  // Runs beside the database's start, which takes as long as a build. A failure is thrown where the files are awaited.
  const reading = readAllBrowserFiles(log);
  reading.catch(() => undefined);
  // A worker reads its own settings, since a file with a secret may have another since the supervisor's start.
  const databaseUrl = peers
    ? (secrets.databaseUrl ?? peers.plan.databaseUrl)
    : await openServiceDatabase(opened, service);
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
    peers,
  });
  let isHandedOver = false;
  opened.defer(() => closeApp(app, service, isHandedOver));
  stop.signal.throwIfAborted();
  const address = await listen(app.http, config.http);
  stop.signal.throwIfAborted();
  if (peers) peers.announceServing(address);
  else {
    const claim = await app.createFirstClaim();
    announce(config, { address, embedded: secrets.databaseUrl === undefined, claim, log });
  }
  const handOver = peers?.handOver.then(() => (isHandedOver = true));
  await Promise.race([stop.requested, ...(handOver ? [handOver] : [])]);
  if (isHandedOver) log.info("handing over to the next worker");
  try {
    await opened.disposeAsync();
  } catch (err) {
    log.error({ err }, "shutdown failed");
    return 1;
  }
  log.info("stopped");
  return 0;
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
async function closeApp(
  app: App,
  { config, log }: Pick<Service, "config" | "log">,
  isHandedOver: boolean,
): Promise<void> {
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
  const close = async (): Promise<void> => {
    if (isHandedOver) await app.handOver();
    await app[Symbol.asyncDispose]();
  };
  try {
    await Promise.race([close(), late.promise]);
  } finally {
    for (const timer of [cut, end]) clearTimeout(timer);
  }
}
