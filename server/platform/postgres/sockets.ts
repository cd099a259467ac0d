import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the file name `/.s.PGSQL.5433` included. */
const FOLDER_BYTES_MAX = 86;
/** The number in the socket's name, and of no TCP port. Not PostgreSQL's own, so that nobody takes it for one. */
export const SOCKET_NUMBER = "5433";
export const SOCKET_FOLDER_PREFIX = "avow-socket-";

export interface SocketFolder extends AsyncDisposable {
  path: string;
}

/**
 * An empty folder that only this user can enter, with a path short enough for a unix socket in it.
 * A killed server's socket and its lock file, whose pid may be another program's by now, are removed.
 */
export async function openSocketFolder(dataDir: string): Promise<SocketFolder> {
  const beside = join(dataDir, "run");
  if (Buffer.byteLength(beside) <= FOLDER_BYTES_MAX) {
    await rm(beside, { recursive: true, force: true });
    await mkdir(beside, { recursive: true, mode: 0o700 });
    return { path: beside, [Symbol.asyncDispose]: async () => undefined };
  }
  const path = await mkdtemp(join(tmpdir(), SOCKET_FOLDER_PREFIX));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** The address of the service's database behind a socket; complete, so that no PGPORT changes it. */
export function toSocketUrl(folder: string, password: string): string {
  const host = encodeURIComponent(folder);
  return `postgresql://avow:${password}@localhost:${SOCKET_NUMBER}/avow?host=${host}&sslmode=disable`;
}
