import { execFile } from "node:child_process";
import { readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { FastifyBaseLogger } from "fastify";
import { SOCKET_FOLDER_PREFIX } from "./sockets.ts";
import { StartError } from "../start-error.ts";

const run = promisify(execFile);
const POLL_MS = 10;

/** What to send to a server that should end, and how long each may take. */
const steps = [
  ["SIGINT", 20_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000],
] as const;

/**
 * Stops what a killed service or a killed server left running on the cluster in `folder`, and
 * removes the server's own lock file, whose pid may be another program's by now. To be called only
 * by the owner of the data folder: nobody else may start a server there.
 */
export async function stopLeftover(
  folder: string,
  log: Pick<FastifyBaseLogger, "warn">,
): Promise<void> {
  const pidFile = join(folder, "postmaster.pid");
  const text = await readFile(pidFile, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const [pid, , , , socketFolder = ""] = text.split("\n");
  for (const [signal, limitMs] of steps) {
    const servers = await listServers(folder);
    if (servers.length === 0) break;
    log.warn({ pid: Number(pid), signal }, "stopping a database server that a killed service left");
    // Its workers end by themselves once the server itself is gone.
    const told =
      signal === "SIGKILL" ? servers : servers.filter((server) => server === Number(pid));
    for (const server of told) send(server, signal);
    await waitForEnd(folder, limitMs);
  }
  const left = await listServers(folder);
  if (left.length > 0)
    throw new StartError(`A database server (pid ${left[0]}) does not end; end it first.`);
  if (process.platform === "linux") await rm(pidFile, { force: true });
  if (dirname(socketFolder) === tmpdir() && basename(socketFolder).startsWith(SOCKET_FOLDER_PREFIX))
    await rm(socketFolder, { recursive: true, force: true });
}

async function waitForEnd(folder: string, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  while (performance.now() < until && (await listServers(folder)).length > 0) await delay(POLL_MS);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The pids of PostgreSQL's processes on the cluster: they all have it as their working folder. */
async function listServers(folder: string): Promise<number[]> {
  if (process.platform !== "linux") return listServersByCommand(folder);
  const { dev, ino } = await stat(folder);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = pids.map(async (pid) => {
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (name.trim() !== "postgres") return false;
    const at = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
    return at?.dev === dev && at.ino === ino;
  });
  const isServer = await Promise.all(found);
  return pids.filter((_, index) => isServer[index]).map(Number);
}

async function listServersByCommand(folder: string): Promise<number[]> {
  const { stdout } = await run("ps", ["-axww", "-o", "pid=,command="], {
    maxBuffer: 8 * 1024 * 1024,
  });
  const lines = stdout.split("\n").filter((line) => line.includes(` -D ${folder} `));
  return lines.map((line) => Number.parseInt(line, 10));
}
