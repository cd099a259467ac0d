import { type ChildProcess, spawn } from "node:child_process";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Binaries, childEnvironment } from "./binaries.ts";
import { PostgresError } from "./errors.ts";

const LOG_BYTES_MAX = 1024 * 1024;
const TAIL_BYTES_MAX = 4_096;
const POLL_MS = 10;
/** Includes crash recovery, which replays the write-ahead log. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 20_000;
const QUIT_TIMEOUT_MS = 5_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Server extends AsyncDisposable {
  pid: number;
  exited: Promise<Exit>;
}

interface StartOptions {
  binaries: Binaries;
  folder: string;
  logFile: string;
  /** Server parameters, which override the cluster's configuration file. */
  parameters: Record<string, string>;
  signal: AbortSignal | undefined;
}

/** Starts PostgreSQL and waits until it accepts connections. The error of a failed start has the end of its log. */
export async function startServer(options: StartOptions): Promise<Server> {
  const { binaries, folder, logFile } = options;
  const offset = await rotateLog(logFile);
  const child = await spawnServer(binaries, folder, options.parameters, logFile);
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const server = {
    pid: child.pid ?? 0,
    exited,
    [Symbol.asyncDispose]: () => stopServer(child, exited),
  };
  stopWithProcess(child, exited);
  try {
    await waitUntilReady(server, folder, options.signal);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    options.signal?.throwIfAborted();
    const tail = await readTail(logFile, offset);
    throw new PostgresError(
      `The embedded PostgreSQL did not start. Its log ${logFile} ends with:\n${tail}`,
      {
        cause: error,
      },
    );
  }
}

/** Uses a session of its own, so that Ctrl-C in a terminal signals only the service, which stops the server last. */
async function spawnServer(
  binaries: Binaries,
  folder: string,
  parameters: Record<string, string>,
  logFile: string,
): Promise<ChildProcess> {
  const set = Object.entries(parameters).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [file = "", ...args] = [...binaries.prefix, binaries.postgres, "-D", folder, ...set];
  await using log = await open(logFile, "a", 0o600);
  const child = spawn(file, args, {
    detached: true,
    env: childEnvironment,
    stdio: ["ignore", log.fd, log.fd],
  });
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  return child;
}

async function waitUntilReady(server: Server, folder: string, signal?: AbortSignal): Promise<void> {
  const ended = server.exited.then(() => true);
  const until = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < until) {
    if (await Promise.race([ended, delay(POLL_MS, false)])) throw new Error("PostgreSQL ended");
    signal?.throwIfAborted();
    const lines = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
    // The eighth line is the server's state, as pg_ctl reads it.
    const [pid, , , , , , , state] = lines.split("\n");
    if (Number(pid) === server.pid && state?.trim() === "ready") return;
  }
  throw new Error(`PostgreSQL was not ready after ${START_TIMEOUT_MS} ms`);
}

/** Shuts down fast, with a checkpoint; after a timeout the server is killed, and recovers at the next start. */
async function stopServer(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  const steps = [
    ["SIGINT", STOP_TIMEOUT_MS],
    ["SIGQUIT", QUIT_TIMEOUT_MS],
    ["SIGKILL", QUIT_TIMEOUT_MS],
  ] as const;
  for (const [signal, limitMs] of steps) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = new AbortController();
    await Promise.race([
      exited,
      delay(limitMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }
}

/** Signals the server when this process exits in any way but SIGKILL. */
function stopWithProcess(child: ChildProcess, exited: Promise<Exit>): void {
  const stop = (): void => void child.kill("SIGINT");
  process.once("exit", stop);
  void exited.then(() => process.off("exit", stop));
}

/** Keeps one earlier log; returns the size of the current one. */
async function rotateLog(file: string): Promise<number> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size < LOG_BYTES_MAX) return size;
  await rm(`${file}.1`, { force: true });
  await rename(file, `${file}.1`);
  return 0;
}

async function readTail(file: string, offset: number): Promise<string> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const from = Math.max(offset, size - TAIL_BYTES_MAX);
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(TAIL_BYTES_MAX),
    0,
    TAIL_BYTES_MAX,
    from,
  );
  return buffer.toString("utf8", 0, bytesRead).trim();
}
