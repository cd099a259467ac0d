import { type CopiedRows, openRows } from "../../../../platform/db/copied-rows.ts";
import { toCopyText } from "../../../../platform/db/copy.ts";
import type { Commitments, Recordable } from "../../commitments/commitments.ts";
import type { RecordedRow } from "../../commitments/recorded-store.ts";
import { toAnswersJson } from "../../states/states-json.ts";
import type { Candidate, Same } from "./candidates.ts";
import type { Entry } from "../formats/entry.ts";

/** What an imported record has for a user agent. */
const USER_AGENT = "import";
/** Rows have about so many bytes. */
const RECORD_BYTES = 600;
const STATE_BYTES = 250;
const QUEUED_BYTES = 220;
/** Hexadecimal digits of an entry and of a salt. */
const DIGITS = 64;

/** What the rows of one import have in common. */
export interface Names {
  projectId: string;
  importId: string;
}

/** A candidate as the log commits to it. */
export interface Committed extends Recordable {
  candidate: Candidate;
}

/** Records for `copyRecords`. */
export function toRecordRows(made: readonly Candidate[], names: Names): Buffer {
  const rows = openRows(made.length * RECORD_BYTES);
  for (const { id, entry, same } of made) {
    const { token, at, value, language, url, clientAt } = entry;
    addKey(rows, { id, token, at });
    if (isPlain(entry)) rows.addText(nothingMore);
    else {
      const more = [toJson(value), language, url, clientAt && clientAt.toISOString()];
      rows.addText(`\t${toCells(more)}\t`);
    }
    rows.addBytes((same.rows ??= toSameRows(entry, same, names)).record);
  }
  return rows.toBytes();
}

/** Records as states, for `copyFirstStates`. */
export function toStateRows(made: readonly Candidate[], names: Names): Buffer {
  const rows = openRows(made.length * STATE_BYTES);
  for (const { id, entry, same } of made) {
    const { token, at } = entry;
    addKey(rows, { id, token, at });
    rows.addText("\t");
    rows.addText(at);
    rows.addBytes((same.rows ??= toSameRows(entry, same, names)).state);
  }
  return rows.toBytes();
}

/** Records with what the log commits to of each, for `copyQueue`. */
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

/** A candidate as the row that is read of it once it is written. */
export function toRecorded(
  { id, entry, same }: Candidate,
  { projectId, importId }: Names,
): RecordedRow {
  const { choice = null, answers } = same.answered;
  return {
    project_id: projectId,
    id,
    token: entry.token,
    collection: entry.collection,
    identifier: entry.identifier,
    accept: entry.accept,
    choice,
    answers: choice === null ? toAnswersJson(answers) : null,
    preferences: toJson(entry.preferences),
    value: toJson(entry.value),
    language: entry.language,
    url: entry.url,
    client_at: entry.clientAt,
    country: null,
    user_agent: USER_AGENT,
    version: same.version,
    import_id: importId,
    grade: null,
    gpc: null,
    displayed_at: null,
    created_at: entry.createdAt,
  };
}

const nothingMore = "\t\\N\t\\N\t\\N\t\\N\t";

/** Whether an entry says no more than an answer at a time. */
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

function toSameRows(
  { collection, identifier, accept, preferences }: Entry,
  { version, answered, warnings }: Same,
  { projectId, importId }: Names,
): NonNullable<Same["rows"]> {
  const { choice = null } = answered;
  const shared = [projectId, collection, identifier, toNumber(choice), toNumber(version)];
  const record = [
    ...shared,
    accept ? "t" : "f",
    choice === null ? JSON.stringify(toAnswersJson(answered.answers)) : null,
    toJson(preferences),
    warnings.length > 0 ? JSON.stringify(warnings) : null,
    importId,
    USER_AGENT,
  ];
  return {
    record: Buffer.from(`${toCells(record)}\n`),
    state: Buffer.from(`\t${toCells([...shared, "1"])}\n`),
    choice,
  };
}

function toCells(values: readonly (string | null)[]): string {
  return values.map(toCopyText).join("\t");
}

function toNumber(value: number | null): string | null {
  return value === null ? null : String(value);
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
