import type { Counters } from "../../../kernel/counters.ts";
import { parseInstants } from "@avow/contract/instants";
import { parseCursor, toCursor, toCursorFault } from "../../../kernel/page.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { type Cursor, findCursorAt } from "./store.ts";

/**
 * A mark has the head of any instant of its minute; another minute covers clock skew between nodes and the time a
 * consent waits for the log.
 */
const MARGIN_MS = 120_000;
const sinceSource = { path: "/since", source: "the list of events, or send an instant" };

export function toCursorText(
  { position, leaf }: Cursor,
  { positions, leaves }: Pick<Counters, "positions" | "leaves">,
): string {
  return toCursor([positions.toText(position), leaves.toText(leaf)]);
}

/** @throws Fault invalid for a cursor of another list */
export function parseFeedCursor(
  cursor: string | undefined,
  { positions, leaves }: Pick<Counters, "positions" | "leaves">,
  source?: Parameters<typeof parseCursor>[2],
): Cursor | undefined {
  const parts = parseCursor(cursor, 2, source);
  if (!parts) return undefined;
  const [first = "", second = ""] = parts;
  const position = positions.parse(first);
  const leaf = leaves.parse(second);
  if (position === undefined || leaf === undefined) throw toCursorFault(source);
  return { position, leaf };
}

/**
 * The cursor at which a replay begins, and the instant before which nothing is sent.
 * @throws Fault invalid for text that is neither an instant nor a cursor
 */
export async function parseSince(
  db: Db | Tx,
  counters: Counters,
  { since, now }: { since: string; now: Date },
): Promise<{ cursor: Cursor; instant: Date }> {
  // A cursor is JSON in base64url and never begins like a date.
  if (!/^\d{4}-/.test(since)) {
    const cursor = parseFeedCursor(since, counters, sinceSource);
    if (!cursor) throw toCursorFault(sinceSource);
    return { cursor, instant: new Date(0) };
  }
  const instant = parseInstants(since)?.first;
  if (!instant || instant > now) {
    const message = "must be an instant of the past, or a cursor of the list of events";
    throw new Fault("invalid", `/since: ${message}`, { faults: [{ path: "/since", message }] });
  }
  return { cursor: await findCursorAt(db, new Date(instant.getTime() - MARGIN_MS)), instant };
}
