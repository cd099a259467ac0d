import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { findWaitSeconds } from "./limits/store.ts";

/** The refusal of what was counted too often under a key, in words that say for how many seconds to wait. */
export async function toRefusal(
  db: Db,
  key: Buffer,
  { now, say }: { now: Date; say: (seconds: number) => string },
): Promise<Fault> {
  const retryAfterSeconds = await findWaitSeconds(db, key, now);
  return new Fault("too-many", say(retryAfterSeconds), { retryAfterSeconds });
}
