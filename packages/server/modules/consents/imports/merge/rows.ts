import { type CopiedRows, openRows } from "../../../../platform/db/copied-rows.ts";
import { toCopyText } from "../../../../platform/db/copy.ts";
import type { CompositeValue } from "../../../../platform/db/composite.ts";
import type { Commitments, Recordable } from "../../ports.ts";
import {
  type ColumnName,
  type ConsentRecord,
  type StoredRow,
  columnNames,
  columns,
  toJson,
  toRow,
} from "../../records/row.ts";
import { toAnswersJson } from "../../states/states-json.ts";
import type { Entry } from "../formats/entry.ts";
import type { Candidate, Same } from "./candidates.ts";

/** The user agent of an imported record. */
const USER_AGENT = "import";
/** Estimates of the bytes of a row. */
const RECORD_BYTES = 600;
const STATE_BYTES = 250;
const QUEUED_BYTES = 220;
/** Hexadecimal digits of an entry and of a salt. */
const DIGITS = 64;

/** Columns that differ from record to record; the others are shared by all records with the same answer. */
const keyColumns = ["id", "token", "created_at"] as const satisfies ColumnName[];
const ownColumns = ["value", "language", "url", "client_at"] as const satisfies ColumnName[];
const sharedColumns = columnNames.filter(
  (name) => ![...keyColumns, ...ownColumns].some((own) => own === name),
);
/** The subset that the state has, too. */
const stateColumns = [
  "project_id",
  "collection",
  "identifier",
  "choice",
  "version",
] as const satisfies ColumnName[];

/** The columns of the rows below, in order. */
export const copiedColumns = {
  records: [...keyColumns, ...ownColumns, ...sharedColumns],
  states: ["consent_id", "token", "since", "first_seen_at", ...stateColumns, "consents"],
  queue: ["project_id", "consent_id", "entry", "salt"],
} as const;

/** Ids shared by the rows of one import. */
export interface Names {
  projectId: string;
  importId: string;
}

/** A candidate as the log commits to it. */
export interface Committed extends Recordable {
  candidate: Candidate;
}

export function toRecordRows(made: readonly Candidate[], names: Names): Buffer {
  const rows = openRows(made.length * RECORD_BYTES);
  for (const one of made) {
    const { id, entry, same } = one;
    addKey(rows, { id, token: entry.token, at: entry.at });
    rows.addText(isPlain(entry) ? emptyOwnCells : toOwnCells(entry));
    rows.addBytes((same.rows ??= toSameRows(one, names)).record);
  }
  return rows.toBytes();
}

/** Rows of `consent_states` for records that are the whole state. */
export function toStateRows(made: readonly Candidate[], names: Names): Buffer {
  const rows = openRows(made.length * STATE_BYTES);
  for (const one of made) {
    const { id, entry, same } = one;
    const { token, at } = entry;
    addKey(rows, { id, token, at });
    rows.addText("\t");
    rows.addText(at);
    rows.addBytes((same.rows ??= toSameRows(one, names)).state);
  }
  return rows.toBytes();
}

/** The rows of `consent_queue`: each record's commitment. */
export function toQueueRows(
  made: readonly Candidate[],
  projectId: string,
  commitments: Commitments,
): Buffer {
  const rows = openRows(made.length * QUEUED_BYTES);
  const entries = commitments.entries.toString("hex");
  const salts = commitments.salts.toString("hex");
  for (const [at, { id }] of made.entries()) {
    const [from, to] = [at * DIGITS, (at + 1) * DIGITS];
    rows.addText(`${projectId}\t`);
    rows.addText(id);
    rows.addText("\t\\\\x");
    rows.addText(entries.slice(from, to));
    rows.addText("\t\\\\x");
    rows.addText(salts.slice(from, to));
    rows.addText("\n");
  }
  return rows.toBytes();
}

/** Records for the log, once their rows were made. */
export function toCommitted(made: readonly Candidate[]): Committed[] {
  return made.map((candidate) => {
    const { id, entry, same } = candidate;
    const { token, at } = entry;
    return { id, token, at, like: isPlain(entry) ? same.rows : undefined, candidate };
  });
}

export function toCandidateRow(
  { id, entry, same }: Candidate,
  { projectId, importId }: Names,
): StoredRow {
  const { choice = null, answers } = same.answered;
  const record: ConsentRecord = {
    projectId,
    id,
    token: entry.token,
    collection: entry.collection,
    identifier: entry.identifier,
    accept: entry.accept,
    preferences: entry.preferences,
    value: entry.value,
    language: entry.language,
    url: entry.url,
    clientAt: entry.clientAt,
    country: null,
    userAgent: USER_AGENT,
    version: same.version,
    warnings: same.warnings,
    importId,
    grade: "imported",
    gpc: null,
    displayedAt: null,
    createdAt: entry.createdAt,
  };
  return toRow(record, { choice, answers: choice === null ? toAnswersJson(answers) : null });
}

const emptyOwnCells = `\t${toCells(ownColumns.map(() => null))}\t`;

function toOwnCells({ value, language, url, clientAt }: Entry): string {
  const own = { value: toJson(value), language, url, client_at: clientAt };
  return `\t${toCells(ownColumns.map((name) => own[name]))}\t`;
}

/** Whether an entry has nothing in `ownColumns`. */
function isPlain({ value, language, url, clientAt }: Entry): boolean {
  return value === null && language === null && url === null && clientAt === null;
}

function addKey(rows: CopiedRows, { id, token, at }: Omit<Recordable, "like">): void {
  rows.addText(id);
  rows.addText("\t");
  rows.addText(toCopyText(token));
  rows.addText("\t");
  rows.addText(at);
}

function toSameRows(candidate: Candidate, names: Names): NonNullable<Same["rows"]> {
  const row = toCandidateRow(candidate, names);
  const toShared = (shared: readonly ColumnName[]) =>
    toCells(shared.map((name) => columns[name].valueOf(row)));
  return {
    record: Buffer.from(`${toShared(sharedColumns)}\n`),
    state: Buffer.from(`\t${toShared(stateColumns)}\t1\n`),
    choice: row.choice,
  };
}

function toCells(values: readonly CompositeValue[]): string {
  return values.map((value) => toCopyText(toCell(value))).join("\t");
}

function toCell(value: CompositeValue): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return String(value);
}
