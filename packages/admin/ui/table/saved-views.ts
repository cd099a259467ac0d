import { me } from "../../data/session.ts";

export const VIEWS_MAX = 20;
export const VIEW_NAME_LENGTH_MAX = 60;
const QUERY_LENGTH_MAX = 1_000;

/** A named combination of filters, order and columns, as the query of its address. */
export interface SavedView {
  name: string;
  query: string;
}

/** The views of a table that the signed-in user saved in this browser, by name. */
export function listSavedViews(table: string): readonly SavedView[] {
  const stored = readStored(toKey("views", table));
  return Array.isArray(stored) ? stored.filter(isView).slice(0, VIEWS_MAX) : [];
}

/** Saves a view in place of one of the same name. Returns whether there was room for it. */
export function saveView(table: string, { name, query }: SavedView): boolean {
  const others = listSavedViews(table).filter((one) => one.name !== name);
  if (others.length >= VIEWS_MAX || query.length > QUERY_LENGTH_MAX) return false;
  const all = [...others, { name, query }].toSorted((a, b) => a.name.localeCompare(b.name));
  return write(toKey("views", table), all);
}

export function removeView(table: string, name: string): void {
  const rest = listSavedViews(table).filter((one) => one.name !== name);
  write(toKey("views", table), rest);
}

/** The query with the order and columns that the user chose last. */
export function readLastQuery(table: string): string {
  const stored = readStored(toKey("view", table));
  return typeof stored === "string" ? stored : "";
}

export function keepLastQuery(table: string, query: string): void {
  write(toKey("view", table), query);
}

function toKey(kind: "view" | "views", table: string): string {
  return `avow-${kind}-${table}-${me.peek()?.id}`;
}

/** The stored value, unless something else changed it to no JSON. */
function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Returns whether the browser stored it: it may have no room or no storage. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof query === "string";
}
