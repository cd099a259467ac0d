import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren, RefObject } from "preact";
import { editorWords } from "../../../words/editor.ts";

interface RemovingOptions<T> {
  list: readonly T[];
  change: (next: T[]) => void;
  /** Within `around`: what of each entry takes the focus, in their order. */
  entries: string;
  /** An entry is back. */
  onBack?: (at: number) => void;
}

interface Removing {
  /** Around the list and, last in it, the button that adds to it. */
  around: RefObject<HTMLDivElement | null>;
  /** By place: what stays an entry's own while others go. */
  keys: readonly number[];
  /** Takes an entry out; `text` says so. */
  remove: (at: number, text: string) => void;
  /** It is not offered any more to bring it back: something else was done. */
  forget: () => void;
  /** Says what was taken out, and brings it back. */
  note: ComponentChildren;
}

interface RemovedEntry<T> {
  entry: T;
  key: number | undefined;
  at: number;
  text: string;
}

/** Takes entries out of a list, and the last one back in; the focus goes to the one before, or to what adds one. */
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

/** As many keys as there are entries, which have none of their own that stays while they are written. */
function useKeys(length: number): number[] {
  const { current } = useRef({ keys: [] as number[], next: 0 });
  const { keys } = current;
  while (keys.length < length) keys.push(current.next++);
  keys.length = length;
  return keys;
}
