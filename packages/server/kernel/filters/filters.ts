import { isDate, parseInstants } from "@avow/contract/instants";
import type { FieldFault } from "../../platform/errors.ts";
import { toColumnFilter, toServiceColumn } from "./filter-columns.ts";
import type { ColumnFilter, Operator, ServiceColumn } from "./filter-columns.ts";
import {
  toComparison,
  toContainsAny,
  toEqualsAny,
  toExists,
  toPathExpression,
} from "./jsonpath.ts";

export type { ColumnFilter } from "./filter-columns.ts";

/** The fields of a list's items: those of the resource's schema, and the service's own. */
export interface ListFields {
  declared: ReadonlySet<string>;
  service: ReadonlySet<string>;
}

/** Conditions that must all hold: `body_jsonb @@ jsonpath` for each path, and one for each column filter. */
export interface Filters {
  jsonpath: string[];
  columns: ColumnFilter[];
  faults: FieldFault[];
}

export type Sort = { direction: "asc" | "desc" } & (
  | { kind: "column"; column: ServiceColumn }
  | { kind: "jsonpath"; jsonpath: string }
);

interface Place {
  kind: "column" | "body";
  segments: string[];
}

const filtersMax = 20;
const valuesMax = 20;
const valueLengthMax = 1024;
const depthMax = 8;
const segmentLengthMax = 128;
const sortsMax = 3;

/** Parameters of every list: a field of the same name is filtered as `data.page`. */
const listParameters = new Set(["page", "perPage", "sort", "access_token"]);
const parameterPattern = /^([^[\]]+)(?:\[(contains|in|exists|gt|gte|lt|lte)\])?$/;
const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/**
 * Translates a list's query parameters to conditions (wire section 2: `field=`, `data.field=`,
 * dotted paths, repeated for any-of, and operators in brackets). Parameters that name no field
 * are ignored; filters that exceed a limit or are malformed are faults at `?parameter`.
 */
export function toFilters(query: Record<string, unknown>, fields: ListFields): Filters {
  const filters: Filters = { jsonpath: [], columns: [], faults: [] };
  let count = 0;
  for (const [parameter, given] of Object.entries(query)) {
    const [, name, operator = "equals"] = parameterPattern.exec(parameter) ?? [];
    const place = name === undefined ? undefined : findPlace(name, fields);
    if (place === undefined || listParameters.has(parameter)) continue;
    count += 1;
    if (count > filtersMax) {
      filters.faults.push({
        path: toPath(parameter),
        message: `exceeds the limit of ${filtersMax} filters`,
      });
      return filters;
    }
    const values = toValues(given, operator as Operator);
    const fault = findFault(place, operator as Operator, values);
    if (fault === undefined)
      addFilter(filters, { parameter, place, operator: operator as Operator, values });
    else filters.faults.push({ path: toPath(parameter), message: fault });
  }
  return filters;
}

/**
 * Translates `sort=field,-other` (wire section 0), at most three fields. An unknown field is a fault, unless it
 * begins with `data.`.
 */
export function toSort(
  sort: string | undefined,
  fields: ListFields,
): { sort: Sort[]; faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const names = (sort ?? "").split(",", sortsMax + 1).filter((name) => name !== "");
  if (names.length > sortsMax)
    faults.push({ path: "?sort", message: `takes at most ${sortsMax} fields` });
  const sorts = names.slice(0, sortsMax).flatMap((name): Sort[] => {
    const direction = name.startsWith("-") ? "desc" : "asc";
    const place = findPlace(name.replace(/^[+-]/, ""), fields);
    const fault = place ? findPathFault(place.segments) : "is not a field of these documents";
    if (place === undefined || fault !== undefined) {
      faults.push({ path: "?sort", message: `${JSON.stringify(name.slice(0, 100))} ${fault}` });
      return [];
    }
    if (place.kind === "body") {
      return [{ kind: "jsonpath", jsonpath: toPathExpression(place.segments), direction }];
    }
    return [{ kind: "column", column: toServiceColumn(place.segments[0]), direction }];
  });
  return { sort: sorts, faults };
}

/** The place that a name refers to: a column for the service's fields, a path in the body for others. */
function findPlace(name: string, fields: ListFields): Place | undefined {
  if (name.startsWith("data.")) return { kind: "body", segments: name.slice(5).split(".") };
  if (fields.service.has(name)) return { kind: "column", segments: [name] };
  const segments = name.split(".");
  const [first = ""] = segments;
  return fields.declared.has(first) ? { kind: "body", segments } : undefined;
}

function toValues(given: unknown, operator: Operator): string[] {
  const values = [given].flat().map(String);
  return operator === "in" ? values.flatMap((value) => value.split(",", valuesMax + 1)) : values;
}

function findFault({ segments }: Place, operator: Operator, values: string[]): string | undefined {
  const pathFault = findPathFault(segments);
  if (pathFault !== undefined) return pathFault;
  if (values.length > valuesMax) return `takes at most ${valuesMax} values`;
  if (values.some((value) => value.length > valueLengthMax)) {
    return `takes values of at most ${valueLengthMax} characters`;
  }
  if (values.some(isUnstorable)) return "contains a character that cannot be stored";
  if (operator === "contains" && values.includes("")) return "must not be empty";
  if (operator === "equals" || operator === "in" || operator === "contains") return undefined;
  if (values.length !== 1) return "may occur only once";
  if (operator === "exists" && !/^(?:true|false)$/.test(values[0] ?? ""))
    return "must be true or false";
  return undefined;
}

function findPathFault(segments: readonly string[]): string | undefined {
  if (segments.length > depthMax) return `has more than ${depthMax} levels`;
  if (segments.includes("")) return "has an empty part in its path";
  if (segments.some((segment) => segment.length > segmentLengthMax)) {
    return `has a part of over ${segmentLengthMax} characters in its path`;
  }
  return segments.some(isUnstorable) ? "contains a character that cannot be stored" : undefined;
}

/** PostgreSQL's text and jsonb hold neither NUL nor half of a surrogate pair. */
function isUnstorable(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

interface Filter {
  parameter: string;
  place: Place;
  operator: Operator;
  values: string[];
}

function addFilter(filters: Filters, { parameter, place, operator, values }: Filter): void {
  if (place.kind === "body") {
    filters.jsonpath.push(toPredicate(toPathExpression(place.segments), operator, values));
    return;
  }
  const filter = toColumnFilter(toServiceColumn(place.segments[0]), operator, values);
  if (typeof filter === "string") filters.faults.push({ path: toPath(parameter), message: filter });
  else if (filter) filters.columns.push(filter);
}

function toPredicate(path: string, operator: Operator, values: readonly string[]): string {
  const [value = ""] = values;
  if (operator === "equals" || operator === "in") return toEqualsAny(path, values);
  if (operator === "contains") return toContainsAny(path, values);
  if (operator === "exists") return toExists(path, value === "true");
  return toComparison(path, comparisons[operator], toBound(operator, value));
}

/** Texts are compared as such: those after a date begin after the last instant of its day. */
function toBound(operator: keyof typeof comparisons, value: string): string {
  const isAfterDay = isDate(value) && (operator === "gt" || operator === "lte");
  const instants = isAfterDay && parseInstants(value);
  return instants ? instants.last.toISOString() : value;
}

function toPath(parameter: string): string {
  return `?${parameter.slice(0, 100).toWellFormed().replaceAll("\0", "\uFFFD")}`;
}
