import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { toSocketUrl } from "./sockets.ts";

/**
 * The URL of the database server that a running service keeps in `dataDir`, for another program of the same user.
 * The server's lock file names its socket. Undefined if none is ready.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, "postgres");
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
  // PostgreSQL's pidfile.h: the fifth line is the socket's folder, the eighth the state.
  const [, , , , socketFolder, , , state] = text.split("\n");
  if (!socketFolder || state?.trim() !== "ready") return undefined;
  const password = (await readFile(join(folder, "avow.password"), "utf8")).trim();
  return toSocketUrl(socketFolder, password);
}
