import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";

import { recordStream } from "./log-leaks.ts";
import { runLog, rememberSettings } from "./run-log.ts";

const avow = join(import.meta.dirname, "../packages/server/commands/avow.ts");
const RUN_TIMEOUT_MS = 300_000;
const { PATH, NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, NODE_COMPILE_CACHE };

/** The result of a program: its exit status, null if it was killed, and its output. */
export interface ProgramResult {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  /** The whole environment except PATH and the compile cache. */
  env?: NodeJS.ProcessEnv;
  /** Working directory, which relative paths refer to. */
  cwd?: string;
  /** Standard input. */
  input?: string;
  /** Called with all output so far whenever there is more; `interrupt` sends Ctrl-C. */
  onOutput?: (output: Pick<ProgramResult, "out" | "err">, interrupt: () => void) => void;
}

/** Runs `avow` to its end. */
export function runAvow(args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
  return runProgram(avow, args, options);
}

/** Runs a program of this repository to its end, five minutes at most. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env = {}, cwd, input = "", onOutput }: RunOptions = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    timeout: RUN_TIMEOUT_MS,
  });
  const output = { out: "", err: "" };
  const interrupt = (): void => void (child.killed || child.kill("SIGINT"));
  // Standard output is for the user; standard error is a log like any other.
  recordStream(runLog, child.stderr.setEncoding("utf8"));
  rememberSettings(env);
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output.out += chunk;
    onOutput?.(output, interrupt);
  });
  child.stderr.on("data", (chunk: string) => {
    output.err += chunk;
    onOutput?.(output, interrupt);
  });
  // A program that rejects long input does not read it to its end.
  child.stdin.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

/**
 * Runs `avow` for a reader that closes its output after the first line; the last line of `err` is its exit
 * status.
 */
export async function runAvowForHead(
  args: readonly string[],
  { env = {}, cwd }: Pick<RunOptions, "env" | "cwd"> = {},
): Promise<Omit<ProgramResult, "code">> {
  const script = '{ "$@"; echo "status $?" >&2; } | head -n 1';
  const { stdout, stderr } = await promisify(execFile)(
    "sh",
    ["-c", script, "sh", process.execPath, avow, ...args],
    { cwd, env: { ...inherited, ...env }, timeout: RUN_TIMEOUT_MS },
  );
  return { out: stdout, err: stderr };
}

/** The environment of a caller of the service at `url`, with `token`. */
export function toCaller(url: string, token?: string): Record<string, string> {
  return { AVOW_URL: url, ...(token === undefined ? {} : { AVOW_TOKEN: token }) };
}
