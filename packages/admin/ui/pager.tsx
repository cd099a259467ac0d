import { useState } from "preact/hooks";
import { toNumber } from "../browser/format.ts";
import { words } from "../words/words.ts";
import { PagerFrame } from "./pager-frame.tsx";

/** The current page of a list, 1-based. */
export function usePage(): [number, (page: number) => void] {
  return useState(1);
}

interface PagerProps {
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
}

/** A pager for lists with a total. */
export function Pager({ page, perPage, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / perPage));
  return (
    <PagerFrame
      onBefore={page > 1 ? () => onPage(page - 1) : undefined}
      onNext={page < last ? () => onPage(page + 1) : undefined}
    >
      <span class="soft">{words.value.pager.place(toNumber(page), toNumber(last))}</span>
    </PagerFrame>
  );
}
