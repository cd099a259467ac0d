import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { asProblem } from "../../api/problem.ts";
import { toCsv } from "../../data/csv.ts";
import { saveFile } from "../../data/save.ts";
import type { LoadResult } from "../../data/use-load.ts";
import { tableWords } from "../../words/table/words.ts";
import { toFaultText } from "../forms/faults.tsx";
import { Choice } from "../forms/form.tsx";
import { LoadView } from "../load-view.tsx";
import { notify } from "../toast.tsx";
import { useSelection } from "./selection.ts";
import { type Column, Table } from "./table.tsx";
import type { TableView } from "./table-view.ts";
import { ViewMenu } from "./view-menu.tsx";

/** An action on the selected rows. */
interface BulkAction<Row> {
  label: string;
  isDanger?: boolean;
  /** Whether it applies to a row, by default to all. It runs for those of the selection, and is offered only with one. */
  accepts?: (row: Row) => boolean;
  /** Rejections are shown, and the selection is kept. */
  run: (rows: readonly Row[]) => Promise<void> | void;
}

interface DataTableProps<Row, T> {
  caption: string;
  view: TableView;
  columns: readonly Column<Row>[];
  loaded: LoadResult<T>;
  toRows: (value: T) => readonly Row[];
  toKey: (row: Row) => string;
  /** The text of a row, for its checkbox. */
  toName: (row: Row) => string;
  /** Replaces the table if it has no rows. */
  empty: (value: T) => ComponentChildren;
  /** A form above the table. */
  search?: ComponentChildren;
  /** Fields that filter at once, beside the order. */
  filters?: ComponentChildren;
  /** Orders of the service that are no column, with their texts. */
  orders?: readonly (readonly [sort: string, text: string])[];
  actions?: readonly BulkAction<Row>[];
  /** Content below the rows, such as the pager. */
  below?: (value: T) => ComponentChildren;
  /** The number of placeholder lines while loading. */
  lines?: number;
  isFlush?: boolean;
  /** Whether it has no order and views, like a list of less than two rows. */
  isShort?: boolean;
}

/** A list in a table, with filters, order, columns, saved views and actions on selected rows. */
export function DataTable<Row, T>(props: DataTableProps<Row, T>) {
  const {
    view,
    columns,
    loaded,
    toRows,
    empty,
    search,
    filters,
    orders = [],
    isFlush = false,
  } = props;
  const shown = columns.filter(
    ({ id, isOptional, isActions }, at) =>
      at === 0 || isActions || (view.columns ? view.columns.includes(id) : !isOptional),
  );
  const isSingle =
    loaded.state === "ready" && toRows(loaded.value).length < 2 && view.query.size === 0;
  return (
    <div class="found">
      {search}
      {!props.isShort && !isSingle && (
        <div class="table-tools">
          {filters}
          <Order view={view} columns={columns} orders={orders} />
          <ViewMenu
            view={view}
            columns={columns.filter(({ isActions }) => !isActions)}
            shown={shown.map(({ id }) => id)}
          />
        </div>
      )}
      <LoadView of={loaded} lines={props.lines ?? 8}>
        {(value) => (
          <>
            {toRows(value).length === 0 ? (
              empty(value)
            ) : (
              <Rows {...props} isFlush={isFlush} rows={toRows(value)} shown={shown} />
            )}
            {props.below?.(value)}
          </>
        )}
      </LoadView>
    </div>
  );
}

interface OrderProps<Row> {
  view: TableView;
  columns: readonly Column<Row>[];
  orders: readonly (readonly [sort: string, text: string])[];
}

/** The choice of an order: on phones, and where the service has orders that are no column. */
function Order<Row>({ view, columns, orders }: OrderProps<Row>) {
  const texts = tableWords.value;
  const options = [
    ...orders,
    ...columns
      .filter(({ order }) => order)
      .flatMap(({ id, title }) => [
        [id, texts.ascending(title)] as const,
        [`-${id}`, texts.descending(title)] as const,
      ])
      .filter(([one]) => !orders.some(([other]) => other === one)),
  ];
  if (options.length === 0) return null;
  const isListed = options.some(([one]) => one === view.sort);
  return (
    <div class={orders.length > 0 ? "order" : "order narrow-only"}>
      <Choice
        name="order"
        label={texts.order}
        value={view.sort}
        options={isListed ? options : [["", texts.unordered], ...options]}
        onChange={view.setSort}
      />
    </div>
  );
}

interface RowsProps<Row, T> extends DataTableProps<Row, T> {
  rows: readonly Row[];
  shown: readonly Column<Row>[];
}

function Rows<Row, T>(props: RowsProps<Row, T>) {
  const { caption, view, columns, rows: given, toKey, toName, shown, isFlush = false } = props;
  const rows = toOrdered(given, columns, view.sort);
  const selection = useSelection(rows.map(toKey));
  const chosen = rows.filter((row) => selection.ids.has(toKey(row)));
  const download = (): void => {
    const texts = shown.filter(({ text }) => text);
    const lines = chosen.map((row) => texts.map(({ text }) => text?.(row) ?? ""));
    const csv = toCsv([texts.map(({ title }) => title), ...lines]);
    saveFile(new Blob([csv], { type: "text/csv" }), `${view.name}.csv`);
  };
  const actions = [...(props.actions ?? []), { label: tableWords.value.download, run: download }];
  return (
    <>
      <Table
        caption={caption}
        columns={shown}
        rows={rows}
        toKey={toKey}
        toName={toName}
        sort={view.sort}
        onSort={view.setSort}
        selection={selection}
        isFlush={isFlush}
      />
      <Bulk
        rows={chosen}
        actions={actions}
        onAll={() => selection.changeAll(true)}
        onClear={() => selection.changeAll(false)}
      />
    </>
  );
}

interface BulkProps<Row> {
  rows: readonly Row[];
  actions: readonly BulkAction<Row>[];
  onAll: () => void;
  onClear: () => void;
}

/** The actions for the selection, at the lower edge of the window. */
function Bulk<Row>({ rows, actions, onAll, onClear }: BulkProps<Row>) {
  const texts = tableWords.value;
  const [isBusy, setBusy] = useState(false);
  const run = async (action: BulkAction<Row>, accepted: readonly Row[]): Promise<void> => {
    setBusy(true);
    try {
      await action.run(accepted);
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class={rows.length === 0 ? "hidden" : "bulk"} role="group" aria-label={texts.actions}>
      <p role="status">{rows.length > 0 && texts.selected(rows.length)}</p>
      {rows.length > 0 && (
        <>
          {actions.map((action) => {
            const accepted = action.accepts ? rows.filter(action.accepts) : rows;
            if (accepted.length === 0) return null;
            return (
              <button
                key={action.label}
                type="button"
                class={action.isDanger ? "button small danger" : "button small"}
                disabled={isBusy}
                onClick={() => void run(action, accepted)}
              >
                {action.label}
              </button>
            );
          })}
          <button type="button" class="button small ghost narrow-only" onClick={onAll}>
            {texts.selectAll}
          </button>
          <button type="button" class="button small ghost" onClick={onClear}>
            {texts.clear}
          </button>
        </>
      )}
    </div>
  );
}

/** The rows in the order of a column of a complete list; others are in the order of the service. */
function toOrdered<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string,
): readonly Row[] {
  const order = columns.find(({ id }) => id === sort.replace(/^-/, ""))?.order;
  if (typeof order !== "function") return rows;
  const direction = sort.startsWith("-") ? -1 : 1;
  return rows.toSorted((a, b) => direction * compare(order(a), order(b)));
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number"
    ? a - b
    : String(a).localeCompare(String(b));
}
