import { useEffect, useRef, useState } from "preact/hooks";

/** The selected rows of the shown page. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects or deselects a row; as a range, all rows between the one that was changed last and this one. */
  change: (id: string, isSelected: boolean, isRange: boolean) => void;
  changeAll: (isSelected: boolean) => void;
}

/** Keeps a selection among `shown`. Rows that are no longer shown leave it. */
export function useSelection(shown: readonly string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | undefined>(undefined);
  useEffect(() => {
    setSelected((now) => new Set(shown.filter((id) => now.has(id))));
    anchor.current = undefined;
  }, [shown.join(" ")]);
  return {
    ids: selected,
    change(id, isSelected, isRange) {
      const from = isRange ? shown.indexOf(anchor.current ?? id) : -1;
      const to = shown.indexOf(id);
      const changed = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      const next = new Set(selected);
      for (const one of changed) {
        if (isSelected) next.add(one);
        else next.delete(one);
      }
      anchor.current = id;
      setSelected(next);
    },
    changeAll: (isSelected) => setSelected(new Set(isSelected ? shown : [])),
  };
}
