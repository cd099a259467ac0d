import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";

import { tellStream } from "./told.ts";
import { told as allTold, rememberSettings } from "./told-run.ts";

const avow = join(import.meta.dirname, "../packages/server/commands/avow.ts");
const RUN_TIMEOUT_MS = 60_000;
const { PATH, NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, NODE_COMPILE_CACHE };

/** What a program came to: its exit status, null where it was killed, and what it wrote. */
export interface Run {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  /** All of its environment but PATH and the compile cache. */
  env?: NodeJS.ProcessEnv;
  /** Where it runs: paths are of there. */
  cwd?: string;
  /** What it may read of standard input. */
  input?: string;
  /** Called with all that it has written whenever it writes more; `interrupt` is Ctrl-C. */
  onTold?: (told: Pick<Run, "out" | "err">, interrupt: () => void) => void;
}

/** Runs `avow` to its end. */
export function runAvow(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return runProgram(avow, args, options);
}

/** Runs a program of ours to its end, a minute at most. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env = {}, cwd, input = "", onTold }: RunOptions = {},
): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    timeout: RUN_TIMEOUT_MS,
  });
  const told = { out: "", err: "" };
  const interrupt = (): void => void (child.killed || child.kill("SIGINT"));
  // What it answers on its output is its user's; what it tells of itself is a log as any other.
  tellStream(allTold, child.stderr.setEncoding("utf8"));
  rememberSettings(env);
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    told.out += chunk;
    onTold?.(told, interrupt);
  });
  child.stderr.on("data", (chunk: string) => {
    told.err += chunk;
    onTold?.(told, interrupt);
  });
  // Who refuses what is too large does not read it to its end.
  child.stdin.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...told };
}

/**
 * Runs `avow` for somebody who reads the first line of its output and no more; the last line of `err` is
 * its exit status.
 */
export async function runAvowForHead(
  args: readonly string[],
  { env = {}, cwd }: Pick<RunOptions, "env" | "cwd"> = {},
): Promise<Omit<Run, "code">> {
  const script = '{ "$@"; echo "status $?" >&2; } | head -n 1';
  const { stdout, stderr } = await promisify(execFile)(
    "sh",
    ["-c", script, "sh", process.execPath, avow, ...args],
    { cwd, env: { ...inherited, ...env }, timeout: RUN_TIMEOUT_MS },
  );
  return { out: stdout, err: stderr };
}

/** The environment of who calls the service at `url`, as somebody with `token`. */
export function toCaller(url: string, token?: string): Record<string, string> {
  return { AVOW_URL: url, ...(token === undefined ? {} : { AVOW_TOKEN: token }) };
}
