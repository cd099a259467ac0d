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
 * A condition on a column: equal to any of the values (none: never), or the comparison with the
 * only value. All values are of the column's type.
 */
export interface ColumnFilter {
  column: ServiceColumn;
  operator: "in" | ">" | ">=" | "<" | "<=";
  values: string[] | number[] | Date[];
}

const columns: Record<string, ServiceColumn> = {
  _id: "id",
  id: "id",
  createdAt: "created_at",
  createdBy: "created_by",
  updatedAt: "updated_at",
  updatedBy: "updated_by",
  version: "version",
};
const operators = { equals: "in", in: "in", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
const datePattern =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

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
  const typed = toColumnValues(column, values);
  return typeof typed === "string"
    ? typed
    : { column, operator: operators[operator], values: typed };
}

function toColumnValues(
  column: ServiceColumn,
  values: readonly string[],
): ColumnFilter["values"] | string {
  if (column === "version") {
    const isVersion = values.every((value) => /^\d{1,9}$/.test(value));
    return isVersion ? values.map(Number) : "must be a whole number";
  }
  if (column !== "created_at" && column !== "updated_at") return [...values];
  const dates = values.map(toDate);
  return dates.every((date) => date !== undefined)
    ? dates
    : "must be a date: 2026-01-31T12:00:00.000Z";
}

/** An ISO date, with or without time; UTC where no zone is given. */
function toDate(text: string): Date | undefined {
  // A plus sign that was not escaped in the URL arrives as a space.
  const iso = text.replace(/ (\d{2}:\d{2})$/, "+$1");
  if (!datePattern.test(iso)) return undefined;
  const date = new Date(/T.*(?:Z|[+-]\d{2}:\d{2})$|^[^T]*$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
