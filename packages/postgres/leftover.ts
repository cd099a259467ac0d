import { execFile } from "node:child_process";
import { readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Log } from "./log.ts";
import { PostgresError } from "./errors.ts";

const run = promisify(execFile);
const POLL_MS = 10;

/** Signals that stop a server, each with a timeout. */
const steps = [
  ["SIGINT", 20_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000],
] as const;

/**
 * Stops processes that a killed service or server left on the cluster in `folder`, and removes the server's lock
 * file, whose pid may be another program's by now. Only the owner of the data folder may call it. Returns the folder
 * of the leftover socket, if any.
 */
export async function stopLeftover(folder: string, log: Log): Promise<string | undefined> {
  const pidFile = join(folder, "postmaster.pid");
  const text = await readFile(pidFile, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, , , , socketFolder] = text.split("\n");
  const head = Number(pid);
  for (const [signal, limitMs] of steps) {
    const servers = await listServers(folder);
    if (servers.length === 0) break;
    const isHeadless = !servers.includes(head);
    // Without a server, its workers have nothing to finish.
    if (isHeadless && signal === "SIGINT") continue;
    log.warn({ pid: head, signal }, "stopping a database server that was left running");
    const targets = isHeadless || signal === "SIGKILL" ? servers : [head];
    for (const server of targets) send(server, signal);
    await waitForEnd(folder, limitMs);
  }
  const left = await listServers(folder);
  if (left.length > 0)
    throw new PostgresError(`A database server (pid ${left[0]}) does not end; end it first.`);
  if (process.platform === "linux") await rm(pidFile, { force: true });
  return socketFolder;
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

/** The pids of PostgreSQL's processes on the cluster, which is their working directory. */
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
