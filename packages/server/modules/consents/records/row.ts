// The codec of `consents`: its columns, and the conversions between records and rows. INSERT, COPY, SELECT lists and
// exports are derived from this list, by name. `toRow` and `toRecord` are written out, because a loop over the list
// takes 4 to 6 µs per record instead of 0.3; the compiler rejects them if a column is missing.
import type { Selectable } from "kysely";
import type { ColumnType, CompositeField } from "../../../platform/db/composite.ts";
import type { ConsentsTable } from "../../../platform/db/tables-data.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import type { Collection } from "@avow/contract/collections";
import { type AssuranceLevel, toAssuranceLevel } from "./assurance-levels.ts";
import type { Preferences } from "@avow/contract/consents";

export interface ConsentRecord {
  projectId: string;
  id: string;
  token: string;
  collection: Collection;
  identifier: string;
  accept: boolean;
  preferences: Preferences | null;
  value: unknown;
  language: string | null;
  url: string | null;
  clientAt: Date | null;
  country: string | null;
  userAgent: string;
  version: number | null;
  warnings: readonly FieldFault[];
  /** The import that added it. */
  importId: string | null;
  grade: AssuranceLevel;
  /** Whether the request had `Sec-GPC: 1`; null for imports, and for records older than this column. */
  gpc: boolean | null;
  /** The time of the display that was answered, proven by a ticket. */
  displayedAt: Date | null;
  createdAt: Date;
}

/** A row with parsed JSON, as `SELECT *` returns it. */
export type ConsentRow = Selectable<ConsentsTable>;

/** A row with JSON as text, as it is written and as the log commits to it. */
export interface StoredRow extends Omit<ConsentRow, JsonColumn | "answers"> {
  preferences: string | null;
  value: string | null;
  warnings: string | null;
  answers: object | null;
}
type JsonColumn = "preferences" | "value" | "warnings";

/** The part of a row that the log commits to. */
export type RecordedRow = Omit<StoredRow, "warnings">;

/** The answers of a record: the number of their combination, or the answers themselves if it has no number. */
export type AnswerCells = Pick<StoredRow, "choice" | "answers">;

interface Column<Name extends string | undefined> extends CompositeField<StoredRow> {
  /** Name in exports; undefined: not exported. */
  exported: Name;
  /** Whether the value may be missing in an exported record. */
  isOptional: boolean;
}

const required = <const Name extends string | undefined = undefined>(
  type: ColumnType,
  valueOf: Column<Name>["valueOf"],
  exported?: Name,
) => ({ type, valueOf, exported: exported as Name, isOptional: false });
const optional: typeof required = (...column) => ({ ...required(...column), isOptional: true });

/** The columns of `consents`, in the order of exports. */
export const columns = {
  project_id: required("text", (row) => row.project_id),
  id: required("uuid", (row) => row.id, "consentId"),
  token: required("text", (row) => row.token, "token"),
  collection: required("text", (row) => row.collection, "collection"),
  identifier: required("text", (row) => row.identifier, "identifier"),
  created_at: required("timestamptz", (row) => row.created_at, "createdAt"),
  value: optional("json", (row) => row.value, "value"),
  preferences: optional("json", (row) => row.preferences, "preferences"),
  version: optional("integer", (row) => row.version, "version"),
  client_at: optional("timestamptz", (row) => row.client_at, "timestamp"),
  language: optional("text", (row) => row.language, "language"),
  url: optional("text", (row) => row.url, "url"),
  country: optional("text", (row) => row.country, "country"),
  user_agent: required("text", (row) => row.user_agent, "userAgent"),
  import_id: optional("text", (row) => row.import_id, "import"),
  warnings: optional("json", (row) => row.warnings, "warnings"),
  // Null if the level follows from `import_id`; exports always contain the level.
  grade: required("text", (row) => row.grade, "grade"),
  gpc: optional("boolean", (row) => row.gpc, "gpc"),
  displayed_at: optional("timestamptz", (row) => row.displayed_at, "displayedAt"),
  accept: required("boolean", (row) => row.accept, "accept"),
  choice: optional("integer", (row) => row.choice),
  answers: optional("jsonb", (row) => row.answers && JSON.stringify(row.answers)),
} satisfies Record<keyof ConsentsTable, Column<string | undefined>>;

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as readonly ColumnName[];

export function toRow(record: ConsentRecord, { choice, answers }: AnswerCells): StoredRow {
  const { grade, warnings, importId } = record;
  const isImplied = grade === "browser" || (grade === "imported" && importId !== null);
  return {
    project_id: record.projectId,
    id: record.id,
    token: record.token,
    collection: record.collection,
    identifier: record.identifier,
    accept: record.accept,
    choice,
    answers,
    preferences: toJson(record.preferences),
    value: toJson(record.value),
    language: record.language,
    url: record.url,
    client_at: record.clientAt,
    country: record.country,
    user_agent: record.userAgent,
    version: record.version,
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : null,
    import_id: importId,
    created_at: record.createdAt,
    grade: isImplied ? null : grade,
    gpc: record.gpc,
    displayed_at: record.displayedAt,
  };
}

export function toRecord(row: ConsentRow): ConsentRecord {
  return {
    projectId: row.project_id,
    id: row.id,
    token: row.token,
    collection: row.collection as Collection,
    identifier: row.identifier,
    accept: row.accept,
    preferences: row.preferences as Preferences | null,
    value: row.value,
    language: row.language,
    url: row.url,
    clientAt: row.client_at,
    country: row.country,
    userAgent: row.user_agent,
    version: row.version,
    warnings: (row.warnings ?? []) as FieldFault[],
    importId: row.import_id,
    grade: toAssuranceLevel(row),
    gpc: row.gpc,
    displayedAt: row.displayed_at,
    createdAt: row.created_at,
  };
}

export function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
