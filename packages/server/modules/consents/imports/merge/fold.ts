import { type Ledger, foldRecords } from "../../states/fold.ts";
import type { Said, State } from "../../states/states.ts";
import type { Candidate } from "./candidates.ts";

/** The rows to write for one token and configuration. */
export interface Change {
  made: readonly Candidate[];
  /** Whether no state exists yet. */
  isNew: boolean;
  /** The resulting state; undefined for a single record, which is the state. */
  ledger: Ledger | undefined;
}

export function toSaid(projectId: string, { id, entry, same }: Candidate): Said {
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
  if (isNew && made.length === 1) return { made, isNew, ledger: undefined };
  const said = made.map((one) => toSaid(projectId, one));
  return { made, isNew, ledger: foldRecords(before, said) };
}
