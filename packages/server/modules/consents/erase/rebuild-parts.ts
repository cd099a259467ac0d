import type { DataTx } from "../../../platform/db/db.ts";
import type { ArchivedRow } from "../archive/archived.ts";
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
  /** Number of records. */
  records: number;
  /** The states that they replaced. */
  past: StateHistory["past"];
  /** The final states of the tokens that are complete. */
  ends: readonly State[];
  /** The last complete token; undefined if no token was completed. */
  through: string | undefined;
}

/**
 * Computes the states of tokens from their records, in parts of `limit` records, which bounds the memory for tokens with
 * many. `names`: only these token-configuration pairs; `from`: where to start instead of the first token of the
 * range; `archived`: the archived records of these tokens.
 */
export async function* foldParts(
  tx: DataTx,
  range: TokenRange,
  {
    limit,
    names,
    from,
    archived = [],
  }: {
    limit: number;
    names?: ReadonlySet<string>;
    from?: RecordPosition;
    archived?: readonly ArchivedRow[];
  },
): AsyncGenerator<Part> {
  let open = new Map<string, State>();
  let current: string | undefined;
  await readInOrder(tx);
  for (let after: RecordPosition = from ?? { token: range.after, id: idMax }; ;) {
    const rows = await listRecordAnswers(tx, range, { after, limit, archived });
    const past: { state: State; untilId: string }[] = [];
    const ends: State[] = [];
    let through: string | undefined;
    for (const row of rows) {
      if (row.token !== current) {
        ends.push(...open.values());
        open = new Map();
        through = current;
        current = row.token;
      }
      if (names && !names.has(toHistoryName(row))) continue;
      const record = toStoredRecordAnswers(range.projectId, row);
      const before = open.get(record.identifier);
      if (before) past.push({ state: before, untilId: record.id });
      open.set(record.identifier, follow(before, record));
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
 * Inserts the states of a part; there must be none of its tokens and configurations.
 * @throws CombinationErasedError as `assignAndLockNumbers`: retry in another transaction
 */
export async function insertPart(
  tx: DataTx,
  choices: AnswerCombinations,
  { past, ends }: Pick<Part, "past" | "ends">,
): Promise<void> {
  await assignAndLockNumbers(tx, choices, { states: [...past.map(({ state }) => state), ...ends] });
  const states = ends.map((state) => toStateRow(state));
  await insertHistories(tx, { states, past: past.map(toPastRow) });
}
