import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toReasonOf } from "../../instance/requests.ts";

/** The context of a benchmark: its own folder, and a stack of its resources. */
export interface Bench {
  folder: string;
  opened: AsyncDisposableStack;
}

/**
 * Runs a benchmark and returns the exit status. Closes its resources and removes its folder at the end, after an error, on a
 * signal, and when the launcher has exited.
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
    // Errors of closing resources are expected.
    if (stopping) await stopping;
    console.error(toReasonOf(error));
    return 1;
  }
}
