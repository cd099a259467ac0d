import { tableWords } from "../../words/table/words.ts";
import { Empty } from "../parts.tsx";
import type { TableView } from "./table-view.ts";

interface NoResultsProps {
  text: string;
  view: TableView;
  /** The names of the filters. */
  filters: readonly string[];
}

/** Replaces a list whose filters match nothing. */
export function NoResults({ text, view, filters }: NoResultsProps) {
  const texts = tableWords.value;
  const none = Object.fromEntries(filters.map((name) => [name, ""]));
  return (
    <Empty icon="search" title={texts.noResults} text={text}>
      <button type="button" class="button" onClick={() => view.setFilters(none)}>
        {texts.clearFilters}
      </button>
    </Empty>
  );
}
