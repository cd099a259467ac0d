import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

/** A vault document's id: 24 lower-case hexadecimal characters (wire section 0). */
export const documentIdPattern = /^[0-9a-f]{24}$/;

/** A UUID of any version in its canonical, lower-case form (RFC 9562 section 4). */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Makes a document id: 8 hexadecimal characters of seconds since 1970, then 16 random ones
 * (wire section 0). Ids of different seconds sort by time; within one second they do not.
 */
export function newDocumentId(now: Date): string {
  const seconds = Math.max(0, Math.floor(now.getTime() / 1000)) % 2 ** 32;
  return seconds.toString(16).padStart(8, "0") + randomBytes(8).toString("hex");
}

/** Makes the next consent id; see `openConsentIds`. */
export type NewConsentId = (now: Date) => string;

/**
 * Opens a source of consent ids: UUID version 7 (RFC 9562 section 5.7), strictly increasing for
 * the life of the source, also within one millisecond and when the clock goes back. A service
 * makes one source and hands it down.
 *
 * `uuid` keeps its own sequence only when it reads the clock itself, so the sequence (32 bits
 * after the milliseconds) is kept here.
 */
export function openConsentIds(): NewConsentId {
  let last = { msecs: -1, seq: 0 };
  return function newConsentId(now) {
    const msecs = now.getTime();
    if (msecs > last.msecs) last = { msecs, seq: toSequenceStart() };
    else if (last.seq < 0xffff_ffff) last = { msecs: last.msecs, seq: last.seq + 1 };
    else last = { msecs: last.msecs + 1, seq: toSequenceStart() };
    return v7(last);
  };
}

/** A random start with the top bit clear: room for two thousand million ids in a millisecond. */
function toSequenceStart(): number {
  return randomBytes(4).readUInt32BE() >>> 1;
}
