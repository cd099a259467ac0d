// The codec of archived records: the columns of `consents` in a Parquet file, and as text for PostgreSQL.
import type { SchemaElement } from "hyparquet";
import type { ColumnType } from "../../../platform/db/composite.ts";
import type { ConsentsTable } from "../../../platform/db/tables-data.ts";

/** A value as PostgreSQL reads it from JSON: instants and JSON are text. */
type Cell = string | number | boolean | null;

/**
 * A record with its answers, which do not depend on the dictionary of combinations. JSON is the stored text, to the
 * byte; instants have microseconds.
 */
export type ArchivedRow = Record<keyof ConsentsTable, Cell> & {
  project_id: string;
  id: string;
  token: string;
  identifier: string;
};

interface Column {
  type: ColumnType;
  isOptional: boolean;
}

const required = (type: ColumnType): Column => ({ type, isOptional: false });
const optional = (type: ColumnType): Column => ({ type, isOptional: true });

const columns = {
  project_id: required("text"),
  id: required("uuid"),
  token: required("text"),
  collection: required("text"),
  identifier: required("text"),
  created_at: required("timestamptz"),
  accept: required("boolean"),
  choice: optional("integer"),
  answers: optional("jsonb"),
  value: optional("json"),
  preferences: optional("json"),
  version: optional("integer"),
  client_at: optional("timestamptz"),
  language: optional("text"),
  url: optional("text"),
  country: optional("text"),
  user_agent: required("text"),
  import_id: optional("text"),
  warnings: optional("json"),
  grade: optional("text"),
  gpc: optional("boolean"),
  displayed_at: optional("timestamptz"),
} as const satisfies Record<keyof ConsentsTable, Column>;

export type ArchivedColumn = keyof typeof columns;
export const archivedColumns = Object.keys(columns) as readonly ArchivedColumn[];

export function typeOf(name: ArchivedColumn): ColumnType {
  return columns[name].type;
}

const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const elements = {
  text,
  json: text,
  jsonb: text,
  bytea: text,
  uuid: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } },
  integer: { type: "INT32" },
  boolean: { type: "BOOLEAN" },
  timestamptz: { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
} as const satisfies Record<ColumnType, Partial<SchemaElement>>;

/** The schema of an archived file. */
export const schema: SchemaElement[] = [
  { name: "consents", num_children: archivedColumns.length },
  ...archivedColumns.map((name) => ({
    name,
    ...elements[typeOf(name)],
    repetition_type: columns[name].isOptional ? ("OPTIONAL" as const) : ("REQUIRED" as const),
  })),
];

const MICROS = 1_000n;

/** The Parquet value of a cell. */
export function toParquet(name: ArchivedColumn, cell: Cell): unknown {
  return cell !== null && typeOf(name) === "timestamptz" ? toMicros(String(cell)) : cell;
}

/** The cell of a Parquet value. */
export function fromParquet(name: ArchivedColumn, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return typeOf(name) === "timestamptz" ? fromMicros(value as bigint) : (value as Cell);
}

/** `2024-03-01T00:00:00.000123Z`, which PostgreSQL and `Date` parse, from microseconds since 1970. */
function fromMicros(micros: bigint): string {
  // Rounded down, also before 1970.
  const rest = ((micros % MICROS) + MICROS) % MICROS;
  const ms = new Date(Number((micros - rest) / MICROS)).toISOString().slice(0, -1);
  return `${ms}${String(rest).padStart(3, "0")}Z`;
}

function toMicros(instant: string): bigint {
  return BigInt(Date.parse(`${instant.slice(0, 23)}Z`)) * MICROS + BigInt(instant.slice(23, 26));
}
