import assert from "node:assert/strict";
import type { Probe } from "./probe.ts";

/** More than these say no more about what is wrong. */
const FAILURES_MAX = 10;

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
