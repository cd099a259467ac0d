import type { AnswerCombinations, UnnumberedAnswers } from "../../states/answer-combinations.ts";
import type { Commit } from "../../ports.ts";
import { foldRecords } from "../../states/fold.ts";
import { listUsedChoices } from "../../states/used-combinations.ts";
import type { UsedChoice } from "../../states/answer-combinations-store.ts";
import type { Candidate } from "./candidates.ts";
import { type Change, toRecordAnswers } from "./fold.ts";
import type { NewRows } from "./merge-store.ts";
import {
  type Names,
  toCommitted,
  toCandidateRow,
  toQueueRows,
  toRecordRows,
  toStateRows,
} from "./rows.ts";

/** Rows of changes, as far as they can be created outside of the transaction. */
export interface Prepared {
  /** Number of records. */
  count: number;
  rows: Omit<NewRows, "queue">;
  /** The commitments; a failure is thrown once the combinations are known to exist. */
  queue: Promise<Buffer>;
  /** The answers of the records and their answer combinations. */
  answered: UnnumberedAnswers;
  used: readonly UsedChoice[];
  /** Changes of more than one record. */
  others: readonly Required<Change>[];
}

/** Numbers the answer combinations of changes and creates their rows. */
export async function prepareChanges(
  { choices, commit, ...names }: Names & { choices: AnswerCombinations; commit: Commit },
  changes: readonly Change[],
): Promise<Prepared> {
  const made = changes.flatMap((change) => change.made);
  // In key order, for the index.
  made.sort((a, b) => (a.id < b.id ? -1 : 1));
  const answered = toAnswerSets(names.projectId, made);
  await choices.assignNumbers(answered);
  for (const { same } of made) if (same.rows?.choice !== same.answered.choice) delete same.rows;
  const records = toRecordRows(made, names);
  const queue = commit(toCommitted(made), ({ candidate }) => toCandidateRow(candidate, names)).then(
    (commitments) => toQueueRows(made, names.projectId, commitments),
  );
  const firsts = changes.flatMap((change) => (isFirst(change) ? change.made : []));
  const rows = { records, states: toStateRows(firsts, names) };
  const others = changes.filter((change) => !isFirst(change));
  await Promise.allSettled([queue]);
  return {
    count: made.length,
    rows,
    queue,
    answered,
    used: listUsedChoices(
      answered.records.map(({ record, answered: { choice } }) => ({ ...record, choice })),
    ),
    others: others.map((change) => withHistory(names.projectId, change)),
  };
}

/** Whether a single record with an answer combination is the whole state. */
function isFirst({ history, made: [first] }: Change): boolean {
  return !history && first?.same.answered.choice !== null;
}

function withHistory(projectId: string, change: Change): Required<Change> {
  const { made } = change;
  const history =
    change.history ??
    foldRecords(
      undefined,
      made.map((one) => toRecordAnswers(projectId, one)),
    );
  return { ...change, history };
}

/** The answers of the records, deduplicated by combination. */
function toAnswerSets(projectId: string, made: readonly Candidate[]) {
  const identifiers = new Map(
    made.map(({ same, entry }) => [same.answered, entry.identifier] as const),
  );
  const records = [...identifiers].map(([answered, identifier]) => ({
    record: { projectId, identifier },
    answered,
  }));
  return { records, states: [] };
}
