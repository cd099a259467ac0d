import { useEffect, useState } from "preact/hooks";
import { parameters, setParameters } from "../../browser/router.ts";
import { keepLastQuery, readLastQuery } from "./saved-views.ts";

/** The filters, order, columns and page of a table, which are in the address. */
export interface TableView {
  /** The table's name in the browser's storage. */
  name: string;
  /** A column's id, with `-` before it for descending; empty: the order of the service. */
  sort: string;
  /** The visible columns; undefined: the default ones. */
  columns: readonly string[] | undefined;
  /** 1-based. */
  page: number;
  /** The parameters of the address, with the filters. */
  query: URLSearchParams;
  /** Parameters that may identify a person. They are in no saved view. */
  privateParameters: readonly string[];
  setPage: (page: number) => void;
  /** Changes filters and returns to the first page. An empty value removes a filter. */
  setFilters: (filters: Readonly<Record<string, string>>) => void;
  setSort: (sort: string) => void;
  setColumns: (columns: readonly string[]) => void;
}

interface TableViewOptions {
  name: string;
  /** The order without a choice of the user. */
  sort?: string;
  privateParameters?: readonly string[];
}

/** The view of a screen's table. An address without any parameters gets the order and columns that the user chose last. */
export function useTableView({
  name,
  sort: first = "",
  privateParameters = [],
}: TableViewOptions): TableView {
  const [last, setLast] = useState(() => findLast(name));
  useEffect(() => {
    if (!last) return;
    setParameters(Object.fromEntries(last));
    setLast(undefined);
  }, []);
  const query = last ?? parameters.value;
  const keep = (changes: Readonly<Record<string, string>>): void => {
    setParameters({ ...changes, page: "" });
    keepLastQuery(name, toLayout(parameters.peek()).toString());
  };
  return {
    name,
    query,
    privateParameters,
    sort: query.get("sort") ?? first,
    columns: query.get("columns")?.split(" "),
    page: Math.max(1, Math.trunc(Number(query.get("page") ?? 1)) || 1),
    setPage: (page) => setParameters({ page: page === 1 ? "" : String(page) }),
    setFilters: (filters) => setParameters({ ...filters, page: "" }),
    setSort: (sort) => keep({ sort }),
    setColumns: (columns) => keep({ columns: columns.join(" ") }),
  };
}

/** The order and columns that the user chose last, for an address without parameters. */
function findLast(name: string): URLSearchParams | undefined {
  if (parameters.peek().size > 0) return undefined;
  const last = toLayout(new URLSearchParams(readLastQuery(name)));
  return last.size > 0 ? last : undefined;
}

/** The order and columns of a query. */
function toLayout(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([one]) => one === "sort" || one === "columns"));
}
