import type { Tx } from "../../../platform/db/db.ts";
import type { AnswerCombinations } from "../states/answer-combinations.ts";
import { toPastRow, toStateRow } from "../states/state-row.ts";
import { type StateHistory, toStoredRecordAnswers, toHistoryName } from "../states/fold.ts";
import {
  type RecordPosition,
  type TokenRange,
  insertHistories,
  listRecordAnswers,
  readInOrder,
} from "../states/rebuild-store.ts";
import { type State, follow } from "../states/states.ts";
import { assignAndLockNumbers } from "../states/used-combinations.ts";

const idMax = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The result of a page of records. */
export interface Part {
  /** How many records it had. */
  records: number;
  /** The states that they ended. */
  past: StateHistory["past"];
  /** The states of tokens that have no more records. */
  ends: readonly State[];
  /** The last token that is told whole; undefined where a token goes on since the part before. */
  through: string | undefined;
}

/**
 * The states that the records of some tokens make, in parts of `limit` records: however many a token has, no more
 * of them are in memory. `names` are the only ledgers that are wanted, where it is given; `from`: where to
 * begin in place of the first token of the range.
 */
export async function* foldParts(
  tx: Tx,
  range: TokenRange,
  { limit, names, from }: { limit: number; names?: ReadonlySet<string>; from?: RecordPosition },
): AsyncGenerator<Part> {
  let open = new Map<string, State>();
  let told: string | undefined;
  await readInOrder(tx);
  for (let after: RecordPosition = from ?? { token: range.after, id: idMax }; ;) {
    const rows = await listRecordAnswers(tx, range, { after, limit });
    const past: { state: State; untilId: string }[] = [];
    const ends: State[] = [];
    let through: string | undefined;
    for (const row of rows) {
      if (row.token !== told) {
        ends.push(...open.values());
        open = new Map();
        through = told;
        told = row.token;
      }
      if (names && !names.has(toHistoryName(row))) continue;
      const said = toStoredRecordAnswers(range.projectId, row);
      const before = open.get(said.identifier);
      if (before) past.push({ state: before, untilId: said.id });
      open.set(said.identifier, follow(before, said));
    }
    const last = rows.at(-1);
    const isEnd = last === undefined || rows.length < limit;
    if (isEnd) ends.push(...open.values());
    yield { records: rows.length, past, ends, through: isEnd ? range.last : through };
    if (isEnd) return;
    after = last;
  }
}

/**
 * Writes the states of a part, whose ledgers are not there.
 * @throws CombinationErasedError as `assignAndLockNumbers`: again, in another transaction
 */
export async function insertPart(
  tx: Tx,
  choices: AnswerCombinations,
  { past, ends }: Pick<Part, "past" | "ends">,
): Promise<void> {
  await assignAndLockNumbers(tx, choices, { states: [...past.map(({ state }) => state), ...ends] });
  const states = ends.map((state) => toStateRow(state));
  await insertHistories(tx, { states, past: past.map(toPastRow) });
}
