import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";

const RUN_TIMEOUT_MS = 30 * 60_000;
/** What the reporter begins its list of failures with. */
const FAILURES = "✖ failing tests:";

/**
 * Runs a process of tests for each list of arguments, all at the same time. What the first tells is
 * seen at once, what the others do as they end, and what failed is listed at the end. Answers the exit
 * status.
 */
export async function runTests(lists: readonly string[][]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "avow-tests-"));
  try {
    const files = lists.map((_, index) => join(folder, String(index)));
    const [first, ...others] = lists.map(async (args, index) => {
      const file = files[index] ?? "";
      return { file, status: await runOne(args, file, index === 0) };
    });
    if (!first) return 0;
    const { file, status } = await first;
    const ended = (await Promise.all(others)).toSorted((a, b) => a.status - b.status);
    for (const other of ended) process.stdout.write(await readFile(other.file));
    if (status === 0 || ended.length === 0) return ended.at(-1)?.status || status;
    const told = await readFile(file, "utf8");
    process.stdout.write(`\n${told.slice(Math.max(0, told.lastIndexOf(FAILURES)))}`);
    return status;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs one; what it prints is kept in `file`, and seen where `isSeen`. Answers its exit status, 128 + n after a signal. */
async function runOne(args: readonly string[], file: string, isSeen: boolean): Promise<number> {
  // As if the terminal were its own.
  const env = process.stdout.isTTY ? { FORCE_COLOR: "1", ...process.env } : process.env;
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const kept = createWriteStream(file);
  for (const output of [child.stdout, child.stderr]) {
    output.pipe(kept, { end: false });
    if (isSeen) output.pipe(process.stdout, { end: false });
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => child.kill(signal));
  const timer = setTimeout(() => {
    console.error(`The tests did not end within ${RUN_TIMEOUT_MS / 60_000} minutes.`);
    child.kill("SIGTERM");
  }, RUN_TIMEOUT_MS);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  kept.end();
  await finished(kept);
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}
