import { instantMessage, parseInstants } from "@avow/contract/instants";

export type Operator = "equals" | "contains" | "in" | "exists" | "gt" | "gte" | "lt" | "lte";

/** The column of a service field, as SQL names it. */
export type ServiceColumn =
  | "id"
  | "created_at"
  | "created_by"
  | "updated_at"
  | "updated_by"
  | "version";

/**
 * A condition on a column: equal to any of the values (none: never), between the two values of any pair (inclusive), or
 * the comparison with the only value. All values are of the column's type.
 */
export type ColumnFilter = { column: ServiceColumn } & (
  | { operator: "in"; values: string[] | number[] }
  | { operator: "between"; pairs: [Date, Date][] }
  | { operator: ">" | ">=" | "<" | "<="; value: string | number | Date }
);

const columns: Record<string, ServiceColumn> = {
  _id: "id",
  id: "id",
  createdAt: "created_at",
  createdBy: "created_by",
  updatedAt: "updated_at",
  updatedBy: "updated_by",
  version: "version",
};
const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** The column of a service field; throws for another name, which is the caller's mistake. */
export function toServiceColumn(field: string | undefined): ServiceColumn {
  const column = columns[field ?? ""];
  if (column === undefined) throw new TypeError(`${field} is not a service field.`);
  return column;
}

/**
 * The condition on a service field's column; undefined when it always holds, and a message when
 * the operator or a value does not fit the column.
 */
export function toColumnFilter(
  column: ServiceColumn,
  operator: Operator,
  values: readonly string[],
): ColumnFilter | string | undefined {
  if (operator === "contains") return "is a field of the service: it cannot be searched in parts";
  // Every document has every service field.
  if (operator === "exists") {
    return values[0] === "true" ? undefined : { column: "id", operator: "in", values: [] };
  }
  if (column === "created_at" || column === "updated_at")
    return toTimeFilter(column, operator, values);
  if (column === "version" && !values.every((value) => /^\d{1,9}$/.test(value)))
    return "must be a whole number";
  const typed = column === "version" ? values.map(Number) : [...values];
  if (operator === "equals" || operator === "in") return { column, operator: "in", values: typed };
  const [value = ""] = typed;
  return { column, operator: comparisons[operator], value };
}

/** A date is all of its day: after it is after its last instant, and equal to it is during it. */
function toTimeFilter(
  column: ServiceColumn,
  operator: keyof typeof comparisons | "equals" | "in",
  values: readonly string[],
): ColumnFilter | string {
  const all = values.map(parseInstants);
  const [only] = all;
  if (!all.every((one) => one !== undefined) || !only) return instantMessage;
  if (operator === "equals" || operator === "in")
    return { column, operator: "between", pairs: all.map(({ first, last }) => [first, last]) };
  const value = operator === "gt" || operator === "lte" ? only.last : only.first;
  return { column, operator: comparisons[operator], value };
}
