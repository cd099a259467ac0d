import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { recordStream } from "../../log-leaks.ts";
import { rememberKeys, rememberSettings, runLog } from "../../run-log.ts";

const root = join(import.meta.dirname, "../../..");
const WAIT_MS_MAX = 240_000;
const OUTPUT_CHARS_MAX = 1_000_000;

/** The exit of a process, and all its output. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

export interface ServiceProcess {
  pid: number;
  /** Fulfilled when the process has exited, by itself or by a signal. */
  ended: Promise<End>;
  /** The output so far. */
  output(): string;
  /**
   * The address on which it listens, once it answers; links have that of PUBLIC_URL. Throws with the output when the process
   * exits before.
   */
  address(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

/** A data folder for one test; processes that still use it at the end are killed. */
export async function openDataFolder(t: TestContext, ...deeper: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-lifecycle-"));
  t.after(async () => {
    for (const pid of await listProcesses(folder)) killIfThere(pid);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return join(folder, ...deeper);
}

/** Kills a process, unless it has exited by itself. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** All sign-ups of the tests come from one address. */
const usual = { PORT: "0", LOG_FORMAT: "json", SIGNUPS_PER_HOUR_MAX: "1000000" };

/** Starts the service as users do, on a free port; `command` replaces the program and its arguments. */
export function startService(
  dataDir: string,
  env: Record<string, string> = {},
  command: string[] = [process.execPath, "packages/server/main.ts"],
): ServiceProcess {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const [program = "", ...args] = command;
  rememberSettings(env);
  const child = spawn(program, args, {
    cwd: root,
    env: { ...inherited, ...usual, DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARS_MAX);
    });
    recordStream(runLog, stream);
  }
  const ended = waitForEnd(child, () => output).then(async (end) => {
    await rememberKeys(dataDir);
    return end;
  });
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => output,
    address: () => waitForAddress(ended, () => output),
    kill: (signal) => void child.kill(signal),
  };
}

function waitForEnd(child: ChildProcess, output: () => string): Promise<End> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, output: output() }));
  });
}

async function waitForAddress(ended: Promise<End>, output: () => string): Promise<string> {
  let end: End | undefined;
  void ended.then((found) => (end = found));
  return waitFor("the service to answer", async () => {
    if (end) throw new Error(`the service ended: ${JSON.stringify(end)}`);
    return /"address":"([^"]+)"/.exec(output())?.[1];
  });
}

/** Polls until `find` returns a value, for at most four minutes. */
export async function waitFor<T>(
  what: string,
  find: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const until = performance.now() + WAIT_MS_MAX;
  while (performance.now() < until) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(5);
  }
  throw new Error(`waited too long for ${what}`);
}

/** The pids of the processes that have `folder` in their command line, environment or working directory. */
export async function listProcesses(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (Number(pid) === process.pid) return false;
      const places = ["cmdline", "environ"].map((name) =>
        readFile(join("/proc", pid, name), "utf8").catch(() => ""),
      );
      const at = readlink(join("/proc", pid, "cwd")).catch(() => "");
      return (await Promise.all([...places, at])).some((text) => text.includes(folder));
    }),
  );
  return pids.filter((_, index) => found[index]).map(Number);
}

/** The pid of the embedded server's main process. */
export async function readServerPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  return Number(text.split("\n", 1)[0]);
}
