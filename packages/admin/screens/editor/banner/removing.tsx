import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren, RefObject } from "preact";
import { editorWords } from "../../../words/editor.ts";

interface RemovingOptions<T> {
  list: readonly T[];
  change: (next: T[]) => void;
  /** A selector within `around` of the elements that take the focus, one per entry in order. */
  entries: string;
  /** Called after an entry was restored. */
  onBack?: (at: number) => void;
}

interface Removing {
  /** The element that contains the list and, as its last child, the button that adds an entry. */
  around: RefObject<HTMLDivElement | null>;
  /** Stable keys by index. */
  keys: readonly number[];
  /** Removes an entry; `text` announces it. */
  remove: (at: number, text: string) => void;
  /** Hides the undo note, after another action. */
  forget: () => void;
  /** The note with the undo button. */
  note: ComponentChildren;
}

interface RemovedEntry<T> {
  entry: T;
  key: number | undefined;
  at: number;
  text: string;
}

/** Removes entries of a list, with undo for the last one. The focus moves to the previous entry, or to the add button. */
export function useRemoving<T>({ list, change, entries, onBack }: RemovingOptions<T>): Removing {
  const around = useRef<HTMLDivElement>(null);
  const [removed, setRemoved] = useState<RemovedEntry<T>>();
  const [wanted, setWanted] = useState<{ at: number }>();
  const keys = useKeys(list.length);
  useLayoutEffect(() => {
    if (!wanted) return;
    const found = around.current?.querySelectorAll<HTMLElement>(entries)[wanted.at];
    (found ?? around.current?.querySelector<HTMLElement>(":scope > button"))?.focus();
  }, [wanted]);
  const remove = (at: number, text: string): void => {
    const entry = list[at];
    if (entry === undefined) return;
    const [key] = keys.splice(at, 1);
    change(list.toSpliced(at, 1));
    setRemoved({ entry, key, at, text });
    setWanted({ at: Math.max(0, at - 1) });
  };
  const bringBack = ({ entry, key, at }: RemovedEntry<T>): void => {
    if (key !== undefined) keys.splice(at, 0, key);
    change(list.toSpliced(at, 0, entry));
    setRemoved(undefined);
    setWanted({ at: Math.min(at, list.length) });
    onBack?.(Math.min(at, list.length));
  };
  const note = (
    <div role="status">
      {removed && (
        <p class="note">
          {removed.text}{" "}
          <button type="button" class="link" onClick={() => bringBack(removed)}>
            {editorWords.value.undo}
          </button>
        </p>
      )}
    </div>
  );
  return { around, keys, remove, forget: () => setRemoved(undefined), note };
}

/** Stable keys for entries, which have no stable key of their own while they are edited. */
function useKeys(length: number): number[] {
  const { current } = useRef({ keys: [] as number[], next: 0 });
  const { keys } = current;
  while (keys.length < length) keys.push(current.next++);
  keys.length = length;
  return keys;
}
