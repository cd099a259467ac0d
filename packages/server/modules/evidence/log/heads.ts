import type { DataDb } from "../../../platform/db/db.ts";
import { Pending } from "../../../platform/errors.ts";
import { type HeadRow, findHead } from "./store.ts";
import { type WitnessedRow, findWitnessed } from "./cosignatures-store.ts";

/** `Retry-After` of an entry that is not in the log yet; sequencing takes about a second. */
const LOG_RETRY_SECONDS = 2;

/**
 * A signed tree with its cosignatures: `checkpoint` ends with them, and `keys` has the witnesses' keys too.
 * `signed_at` is when the latest tree was signed; a cosigned one may be some seconds older.
 */
export type Head = HeadRow;

/** Thrown for an entry that is not sequenced yet; `what` begins the sentence. */
export function toPending(what: string): Pending {
  return new Pending(`${what} is not in the log yet. Retry in a few seconds.`, LOG_RETRY_SECONDS);
}

/** The latest tree, with its cosignatures if any; undefined before the first. */
export async function findCosignedHead(db: DataDb): Promise<Head | undefined> {
  const [head, witnessed] = await findBoth(db);
  return head && (witnessed?.size === head.size ? cosign(head, witnessed) : head);
}

/** The newest cosigned tree; undefined if there is none. */
export async function findWitnessedHead(db: DataDb): Promise<Head | undefined> {
  const [head, witnessed] = await findBoth(db);
  return head && witnessed && toWitnessed(head, witnessed);
}

/**
 * The tree to prove leaves up to `last` in: the newest cosigned one if it has them, else the latest.
 * @throws Pending before the first tree
 */
export async function getHeadWith(db: DataDb, last: number): Promise<Head> {
  const [head, witnessed] = await findBoth(db);
  if (!head)
    throw new Pending("The log has no checkpoint yet. Retry in a few seconds.", LOG_RETRY_SECONDS);
  const isCosigned = witnessed && (last < witnessed.size || witnessed.size === head.size);
  return isCosigned ? toWitnessed(head, witnessed) : head;
}

/** Reads the cosigned tree first, so that it cannot be newer than the latest tree, which is read after it. */
async function findBoth(db: DataDb): Promise<[HeadRow | undefined, WitnessedRow | undefined]> {
  const witnessed = await findWitnessed(db);
  return [await findHead(db), witnessed];
}

/** The latest tree keeps its newest signatures: the log may have signed it again with other keys. */
function toWitnessed(head: HeadRow, witnessed: WitnessedRow): Head {
  const { size, checkpoint, keys } = witnessed;
  return cosign(size === head.size ? head : { ...head, size, checkpoint, keys }, witnessed);
}

function cosign(head: HeadRow, { lines, witnesses }: WitnessedRow): Head {
  const { checkpoint, keys } = head;
  return { ...head, checkpoint: checkpoint + lines.join(""), keys: [...keys, ...witnesses] };
}
