import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { tableWords } from "../../words/table/words.ts";
import type { Selection } from "./selection.ts";

/** A column of a table. The first one of a table names its rows and is always shown. */
export interface Column<Row> {
  id: string;
  title: string;
  /** The content of a cell; by default its text. */
  cell?: (row: Row) => ComponentChildren;
  /** The text of a cell, for downloads. */
  text?: (row: Row) => string;
  /** `service`: the service orders by the column's id. A function: the browser orders a complete list by its value. */
  order?: "service" | ((row: Row) => string | number);
  /** Whether it is shown only if the user chooses it. */
  isOptional?: boolean;
  /** Whether its cells are set in the font of code. */
  isCode?: boolean;
  /** Whether it has the actions of a row: its title is for screen readers. */
  isActions?: boolean;
}

interface TableProps<Row> {
  /** The table's name for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  toKey: (row: Row) => string;
  /** A column's id, with `-` before it for descending. */
  sort?: string;
  onSort?: (sort: string) => void;
  selection?: Selection | undefined;
  /** The text of a row for its checkbox. */
  toName?: (row: Row) => string;
  /** Whether it is in a card, which has padding. */
  isFlush?: boolean;
}

/** A table; on a phone, a card for each row. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, toKey, sort, onSort, selection, toName, isFlush } = props;
  const table = (
    <table class={isFlush ? "stacked flush" : "stacked"}>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {selection && <SelectAll selection={selection} count={rows.length} />}
          {columns.map((column) => (
            <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const id = toKey(row);
          return (
            <tr key={id} class={selection?.ids.has(id) ? "selected" : undefined}>
              {selection && <Select selection={selection} id={id} name={toName?.(row) ?? id} />}
              {columns.map((column, at) => (
                <Cell key={column.id} column={column} row={row} isHeader={at === 0} />
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
  return isFlush ? table : <div class="table-card">{table}</div>;
}

interface HeadingProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { id, title, order, isActions } = column;
  if (isActions)
    return (
      <th scope="col" class="end">
        <span class="hidden">{title}</span>
      </th>
    );
  if (!order || !onSort) return <th scope="col">{title}</th>;
  const isUp = sort === id;
  const isDown = sort === `-${id}`;
  return (
    <th scope="col" aria-sort={isUp ? "ascending" : isDown ? "descending" : undefined}>
      <button type="button" class="sort" onClick={() => onSort(isUp ? `-${id}` : id)}>
        {title}
        <span aria-hidden="true">{isUp ? "↑" : isDown ? "↓" : "↕"}</span>
      </button>
    </th>
  );
}

function Cell<Row>({
  column: { title, cell, text, isCode, isActions },
  row,
  isHeader,
}: {
  column: Column<Row>;
  row: Row;
  isHeader: boolean;
}) {
  const content = cell ? cell(row) : text?.(row);
  const font = isCode ? "code" : undefined;
  if (isHeader)
    return (
      <th scope="row" class={font}>
        {content}
      </th>
    );
  if (isActions) return <td class="end">{content}</td>;
  return (
    <td data-label={title} class={font}>
      {content}
    </td>
  );
}

function SelectAll({ selection, count }: { selection: Selection; count: number }) {
  const { ids, changeAll } = selection;
  return (
    <td class="pick">
      <input
        type="checkbox"
        aria-label={tableWords.value.selectAll}
        checked={ids.size > 0 && ids.size === count}
        ref={(box) => {
          if (box) box.indeterminate = ids.size > 0 && ids.size < count;
        }}
        onChange={({ currentTarget }) => changeAll(currentTarget.checked)}
      />
    </td>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The checkbox of a row. Shift and a click, or Shift and the arrow keys, select a range. */
function Select({ selection, id, name }: { selection: Selection; id: string; name: string }) {
  const inputId = useId();
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined || !(event.currentTarget instanceof HTMLInputElement)) return;
    const boxes = [
      ...(event.currentTarget.closest("tbody")?.querySelectorAll<HTMLInputElement>(".pick input") ??
        []),
    ];
    const next = boxes[boxes.indexOf(event.currentTarget) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    if (!event.shiftKey) return;
    selection.change(next.value, true, selection.ids.size > 0);
  };
  return (
    <td class="pick">
      <label for={inputId} class="hidden">
        {tableWords.value.select(name)}
      </label>
      <input
        id={inputId}
        type="checkbox"
        value={id}
        checked={selection.ids.has(id)}
        onClick={(event) => selection.change(id, event.currentTarget.checked, event.shiftKey)}
        onKeyDown={move}
      />
    </td>
  );
}
