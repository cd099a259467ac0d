import type { Db, Tx } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { parseCursor, toCursor, toCursorFault } from "../../kernel/page.ts";
import { type Place, findPlaceAt } from "./feed-store.ts";

const PARTS = 2;
/**
 * A mark has the head of any instant of its minute. Beyond that minute clocks of nodes differ by less than another one,
 * and a consent waits less for its place in the log.
 */
const MARGIN_MS = 120_000;
const cursorSource = { path: "/since", source: "the list of events, or send an instant" };

/** A place as an opaque cursor. */
export function toPlaceCursor({ position, leaf }: Place): string {
  return toCursor([String(position), String(leaf)]);
}

/** The place in a cursor; undefined where none was sent. Throws `Fault` (invalid) for another one. */
export function parsePlace(
  cursor: string | undefined,
  source?: Parameters<typeof parseCursor>[2],
): Place | undefined {
  const parts = parseCursor(cursor, PARTS, source);
  if (!parts) return undefined;
  if (!parts.every((part) => /^\d{1,15}$/.test(part))) throw toCursorFault(source);
  const [position = 0, leaf = 0] = parts.map(Number);
  return { position, leaf };
}

/**
 * Where a replay begins, and before which instant nothing is told: with a cursor, whatever is behind it.
 * @throws Fault invalid for what is neither an instant nor a cursor
 */
export async function toStart(
  db: Db | Tx,
  { since, now }: { since: string; now: Date },
): Promise<{ place: Place; instant: Date }> {
  // Cursors have no colons, and instants always do.
  if (!since.includes(":")) {
    const place = parsePlace(since, cursorSource);
    if (!place) throw toCursorFault(cursorSource);
    return { place, instant: new Date(0) };
  }
  const instant = new Date(since);
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(since) && instant <= now;
  if (!isInstant) {
    const message = "must be an instant of the past (RFC 3339), or a cursor of the list of events";
    throw new Fault("invalid", `/since: ${message}`, { faults: [{ path: "/since", message }] });
  }
  return { place: await findPlaceAt(db, new Date(instant.getTime() - MARGIN_MS)), instant };
}
