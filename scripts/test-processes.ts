import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

const RUN_TIMEOUT_MS = 30 * 60_000;

/**
 * Runs a process of tests for each list of arguments, `atOnce` of them at a time. What one prints is
 * seen when it has ended, and what failed at the end; the only one there is, at once. Signals reach
 * those that run, and no other starts then. Answers the exit status.
 */
export async function runTests(
  lists: readonly string[][],
  { atOnce }: { atOnce: number },
): Promise<number> {
  const running = openRunning();
  const [only, ...more] = lists;
  if (only && more.length === 0) return running.runOne(only, "inherit");
  const folder = await mkdtemp(join(tmpdir(), "avow-tests-"));
  const waiting = lists.entries();
  const failed: { status: number; file: string }[] = [];
  const work = async (): Promise<void> => {
    for (const [index, args] of waiting) {
      if (running.isStopped()) return;
      const file = join(folder, String(index));
      await using output = await open(file, "w");
      const status = await running.runOne(args, ["ignore", output.fd, output.fd]);
      if (status !== 0) failed.push({ status, file });
      else process.stdout.write(await readFile(file));
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
    for (const { file } of failed) process.stdout.write(await readFile(file));
    return failed[0]?.status ?? 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens what runs processes and tells them of this one's signals. */
function openRunning() {
  const children = new Set<ChildProcess>();
  let stoppedBy: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    stoppedBy = signal;
    for (const child of children) child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  return {
    isStopped: () => stoppedBy !== undefined,
    /** Runs one to its end; answers its exit status, 128 + n after a signal. */
    async runOne(args: readonly string[], stdio: StdioOptions): Promise<number> {
      // As if the terminal were its own.
      const env = process.stdout.isTTY ? { FORCE_COLOR: "1", ...process.env } : process.env;
      const child = spawn(process.execPath, args, { env, stdio });
      children.add(child);
      const timer = setTimeout(() => {
        console.error(`The tests did not end within ${RUN_TIMEOUT_MS / 60_000} minutes.`);
        child.kill("SIGTERM");
      }, RUN_TIMEOUT_MS);
      const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
      clearTimeout(timer);
      children.delete(child);
      return code ?? 128 + (signal ? constants.signals[signal] : 0);
    },
  };
}
