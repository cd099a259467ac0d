import { useState } from "preact/hooks";
import { toNumber } from "../format.ts";
import { words } from "../words/words.ts";

/** Which page of a list is shown, 1-based. */
export function usePage(): [number, (page: number) => void] {
  return useState(1);
}

interface PagerProps {
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
}

/** Where in a list one is, and the way to its other pages; nothing where it has one page. */
export function Pager({ page, perPage, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return null;
  const { pager } = words.value;
  return (
    <nav class="pager" aria-label={pager.label}>
      <button
        type="button"
        class="button small"
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      >
        {pager.before}
      </button>
      <span class="soft">{pager.place(toNumber(page), toNumber(last))}</span>
      <button
        type="button"
        class="button small"
        disabled={page === last}
        onClick={() => onPage(page + 1)}
      >
        {pager.after}
      </button>
    </nav>
  );
}
