import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toReasonOf } from "../../instance/requests.ts";

/** What a benchmark gets: a folder of its own, and a stack for what it opens. */
export interface Bench {
  folder: string;
  opened: AsyncDisposableStack;
}

/**
 * Runs a benchmark and answers the exit status. What it opened is closed and its folder removed at
 * its end, at an error, at a signal, and when the launcher is gone.
 */
export async function runBench(bench: (given: Bench) => Promise<number>): Promise<number> {
  await using opened = new AsyncDisposableStack();
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping ??= opened.disposeAsync().then(() => process.exit(130));
  };
  for (const name of ["SIGINT", "SIGTERM", "disconnect"]) process.once(name, stop);
  process.channel?.unref();
  try {
    const folder = await mkdtemp(join(tmpdir(), "avow-bench-"));
    opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    return await bench({ folder, opened });
  } catch (error) {
    // What is being closed fails; that is no news.
    if (stopping) await stopping;
    console.error(toReasonOf(error));
    return 1;
  }
}
