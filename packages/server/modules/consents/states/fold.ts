import { isDeepStrictEqual } from "node:util";
import type { AnswerSet } from "./answered.ts";
import type { Collection } from "@avow/contract/collections";
import type { RecordAnswersRow } from "./rebuild-store.ts";
import { type RecordAnswers, type State, follow, itemOf } from "./states.ts";
import { fromAnswersJson } from "./states-json.ts";
import type { ConsentRecord } from "../records/row.ts";

/** The state of one token and configuration, and the states that it replaced. */
export interface StateHistory {
  state: State;
  past: readonly { state: State; untilId: string }[];
}

/** The part of a record that determines a state. */
export function toRecordAnswers({
  record,
  answered,
}: {
  record: ConsentRecord;
  answered: AnswerSet;
}): RecordAnswers {
  const { projectId, id, token, identifier, collection, version, createdAt } = record;
  const { answers } = answered;
  return { projectId, id, token, identifier, collection, version, createdAt, answers };
}

/** The same, from a stored record. */
export function toStoredRecordAnswers(projectId: string, row: RecordAnswersRow): RecordAnswers {
  const { id, token, identifier, version, created_at: createdAt } = row;
  const answers = fromAnswersJson(row.answers ?? {});
  const collection = row.collection as Collection;
  return { projectId, id, token, identifier, collection, version, createdAt, answers };
}

/**
 * Applies records of one token and configuration, in the order of their ids, to the state before them. Throws
 * without a state and records.
 */
export function foldRecords(
  before: State | undefined,
  records: readonly RecordAnswers[],
): StateHistory {
  const past: { state: State; untilId: string }[] = [];
  let state = before;
  for (const one of records) {
    if (state) past.push({ state, untilId: one.id });
    state = follow(state, one);
  }
  if (!state) throw new Error("a state needs at least one record");
  return { state, past };
}

/** A key for a token and a configuration. It needs no project, because the ids of configurations are unique. */
export function toHistoryName({
  token,
  identifier,
}: Pick<RecordAnswers, "token" | "identifier">): string {
  return `${identifier} ${token}`;
}

/** Whether two states are equal, ignoring the numbers of their combinations. */
export function isSameState(a: State, b: State): boolean {
  if (a.consentId !== b.consentId || a.collection !== b.collection || a.version !== b.version)
    return false;
  if (a.answers.size !== b.answers.size) return false;
  for (const [item, answer] of a.answers) {
    const [own, other] = [itemOf(a, item), itemOf(b, item)];
    // Names may differ: a combination keeps the name that an item had first.
    if (!own || !other || !isDeepStrictEqual({ ...own, name: "" }, { ...other, name: "" }))
      return false;
    if (answer.answer !== b.answers.get(item)?.answer) return false;
  }
  return true;
}

/** Whether two current states count the same records. */
export function isSameCount(a: State, b: State): boolean {
  return a.consents === b.consents && a.firstSeenAt.getTime() === b.firstSeenAt.getTime();
}
