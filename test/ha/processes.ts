// Processes of the kit: each with a log file, ended by its process id.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile, readdir, readlink } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 50;
const RESTART_MS = 500;

/** PostgreSQL and PgBouncer refuse to run as root: their user is another one inside of a user namespace. */
export const anotherUser =
  process.getuid?.() === 0
    ? ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
    : [];

/** A program that can be started again after it ended. */
export interface Program {
  start(): void;
  /** The running process; undefined before the start and after the end. */
  readonly child: ChildProcess | undefined;
  /** Does not start the program again when it ends. */
  release(): void;
  /** Sends a signal to the process and waits for its end. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

interface ProgramOptions {
  /** Gets all output. */
  logFile: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Starts the program again when it ends by itself or by a foreign signal, as systemd does. */
  isKept?: boolean;
}

/** Describes a program, which is started later. */
export function toProgram(
  command: readonly string[],
  { logFile, env = process.env, cwd, isKept = false }: ProgramOptions,
): Program {
  let child: ChildProcess | undefined;
  let isWanted = false;
  const program: Program = {
    get child() {
      return child;
    },
    start() {
      const log = openSync(logFile, "a");
      const [name = "", ...args] = command;
      isWanted = true;
      // A process group of its own, so that Ctrl-C reaches the kit only, which ends all in order.
      const stdio = ["ignore", log, log] as const;
      const started = spawn(name, args, { env, cwd, stdio: [...stdio], detached: true });
      closeSync(log);
      started.once("error", (error) => process.stderr.write(`${name}: ${error.message}\n`));
      started.once("exit", () => {
        if (child === started) child = undefined;
        if (isKept) setTimeout(() => isWanted && !child && program.start(), RESTART_MS);
      });
      child = started;
    },
    release() {
      isWanted = false;
    },
    async stop(signal) {
      program.release();
      const running = child;
      if (!running) return;
      const ended = once(running, "exit");
      running.kill(signal);
      await ended;
    },
  };
  return program;
}

/** The process, its descendants, and all processes that work in `folder`, as the children of a killed parent. */
async function listFamily(pid: number | undefined, folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map<number, number>();
  const family = new Set<number>(pid === undefined ? [] : [pid]);
  for (const one of pids) {
    const stat = await readFile(`/proc/${one}/stat`, "utf8").catch(() => "");
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    parents.set(one, Number(parent));
    const place = await readlink(`/proc/${one}/cwd`).catch(() => "");
    if (place === folder || place.startsWith(`${folder}/`)) family.add(one);
  }
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const [one, parent] of parents) if (family.has(parent)) family.add(one);
  }
  return [...family];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Sends a signal to a program and all processes that belong to it. */
export async function signalFamily(
  program: Program,
  folder: string,
  signal: NodeJS.Signals,
): Promise<void> {
  for (const pid of await listFamily(program.child?.pid, folder)) send(pid, signal);
}

/** Kills a program and all processes that belong to it, and waits for their end. */
export async function killFamily(program: Program, folder: string): Promise<void> {
  program.release();
  for (;;) {
    const pids = await listFamily(program.child?.pid, folder);
    if (pids.length === 0) return;
    for (const pid of pids) send(pid, "SIGKILL");
    await delay(POLL_MS);
  }
}

/** Polls until `find` returns a value. Throws after `waitMs`, and when `signal` is aborted. */
export async function waitFor<T>(
  what: string,
  find: () => Promise<T | undefined>,
  { waitMs = 120_000, signal }: { waitMs?: number; signal?: AbortSignal } = {},
): Promise<T> {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    signal?.throwIfAborted();
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
    await delay(POLL_MS * 2);
  }
  throw new Error(`Timed out after ${waitMs / 1_000} s while waiting for ${what}.`);
}
