import assert from "node:assert/strict";
import type { Probe } from "./probe.ts";

/** More than these say no more about what is wrong. */
const FAILURES_MAX = 10;
/** An operation is sent one in three of the values of a matrix; a campaign, which sets HOSTILE_RUNS, sends all. */
const SHARE = process.env["HOSTILE_RUNS"] === undefined ? 3 : 1;

/** Runs one check on every operation, and fails with the operations that do not pass it. */
export async function checkEach<T extends { operationId: string }>(
  operations: readonly T[],
  check: (operation: T, turn: number) => Promise<void>,
): Promise<void> {
  assert.ok(operations.length > 0, "there is no operation to check");
  const failures: string[] = [];
  for (const [turn, operation] of operations.entries()) {
    try {
      await check(operation, turn);
    } catch (error) {
      failures.push(`${operation.operationId}: ${String(error)}`);
    }
    if (failures.length === FAILURES_MAX) break;
  }
  if (failures.length > 0) assert.fail(failures.join("\n\n"));
}

/** Checks operations that all refuse, after which nothing has been written. */
export async function checkRefusals<T extends { operationId: string }>(
  probe: Probe,
  ...[operations, check]: Parameters<typeof checkEach<T>>
): Promise<void> {
  await checkEach(operations, check);
  await probe.assertNothingWritten();
}

/** The values that an operation is sent: other ones for the next, all of them in a campaign. */
export function takeShare<T>(values: readonly T[], turn: number): T[] {
  return values.filter((_, n) => (n + turn) % SHARE === 0);
}
