import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";

interface PagerFrameProps {
  /** Undefined on the first page. */
  onBefore: (() => void) | undefined;
  /** Undefined on the last page. */
  onNext: (() => void) | undefined;
  /** The current position, if it is known. */
  children?: ComponentChildren;
}

/** The buttons of a pager; nothing for a single page. */
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
