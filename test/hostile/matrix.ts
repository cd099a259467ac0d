import assert from "node:assert/strict";
import type { Probe } from "./probe.ts";

/** Maximum number of failed operations in one report. */
const FAILURES_MAX = 10;

interface Operation {
  operationId: string;
}
type Check<T> = (operation: T, turn: number) => Promise<void>;

/** Runs one check on every operation, and fails with the operations that do not pass it. */
export async function checkEach<T extends Operation>(
  operations: readonly T[],
  check: Check<T>,
): Promise<void> {
  failWith(await listFailures(operations, check));
}

/** Checks operations that all reject; nothing may have been written after them. */
export async function checkRefusals<T extends Operation>(
  probe: Probe,
  operations: readonly T[],
  check: Check<T>,
): Promise<void> {
  const failures = await listFailures(operations, check);
  await probe.assertNothingWritten().catch((error: unknown) => failures.push(String(error)));
  failWith(failures);
}

async function listFailures<T extends Operation>(
  operations: readonly T[],
  check: Check<T>,
): Promise<string[]> {
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
  return failures;
}

function failWith(failures: readonly string[]): void {
  if (failures.length > 0) assert.fail(failures.join("\n\n"));
}
