import { useEffect, useState } from "preact/hooks";

/** The place in a list that goes by cursors, and the way on and back. */
export interface Cursors {
  /** Undefined: the first page. */
  cursor: string | undefined;
  isFirst: boolean;
  /** To what comes after: the address that the service names. */
  next: (link: string) => void;
  back: () => void;
}

/** Follows the pages of a list; begins again where one of `keys` changes. */
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
