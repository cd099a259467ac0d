import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../../platform/errors.ts";
import type { Importing } from "./imports.ts";
import type { ImportRow } from "./store.ts";

const POLL_MS = 1_000;
const WAIT_MS_MAX = 10 * 60_000;

const retryAdvice =
  "Records imported so far are kept and not imported twice. Import the file again when there is space, or in smaller parts.";
const ownFile = `The import failed because the disk is nearly full, mostly with the file itself, which was removed. ${retryAdvice}`;
const tooLong = `The import failed because the disk is nearly full and no space was freed in time. Ask the operator of the service to free some. ${retryAdvice}`;

/**
 * Waits while the disks have no spare bytes, since visitors need the rest; false when aborted. An
 * import whose own file fills the disk fails at once, any other after `waitMs`.
 * @throws Fault impossible, with advice
 */
export async function waitForSpace(
  {
    diskSpace,
    files,
  }: {
    diskSpace: Pick<Importing["diskSpace"], "spareBytes">;
    files: Pick<Importing["files"], "readSpareBytes">;
  },
  { size }: Pick<ImportRow, "size">,
  signal: AbortSignal,
  { waitMs = WAIT_MS_MAX, pollMs = POLL_MS } = {},
): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (!signal.aborted) {
    const spareBytes = await files.readSpareBytes();
    if (spareBytes >= 0 && diskSpace.spareBytes() >= 0) return true;
    if (spareBytes < 0 && spareBytes + size >= 0) throw new Fault("impossible", ownFile);
    if (performance.now() >= until) throw new Fault("impossible", tooLong);
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
