import { randomBytes } from "node:crypto";
import { openRandomText } from "../platform/crypto/random.ts";

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

export function isDocumentId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

const hexDigits = "0123456789abcdef";
const sequenceMax = 2 ** 30 - 1;
const CLOCK_BACK_MAX_MS = 2_000;

/** Makes the next consent id; see `openConsentIds`. */
export type NewConsentId = (now: Date) => string;

/**
 * Opens a source of consent ids: UUID version 7 (RFC 9562 section 5.7), strictly increasing for
 * the life of the source, also within one millisecond and when the clock is set back by up to
 * `CLOCK_BACK_MAX_MS`; after a larger step ids follow the clock.
 *
 * A 30-bit sequence follows the milliseconds. It starts at a random value with its top bit clear, so that
 * at least 500 million ids fit into each millisecond. The other 44 bits are random. The buffer is reused,
 * so that an id costs one allocation.
 */
export function openConsentIds(): NewConsentId {
  const takeRandomText = openRandomText();
  const id = Buffer.from("00000000-0000-7000-8000-000000000000", "latin1");
  let msecs = -1;
  let sequence = 0;
  const startMillisecond = (next: number): void => {
    msecs = next;
    sequence = Number.parseInt(takeRandomText(4, "hex"), 16) >>> 3;
    const digits = msecs.toString(16).padStart(12, "0");
    id.write(digits.slice(0, 8), 0, "latin1");
    id.write(digits.slice(8), 9, "latin1");
  };
  return function newConsentId(now) {
    const time = now.getTime();
    if (time > msecs || time < msecs - CLOCK_BACK_MAX_MS) startMillisecond(time);
    else if (sequence < sequenceMax) sequence += 1;
    else startMillisecond(msecs + 1);
    id.write(takeRandomText(6, "hex"), 24, "latin1");
    writeHex(id, { start: 15, end: 18 }, sequence >>> 18);
    writeHex(id, { start: 19, end: 21 }, 0x80 | ((sequence >>> 12) & 0x3f));
    writeHex(id, { start: 21, end: 23 }, sequence >>> 4);
    writeHex(id, { start: 24, end: 25 }, sequence);
    return id.toString("latin1");
  };
}

/** Writes the lowest hexadecimal digits of `value` from `start` to `end`. */
function writeHex(text: Buffer, { start, end }: { start: number; end: number }, value: number) {
  for (let index = end - 1, rest = value; index >= start; index -= 1, rest >>>= 4)
    text[index] = hexDigits.charCodeAt(rest & 0xf);
}

const UUID_MS_MAX = 2 ** 48 - 1;

/** The time in a UUID version 7, to the millisecond (RFC 9562 section 5.7). */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** The lowest UUID version 7 of an instant: greater than all ids made before it. */
export function firstIdAt(instant: Date): string {
  const ms = Math.min(Math.max(Math.ceil(instant.getTime()), 0), UUID_MS_MAX);
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The lowest UUID version 7 after an instant: greater than all ids made until then. */
export function idAfter(instant: Date): string {
  return firstIdAt(new Date(Math.floor(instant.getTime()) + 1));
}
