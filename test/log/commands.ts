import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const program = join(import.meta.dirname, "..", "..", "cli", "main.ts");
const RUN_TIMEOUT_MS = 60_000;

export interface Run {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `avow` to its end, with `env` and nothing else of the environment but PATH. */
export async function runAvow(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_TIMEOUT_MS,
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}
