import type { SendResult } from "../core/sending/outbox.ts";
import { listKept } from "./browser.ts";

/** Timeout of the service's response, if the device keeps the answer. */
const SEND_TIMEOUT_MS = 4_000;

/** Identifies an answer in the outbox. */
export interface SentAnswer {
  identifier: string;
  token: string;
  /** The start of sending, milliseconds since 1970. */
  since: number;
}

/**
 * Waits for an answer to be sent: "kept" after the timeout if the outbox has it. Otherwise only the service can save it, so
 * it waits for the response.
 * @throws Error as `posting`
 */
export async function waitFor(posting: Promise<SendResult>, one: SentAnswer): Promise<SendResult> {
  const isLate = await Promise.race([posting.then(() => false), sleep(SEND_TIMEOUT_MS)]);
  return isLate && (await isKept(one)) ? "kept" : posting;
}

/** Whether the outbox has the answer. Ids of entries begin with their time. */
async function isKept({ identifier, token, since }: SentAnswer): Promise<boolean> {
  try {
    const later = IDBKeyRange.lowerBound(since.toString(36));
    const entries = await listKept(later);
    return entries.some(({ body }) => {
      const own = body as Partial<SentAnswer>;
      return own.identifier === identifier && own.token === token;
    });
  } catch {
    // IndexedDB is blocked.
    return false;
  }
}

function sleep(ms: number): Promise<true> {
  return new Promise((resolve) => setTimeout(() => resolve(true), ms));
}
