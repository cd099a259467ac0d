import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";

interface PagerFrameProps {
  /** To the page before; undefined: there is none. */
  onBefore: (() => void) | undefined;
  /** To the next page; undefined: there is none. */
  onNext: (() => void) | undefined;
  /** Where in the list one is, if anybody knows. */
  children?: ComponentChildren;
}

/** The way to the other pages of a list; nothing where it has one page. */
export function PagerFrame({ onBefore, onNext, children }: PagerFrameProps) {
  if (!onBefore && !onNext) return null;
  const { pager } = words.value;
  return (
    <nav class="pager" aria-label={pager.label}>
      <button type="button" class="button small" disabled={!onBefore} onClick={onBefore}>
        {pager.before}
      </button>
      {children}
      <button type="button" class="button small" disabled={!onNext} onClick={onNext}>
        {pager.after}
      </button>
    </nav>
  );
}
