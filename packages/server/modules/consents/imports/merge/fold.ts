import { type StateHistory, foldRecords } from "../../states/fold.ts";
import type { RecordAnswers, State } from "../../states/states.ts";
import type { Candidate } from "./candidates.ts";

/** The rows to write for one token and configuration. */
export interface Change {
  made: readonly Candidate[];
  /** Whether no state exists yet. */
  isNew: boolean;
  /** The resulting state; undefined for a single record, which is the state. */
  history: StateHistory | undefined;
}

export function toRecordAnswers(projectId: string, { id, entry, same }: Candidate): RecordAnswers {
  const { token, identifier, collection, createdAt } = entry;
  const { version } = same;
  return {
    projectId,
    id,
    token,
    identifier,
    collection,
    version,
    createdAt,
    answers: same.answered.answers,
  };
}

/** Applies records, in their order, to the state before them. */
export function toChange(
  projectId: string,
  before: State | undefined,
  made: readonly Candidate[],
): Change {
  const isNew = !before;
  if (isNew && made.length === 1) return { made, isNew, history: undefined };
  const said = made.map((one) => toRecordAnswers(projectId, one));
  return { made, isNew, history: foldRecords(before, said) };
}
