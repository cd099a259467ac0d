import type { Db } from "../platform/db/db.ts";
import { openNumberCipher } from "../platform/crypto/number-cipher.ts";
import { getPlainCounters } from "./counters-store.ts";

/**
 * A number that counts the whole service, as clients get it in ids and cursors: encrypted, so that it reveals nothing
 * about other customers. Numbers that clients had before an upgrade to encrypted ones stay as they are.
 */
interface Counter {
  toText(value: number): string;
  /** The number of a text; undefined for any text that `toText` did not return. */
  parse(text: string): number | undefined;
}

export interface Counters {
  /** Ids of audit events. */
  events: Counter;
  /** Positions in the list of events that webhooks receive. */
  positions: Counter;
  /** Ids of webhook deliveries. */
  deliveries: Counter;
  /** Leaves of the log, as positions in the list of events. */
  leaves: Counter;
}

export async function openCounters(db: Db, secret: Buffer): Promise<Counters> {
  const plain = await getPlainCounters(db);
  return {
    events: openCounter(secret, "event ids", plain.event_id),
    positions: openCounter(secret, "event positions", plain.position),
    deliveries: openCounter(secret, "delivery ids", plain.delivery_id),
    leaves: openCounter(secret, "leaves", plain.leaf),
  };
}

function openCounter(secret: Buffer, purpose: string, plainMax: number): Counter {
  const cipher = openNumberCipher(secret, purpose);
  return {
    toText: (value) => (value <= plainMax ? String(value) : cipher.encrypt(value)),
    parse(text) {
      if (!/^\d{1,15}$/.test(text)) return cipher.decrypt(text);
      // Larger numbers would reveal by trial how far the counter is.
      return Number(text) <= plainMax ? Number(text) : undefined;
    },
  };
}
