import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Log } from "./log.ts";
import { readFreeBytes } from "./free-bytes.ts";
import type { PostgresError } from "./errors.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { getCluster } from "./cluster.ts";
import { superviseServer } from "./supervisor.ts";
import { stopLeftover } from "./leftover.ts";
import { lockFolder } from "./owner.ts";
import { toParameters } from "./parameters.ts";
import { type Server, startServer } from "./server.ts";
import { openSocketFolder, removeLeftoverSockets, toSocketUrl } from "./sockets.ts";

/** Two files of the write-ahead log, which recovery needs. */
const START_BYTES_MIN = 32 * 1024 * 1024;

export interface EmbeddedPostgres extends AsyncDisposable {
  /** For `pg` and libpq; contains the password. */
  url: string;
  /** Resolves with the reason when the server has failed permanently, after all restarts. */
  lost: Promise<PostgresError>;
}

interface OpenOptions {
  dataDir: string;
  log: Log;
  connectionsMax?: number;
  /** false disables fsync: for tests only. */
  durable?: boolean;
  signal?: AbortSignal;
  /** Called when this process has locked the folder, before anything is created in it. */
  beforeStart?: () => Promise<void>;
}

/**
 * Opens the PostgreSQL in `dataDir`, creating it if necessary. It listens only on a unix socket that no other user
 * can reach. A server that exits is restarted at the same address. Disposal shuts it down cleanly.
 * @throws FolderInUseError if another process uses the folder; `signal` cancels the start
 */
export async function openEmbeddedPostgres(options: OpenOptions): Promise<EmbeddedPostgres> {
  // PostgreSQL runs in another working directory.
  const dataDir = resolve(options.dataDir);
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const opened = openStack();
  try {
    return await openInOrder({ ...options, dataDir }, { binaries, opened });
  } catch (error) {
    await opened.dispose();
    throw error;
  }
}

async function openInOrder(
  options: OpenOptions,
  { binaries, opened }: { binaries: Binaries; opened: Stack },
): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const lock = await lockFolder(dataDir);
  opened.defer(() => lock[Symbol.dispose]());
  await options.beforeStart?.();
  const { folder, password } = await getCluster(binaries, dataDir);
  const leftSockets = await stopLeftover(folder, log);
  if (leftSockets !== undefined) await removeLeftoverSockets(leftSockets);
  const sockets = await openSocketFolder(dataDir);
  opened.defer(() => sockets[Symbol.asyncDispose]());
  options.signal?.throwIfAborted();
  const start = async (signal: AbortSignal | undefined): Promise<Server> => {
    const { connectionsMax, durable = true } = options;
    const socketFolder = sockets.path;
    const parameters = await toParameters({
      binaries,
      folder,
      socketFolder,
      connectionsMax,
      durable,
    });
    const logFile = join(dataDir, "postgres.log");
    return startServer({ binaries, folder, logFile, parameters, signal });
  };
  const supervisor = await superviseServer({
    start: () => start(options.signal),
    restart: async (signal) => {
      await stopLeftover(folder, log);
      await sockets.clear();
      return start(signal);
    },
    isDiskFull: async () => (await readFreeBytes(folder)) < START_BYTES_MIN,
    signal: options.signal,
    log,
  });
  opened.defer(() => supervisor[Symbol.asyncDispose]());
  return {
    url: toSocketUrl(sockets.path, password),
    lost: supervisor.lost,
    [Symbol.asyncDispose]: opened.dispose,
  };
}

/** Open resources, which `dispose` closes in reverse order. Node 22 has no AsyncDisposableStack. */
interface Stack {
  defer: (close: () => unknown) => void;
  dispose: () => Promise<void>;
}

function openStack(): Stack {
  const closes: (() => unknown)[] = [];
  const dispose = async (): Promise<void> => {
    const close = closes.pop();
    if (!close) return;
    try {
      await close();
    } finally {
      await dispose();
    }
  };
  return { defer: (close) => closes.push(close), dispose };
}
