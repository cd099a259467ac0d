import type { Kysely, Transaction } from "kysely";
import { codeOf } from "../errors.ts";

const ATTEMPTS_MAX = 4;
/** Serialization failure and deadlock: the transaction was rolled back and can be retried. */
const retryable = new Set(["40001", "40P01"]);

/** Runs `work` in one transaction of a plane, with up to three retries after a serialization failure or a deadlock. */
export async function inTransaction<Plane, T>(
  db: Kysely<Plane>,
  work: (tx: Transaction<Plane>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !retryable.has(codeOf(error))) throw error;
    }
  }
}
