import { codeOf } from "../errors.ts";
import type { Db, Tx } from "./db.ts";

const ATTEMPTS_MAX = 4;
/** Serialization failure and deadlock: the transaction was rolled back and may be run again. */
const repeatable = new Set(["40001", "40P01"]);

/** Runs `work` in one transaction; again, up to three times, when PostgreSQL gave it up for a deadlock. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !repeatable.has(codeOf(error))) throw error;
    }
  }
}
