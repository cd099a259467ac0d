import { type Entry, type Sent, inStore } from "./outbox.ts";

/** How long a form waits for a service that does not answer, once the device keeps the answer. */
const PATIENCE_MS = 4_000;
const ENTRIES_MAX = 100;

/** An answer on its way, by what tells it from others in the outbox. */
export interface OnItsWay {
  identifier: string;
  token: string;
  /** When it was begun, milliseconds since 1970. */
  since: number;
}

/**
 * What became of an answer: "kept" as soon as the service takes too long and the device is seen to keep
 * it. Where the device keeps nothing, only the service can save it, and it is waited for.
 * @throws Error as `posting`
 */
export async function waitFor(posting: Promise<Sent>, one: OnItsWay): Promise<Sent> {
  const isLate = await Promise.race([posting.then(() => false), sleep(PATIENCE_MS)]);
  return isLate && (await isKept(one)) ? "kept" : posting;
}

/** Whether the outbox holds it: ids of entries begin with their time. */
async function isKept({ identifier, token, since }: OnItsWay): Promise<boolean> {
  try {
    const later = IDBKeyRange.lowerBound(since.toString(36));
    const entries: Entry[] = await inStore((store) => store.getAll(later, ENTRIES_MAX));
    return entries.some(({ body }) => {
      const own = body as Partial<OnItsWay>;
      return own.identifier === identifier && own.token === token;
    });
  } catch {
    // Blocked: nothing is kept.
    return false;
  }
}

function sleep(ms: number): Promise<true> {
  return new Promise((resolve) => setTimeout(() => resolve(true), ms));
}
