import { useRef, useState } from "preact/hooks";

/** Returns the list with one element moved. */
export function move<T>(list: readonly T[], from: number, to: number): T[] {
  const moved = list[from];
  if (moved === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, moved);
}

interface Ordering {
  /** The index of the dragged element. */
  dragged: number | undefined;
  /** Props of the list element. */
  list: { ref: (element: HTMLElement | null) => void };
  /** Props of the handle of an element. */
  toHandle: (at: number) => {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** Reordering of a list by dragging handles, or by arrow keys on a focused handle. */
export function useOrdering(onMove: (from: number, to: number) => void): Ordering {
  const list = useRef<HTMLElement | null>(null);
  const [dragged, setDragged] = useState<number>();
  const findPlace = (y: number): number => {
    const items = [...(list.current?.children ?? [])];
    const middles = items.map((item) => {
      const { top, height } = item.getBoundingClientRect();
      return top + height / 2;
    });
    const before = middles.filter((middle, at) => at !== dragged && middle < y).length;
    return Math.min(before, items.length - 1);
  };
  return {
    dragged,
    list: { ref: (element) => (list.current = element) },
    toHandle: (at) => ({
      onPointerDown(event) {
        if (event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(at);
      },
      onPointerMove(event) {
        if (dragged === undefined) return;
        const place = findPlace(event.clientY);
        if (place === dragged) return;
        setDragged(place);
        onMove(dragged, place);
      },
      onPointerUp: () => setDragged(undefined),
      onPointerCancel: () => setDragged(undefined),
      onKeyDown(event) {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onMove(at, at + step);
      },
    }),
  };
}
