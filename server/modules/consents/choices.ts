import { LRUCache } from "lru-cache";
import type { Db } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type Answered, withDigest } from "./answered.ts";
import {
  type ChoiceKey,
  countChoices,
  insertChoice,
  listChoicesByDigest,
  lockChoices,
} from "./choices-store.ts";
import type { State } from "./states.ts";
import { toAnswersJson } from "./states-json.ts";

/** A configuration has so many choices; answers for all at once, of which there are few, may take more. */
const CHOICES_MAX = 200;
const WHOLE_CHOICES_MAX = 256;
const CACHED_MAX = 50_000;
/** A configuration without room stays so; it is looked up again after a while all the same. */
const FULL_MS = 60_000;

/** A combination of answers to a configuration. */
type Wanted = ChoiceKey & Answered;

/** What is to be kept under the numbers of its answers. */
export interface Unnumbered {
  records?: readonly { record: ChoiceKey; answered: Answered }[];
  states: Iterable<State>;
}

/** The numbers that combinations of answers are kept under. */
export interface Choices {
  /**
   * Sets the `choice` of what records answered, and of states, where it was not looked up before:
   * finds or makes the numbers, in a transaction of their own.
   */
  setChoices(of: Unnumbered): Promise<void>;
}

/** Opens the dictionary of choices. Numbers never change, so that what is cached stays true. */
export function openChoices(db: Db): Choices {
  const numbers = new LRUCache<string, { choice: number | null }>({ max: CACHED_MAX });
  const loadNumbers = async (wanted: readonly Wanted[]): Promise<void> => {
    const missing = wanted.filter((one) => !numbers.has(keyOf(one)));
    const groups = Map.groupBy(missing, ({ projectId, identifier }) =>
      JSON.stringify([projectId, identifier]),
    );
    for (const group of groups.values()) {
      const byDigest = new Map(group.map((one) => [one.digest, one]));
      const found = await findOrMake(db, [...byDigest.values()]);
      for (const one of byDigest.values()) {
        const choice = found.get(one.digest) ?? null;
        numbers.set(keyOf(one), { choice }, choice === null ? { ttl: FULL_MS } : {});
      }
    }
  };
  return {
    async setChoices(of) {
      const unset = listUnset(of);
      if (unset.length === 0) return;
      await loadNumbers(unset.map(({ wanted }) => wanted));
      for (const { wanted, holder } of unset)
        holder.choice = numbers.get(keyOf(wanted))?.choice ?? null;
    },
  };
}

/** The combinations without a number, and who is to be told it. */
function listUnset({ records = [], states }: Unnumbered) {
  const unset: { wanted: Wanted; holder: Answered | State }[] = [];
  for (const { record, answered } of records) {
    if (answered.choice !== undefined) continue;
    const { projectId, identifier } = record;
    unset.push({ wanted: { projectId, identifier, ...answered }, holder: answered });
  }
  for (const state of states) {
    if (state.choice !== undefined) continue;
    const { projectId, identifier, answers } = state;
    unset.push({
      wanted: { projectId, identifier, ...withDigest(answers, false) },
      holder: state,
    });
  }
  return unset;
}

function keyOf({ projectId, identifier, digest }: Wanted): string {
  return `${projectId} ${digest} ${identifier}`;
}

/** The numbers of combinations of one configuration, by digest; those without room are left out. */
async function findOrMake(db: Db, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, number>> {
  const [first] = wanted;
  if (!first) return new Map();
  const digests = wanted.map(({ digest }) => digest);
  const known = await listChoicesByDigest(db, first, digests);
  if (known.length === wanted.length) return toNumbers(known);
  return inTransaction(db, async (tx) => {
    await lockChoices(tx, first);
    const numbers = toNumbers(await listChoicesByDigest(tx, first, digests));
    let last = await countChoices(tx, first);
    for (const { digest, answers, isWhole } of wanted) {
      if (numbers.has(digest) || last >= (isWhole ? WHOLE_CHOICES_MAX : CHOICES_MAX)) continue;
      last += 1;
      await insertChoice(tx, first, { choice: last, digest, items: toAnswersJson(answers) });
      numbers.set(digest, last);
    }
    return numbers;
  });
}

function toNumbers(rows: readonly { digest: string; choice: number }[]): Map<string, number> {
  return new Map(rows.map(({ digest, choice }) => [digest, choice]));
}
