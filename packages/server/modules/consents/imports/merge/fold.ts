import { type Ledger, foldRecords } from "../../states/fold.ts";
import type { Said, State } from "../../states/states.ts";
import type { Candidate } from "./candidates.ts";

/** What is to be written of one token and configuration. */
export interface Change {
  /** The new records. */
  made: readonly Candidate[];
  /** Whether there was no state. */
  isNew: boolean;
  /** What comes of them; undefined: there is one record alone, which is the state. */
  ledger: Ledger | undefined;
}

/** What a candidate's record says. */
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

/** The change that records make, in their order, to the state before them. */
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
