import type { Cursors } from "../data/use-cursor.ts";
import { words } from "../words/words.ts";

/** The way to the other pages of a list whose length nobody counts; nothing where it has one page. */
export function CursorPager({ cursors, next }: { cursors: Cursors; next: string | undefined }) {
  if (cursors.isFirst && next === undefined) return null;
  const { pager } = words.value;
  return (
    <nav class="pager" aria-label={pager.label}>
      <button
        type="button"
        class="button small"
        disabled={cursors.isFirst}
        onClick={() => cursors.back()}
      >
        {pager.before}
      </button>
      <button
        type="button"
        class="button small"
        disabled={next === undefined}
        onClick={() => next !== undefined && cursors.next(next)}
      >
        {pager.after}
      </button>
    </nav>
  );
}
