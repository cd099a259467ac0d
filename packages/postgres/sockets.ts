import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the file name `/.s.PGSQL.5433` included. */
const FOLDER_BYTES_MAX = 86;
/** The number in the socket's name; no TCP port. Differs from PostgreSQL's default to avoid confusion. */
export const SOCKET_NUMBER = "5433";
const SOCKET_FOLDER_PREFIX = "avow-socket-";

export interface SocketFolder extends AsyncDisposable {
  path: string;
  /** Removes the socket of a killed server, so that the next one can use its address. */
  clear(): Promise<void>;
}

/**
 * Opens an empty folder that only this user can enter, with a path short enough for a unix socket. Removes the
 * socket and the lock file of a killed server.
 */
export async function openSocketFolder(dataDir: string): Promise<SocketFolder> {
  const beside = join(dataDir, "run");
  if (Buffer.byteLength(beside) <= FOLDER_BYTES_MAX) {
    await rm(beside, { recursive: true, force: true });
    await mkdir(beside, { recursive: true, mode: 0o700 });
    return { ...toFolder(beside), [Symbol.asyncDispose]: async () => undefined };
  }
  const path = await mkdtemp(join(tmpdir(), SOCKET_FOLDER_PREFIX));
  return {
    ...toFolder(path),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

function toFolder(path: string): Pick<SocketFolder, "path" | "clear"> {
  const clear = async (): Promise<void> => {
    for (const name of await readdir(path)) await rm(join(path, name), { force: true });
  };
  return { path, clear };
}

/** Removes socket folders that a killed service left outside its data folder. */
export async function removeLeftoverSockets(path: string): Promise<void> {
  const isOurs = dirname(path) === tmpdir() && basename(path).startsWith(SOCKET_FOLDER_PREFIX);
  if (isOurs) await rm(path, { recursive: true, force: true });
}

/** The URL of the service's database behind a socket; complete, so that PGPORT does not apply. */
export function toSocketUrl(folder: string, password: string): string {
  const host = encodeURIComponent(folder);
  return `postgresql://avow:${password}@localhost:${SOCKET_NUMBER}/avow?host=${host}&sslmode=disable`;
}
