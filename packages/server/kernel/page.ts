import { Fault } from "../platform/errors.ts";

/** A page by its 1-based number. */
export interface PageQuery {
  page: number;
  perPage: number;
}

/** A page of a list, and the total of the list. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** A page of a list that may be very long; `next` is the cursor of the next page. */
export interface CursorPage<T> {
  items: T[];
  next: string | undefined;
}

const CURSOR_PARTS_MAX = 8;

/** Makes an opaque cursor of the sort key of the last item of a page. */
export function toCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** The parameter that carries a cursor, and the field that clients take it from. */
export interface CursorPlace {
  path: string;
  source: string;
}

const pageCursor: CursorPlace = { path: "?cursor", source: "the link to the next page" };

/** The fault for a cursor of another list. */
export function toCursorFault({ path, source }: CursorPlace = pageCursor): Fault {
  const message = `is not a cursor of this list: take it from ${source}`;
  return new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

/**
 * The sort key in a cursor, `parts` long; undefined if none was sent.
 * @throws Fault invalid for anything else
 */
export function parseCursor(
  cursor: string | undefined,
  parts: number,
  place?: CursorPlace,
): string[] | undefined {
  if (cursor === undefined) return undefined;
  const key = decode(cursor);
  const strings =
    Array.isArray(key) && key.length <= CURSOR_PARTS_MAX && key.every((k) => typeof k === "string");
  if (
    !strings ||
    key.length !== parts ||
    key.some((k: string) => k.includes("\0") || !k.isWellFormed())
  )
    throw toCursorFault(place);
  return key;
}

/** The key of a list by time: an instant and an id; undefined if no cursor was sent. Throws like `parseCursor`. */
export function parseTimeCursor(
  cursor: string | undefined,
): { createdAt: Date; id: string } | undefined {
  const key = parseCursor(cursor, 2);
  if (!key) return undefined;
  const [at = "", id = ""] = key;
  const createdAt = new Date(at);
  if (Number.isNaN(createdAt.getTime())) throw toCursorFault();
  return { createdAt, id };
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Makes a page of up to `limit` + 1 rows: the additional row says that there is a next page.
 * `keyOf` returns the sort key of a row.
 */
export function toCursorPage<R, T>(
  rows: R[],
  limit: number,
  { keyOf, toItem }: { keyOf: (row: R) => string[]; toItem: (row: R) => T },
): CursorPage<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    next: rows.length > limit && last !== undefined ? toCursor(keyOf(last)) : undefined,
  };
}
