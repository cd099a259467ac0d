import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "./log.ts";
import { readFreeBytes } from "./free-bytes.ts";
import type { PostgresError } from "./errors.ts";
import { findBinaries } from "./binaries.ts";
import { getCluster } from "./cluster.ts";
import { keepServer } from "./keeper.ts";
import { stopLeftover } from "./leftover.ts";
import { takeFolder } from "./owner.ts";
import { toParameters } from "./parameters.ts";
import { type Server, startServer } from "./server.ts";
import { openSocketFolder, removeLeftoverSockets, toSocketUrl } from "./sockets.ts";

/** Two files of the write-ahead log: with less a server cannot recover. */
const START_BYTES_MIN = 32 * 1024 * 1024;

export interface EmbeddedPostgres extends AsyncDisposable {
  /** For `pg` and libpq; holds the password. */
  url: string;
  /** Fulfilled when the server does not stay up, however often it is started again; tells why. */
  lost: Promise<PostgresError>;
}

/**
 * Opens the PostgreSQL that lives in `dataDir`, and makes it at the first time. It listens only on a
 * unix socket that this user alone can reach. A server that ends by itself is started again, at the
 * same address. Disposed, it has written everything and ended.
 * Throws FolderInUseError when another process has the folder; `signal` gives the start up.
 */
export async function openEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
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
  const keeper = opened.use(
    await keepServer({
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
    lost: keeper.lost,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
