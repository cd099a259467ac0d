import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "./log.ts";
import { readFreeBytes } from "./free-bytes.ts";
import type { PostgresError } from "./errors.ts";
import { findBinaries } from "./binaries.ts";
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

/**
 * Opens the PostgreSQL in `dataDir`, creating it if necessary. It listens only on a unix socket that no other user
 * can reach. A server that exits is restarted at the same address. Disposal shuts it down cleanly.
 * @throws FolderInUseError if another process uses the folder; `signal` cancels the start
 */
export async function openEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
  connectionsMax?: number;
  /** false disables fsync: for tests only. */
  durable?: boolean;
  signal?: AbortSignal;
  /** Called when this process has locked the folder, before anything is created in it. */
  beforeStart?: () => Promise<void>;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await using opened = new AsyncDisposableStack();
  opened.use(await lockFolder(dataDir));
  await options.beforeStart?.();
  const { folder, password } = await getCluster(binaries, dataDir);
  const leftSockets = await stopLeftover(folder, log);
  if (leftSockets !== undefined) await removeLeftoverSockets(leftSockets);
  const sockets = opened.use(await openSocketFolder(dataDir));
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
  const supervisor = opened.use(
    await superviseServer({
      start: () => start(options.signal),
      restart: async (signal) => {
        await stopLeftover(folder, log);
        await sockets.clear();
        return start(signal);
      },
      isDiskFull: async () => (await readFreeBytes(folder)) < START_BYTES_MIN,
      signal: options.signal,
      log,
    }),
  );
  const owned = opened.move();
  return {
    url: toSocketUrl(sockets.path, password),
    lost: supervisor.lost,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
