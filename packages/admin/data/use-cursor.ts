import { useEffect, useState } from "preact/hooks";

/** The position in a cursor-based list. */
export interface Cursors {
  /** Undefined: the first page. */
  cursor: string | undefined;
  isFirst: boolean;
  /** Moves to the next page, by the link in the response. */
  next: (link: string) => void;
  back: () => void;
}

/** Keeps the cursors of visited pages; resets when one of `keys` changes. */
export function useCursor(keys: readonly unknown[]): Cursors {
  const [passed, setPassed] = useState<readonly string[]>([]);
  useEffect(() => setPassed([]), keys);
  return {
    cursor: passed.at(-1),
    isFirst: passed.length === 0,
    next: (link) => setPassed([...passed, toCursor(link)]),
    back: () => setPassed(passed.slice(0, -1)),
  };
}

function toCursor(link: string): string {
  return new URL(link, location.origin).searchParams.get("cursor") ?? "";
}
