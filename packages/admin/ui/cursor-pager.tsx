import type { Cursors } from "../data/use-cursor.ts";
import { PagerFrame } from "./pager-frame.tsx";

/** A pager for lists without a total. */
export function CursorPager({ cursors, next }: { cursors: Cursors; next: string | undefined }) {
  return (
    <PagerFrame
      onBefore={cursors.isFirst ? undefined : () => cursors.back()}
      onNext={next === undefined ? undefined : () => cursors.next(next)}
    />
  );
}
