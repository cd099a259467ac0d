import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { findBinaries } from "./binaries.ts";
import { getCluster } from "./cluster.ts";
import { stopLeftover } from "./leftover.ts";
import { takeFolder } from "./owner.ts";
import { type Exit, startServer } from "./server.ts";
import { SOCKET_NUMBER, toSocketUrl, openSocketFolder } from "./sockets.ts";

const CONNECTIONS_MAX = 50;

export interface EmbeddedPostgres extends AsyncDisposable {
  /** For `pg` and libpq; holds the password. */
  url: string;
  pid: number;
  /** How the server ended, whether asked to or not. */
  closed: Promise<Exit>;
}

/**
 * Opens the PostgreSQL that lives in `dataDir`, and makes it at the first time. It listens only on a
 * unix socket that this user alone can reach. Disposed, it has written everything and ended.
 * Throws FolderInUseError when another process has the folder; `signal` gives the start up.
 */
export async function openEmbeddedPostgres(options: {
  dataDir: string;
  log: Pick<FastifyBaseLogger, "warn">;
  connectionsMax?: number;
  /** false trades safety for speed: for tests only. */
  durable?: boolean;
  signal?: AbortSignal;
  /** Called when the folder is this process's, before anything is made in it. */
  beforeStart?: () => Promise<void>;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await using opened = new AsyncDisposableStack();
  opened.use(await takeFolder(dataDir));
  await options.beforeStart?.();
  const cluster = await getCluster(binaries, dataDir);
  await stopLeftover(cluster.folder, log);
  const sockets = opened.use(await openSocketFolder(dataDir));
  options.signal?.throwIfAborted();
  const server = opened.use(
    await startServer({
      binaries,
      folder: cluster.folder,
      logFile: join(dataDir, "postgres.log"),
      parameters: toParameters(sockets.path, options),
      signal: options.signal,
    }),
  );
  const owned = opened.move();
  return {
    url: toSocketUrl(sockets.path, cluster.password),
    pid: server.pid,
    closed: server.exited,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The log never tells statements or the values in them: they hold personal data and hashes. */
function toParameters(
  socketFolder: string,
  options: { connectionsMax?: number; durable?: boolean },
): Record<string, string> {
  const durable = options.durable === false ? "off" : "on";
  return {
    listen_addresses: "",
    port: SOCKET_NUMBER,
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: String(options.connectionsMax ?? CONNECTIONS_MAX),
    shared_buffers: "128MB",
    fsync: durable,
    synchronous_commit: durable,
    full_page_writes: durable,
    logging_collector: "off",
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    log_autovacuum_min_duration: "-1",
  };
}
