import { Fault } from "../platform/errors.ts";

/** A page asked for by number: 1-based, `perPage` items. */
export interface PageQuery {
  page: number;
  perPage: number;
}

/** One page of a list, and how many items the whole list has. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** One page of a list that may be very long; `next` is the cursor of the following page. */
export interface CursorPage<T> {
  items: T[];
  next: string | undefined;
}

const CURSOR_PARTS_MAX = 8;

/** An opaque cursor made of the sort key of the last item shown. */
export function toCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** Where a cursor is sent, and where its sender should have it from. */
export interface CursorPlace {
  path: string;
  source: string;
}

const pageCursor: CursorPlace = { path: "?cursor", source: "the link to the next page" };

/** The fault for a cursor that is not of the list that it was sent to. */
export function toCursorFault({ path, source }: CursorPlace = pageCursor): Fault {
  const message = `is not a cursor of this list: take it from ${source}`;
  return new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

/**
 * The sort key in a cursor that we made, `parts` long; undefined where none was sent.
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

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Makes a page of rows that were read with one more than `limit`, so that the last page is known.
 * `keyOf` gives the sort key of a row.
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
