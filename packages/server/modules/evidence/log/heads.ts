import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type HeadRow, findHead } from "./store.ts";
import { type WitnessedRow, findWitnessed } from "./cosignatures-store.ts";

/** A few seconds after a consent it is in the log. */
const LOG_RETRY_SECONDS = 2;

/**
 * A signed tree as it is shown: its checkpoint with the cosignatures, and the keys of all who signed it.
 * `signed_at` is when the last tree was signed; a witnessed one may be some seconds older.
 */
export type Head = HeadRow;

/** The fault for what has no place in the log yet; `what` begins a sentence. */
export function toWaitingFault(what: string): Fault {
  return new Fault("busy", `${what} waits for its place in the log.`, {
    retryAfterSeconds: LOG_RETRY_SECONDS,
  });
}

/** The last tree, with the cosignatures that it has; undefined before the first. */
export async function findCosignedHead(db: Db): Promise<Head | undefined> {
  const [head, witnessed] = await findBoth(db);
  return head && (witnessed?.size === head.size ? cosign(head, witnessed) : head);
}

/** The newest tree that witnesses cosigned; undefined where none did. */
export async function findWitnessedHead(db: Db): Promise<Head | undefined> {
  const [head, witnessed] = await findBoth(db);
  return head && witnessed && toWitnessed(head, witnessed);
}

/**
 * The tree that leaves up to `last` are proven in: the newest that witnesses cosigned, where it has
 * them, else the last one.
 * @throws Fault busy before the first tree
 */
export async function getHeadWith(db: Db, last: number): Promise<Head> {
  const [head, witnessed] = await findBoth(db);
  if (!head)
    throw new Fault("busy", "The log has no tree yet.", { retryAfterSeconds: LOG_RETRY_SECONDS });
  const isCosigned = witnessed && (last < witnessed.size || witnessed.size === head.size);
  return isCosigned ? toWitnessed(head, witnessed) : head;
}

/** The cosignatures first: a tree of later than the last that is read then cannot be the witnessed one. */
async function findBoth(db: Db): Promise<[HeadRow | undefined, WitnessedRow | undefined]> {
  const witnessed = await findWitnessed(db);
  return [await findHead(db), witnessed];
}

/** Of the last tree its newest signatures count: the log may have signed it again with other keys. */
function toWitnessed(head: HeadRow, witnessed: WitnessedRow): Head {
  const { size, checkpoint, keys } = witnessed;
  return cosign(size === head.size ? head : { ...head, size, checkpoint, keys }, witnessed);
}

function cosign(head: HeadRow, { lines, witnesses }: WitnessedRow): Head {
  const { checkpoint, keys } = head;
  return { ...head, checkpoint: checkpoint + lines.join(""), keys: [...keys, ...witnesses] };
}
