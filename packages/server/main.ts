import { loadConfig, withPort } from "./config/config.ts";
import { toHelp } from "./config/help.ts";
import { openLog } from "./platform/log.ts";
import { findFreePort } from "./platform/ports.ts";
import { toNamedError, toStartMessage } from "./platform/start-error.ts";
import { listenForStop } from "./platform/stop-signals.ts";
import { openTelemetry } from "./platform/telemetry/open.ts";
import { type Peers, joinSupervisor } from "./platform/workers/worker.ts";

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
  const peers = await joinSupervisor();
  try {
    return await start(peers);
  } catch (error) {
    const reason = toStartMessage(error);
    if (peers) await peers.announceFailure(reason);
    else process.stderr.write(`Avow cannot start. ${reason}\n`);
    return 1;
  }
}

/** Starts the service, or a part of it: the supervisor of several workers, or one of them. */
async function start(peers: Peers | undefined): Promise<number> {
  const { config, secrets } = await loadSettings(peers);
  const isSupervisor = config.workers > 1 && !peers;
  const worker = peers?.plan.number;
  const telemetry = isSupervisor
    ? undefined
    : await openTelemetry({
        config: config.telemetry,
        headers: secrets.telemetryHeaders ?? {},
        worker,
        onError: (err) => log.warn({ err }, "telemetry export failed"),
      });
  const tracing = telemetry?.tracing;
  const log = openLog({
    ...config.log,
    worker,
    ...(tracing && { findTraceparent: () => tracing.findActiveSpan()?.traceparent }),
  });
  process.on("uncaughtException", (err) => {
    log.fatal({ err }, "service failed");
    process.exit(1);
  });
  // A closed terminal signals SIGHUP too, and stops the service.
  const isReloadable = isSupervisor && !process.stdin.isTTY;
  const stop = listenForStop(log, isReloadable ? ["SIGINT", "SIGTERM"] : undefined);
  try {
    const shared = { config, secrets, log, stop };
    // Loaded for the process that needs it: a supervisor without the service takes a third of the memory.
    return isSupervisor
      ? await (await import("./supervise.ts")).supervise({ ...shared, isReloadable })
      : await (await import("./service.ts")).serve({ ...shared, telemetry, peers });
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
async function loadSettings(peers: Peers | undefined): Promise<ReturnType<typeof loadConfig>> {
  const loaded = loadConfig();
  const { host, port } = loaded.config.http;
  if (port !== 0) return loaded;
  return loadConfig(withPort(peers?.plan.port ?? (await findFreePort(host))));
}
