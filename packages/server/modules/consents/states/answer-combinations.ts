import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { type AnswerSet, withDigest } from "./answered.ts";
import {
  type ChoiceKey,
  WHOLE_FROM,
  findAssignedNumbers,
  insertChoice,
  listChoicesByDigest,
  lockChoices,
} from "./answer-combinations-store.ts";
import type { State } from "./states.ts";
import { toAnswersJson } from "./states-json.ts";

/** Maximum choices of a configuration, numbered from 1: anybody can create them. */
const CHOICES_MAX = 200;
const WHOLE_TO = 2_000;
const CACHED_MAX = 50_000;
/** Time for which a configuration at its limit is not looked up again. */
const FULL_MS = 60_000;
const FULL_LOGGED_MAX = 10_000;

/** A combination of answers to a configuration. */
type Combination = ChoiceKey & AnswerSet;

/** Records and states whose answers have no number yet. */
export interface UnnumberedAnswers {
  records?: readonly { record: ChoiceKey; answered: AnswerSet }[];
  states: readonly State[];
}

/** A number for `/metrics`. */
interface Reading {
  name: string;
  help: string;
  read: () => number;
}

/** The numbers that combinations of answers are kept under. */
export interface AnswerCombinations {
  /**
   * Sets the `choice` of what records answered, and of states, where it was not looked up before:
   * finds or makes the numbers, in a transaction of their own. One that nobody uses yet may be erased
   * again: whoever writes it locks it, or checks that it is there.
   */
  assignNumbers(of: UnnumberedAnswers): Promise<void>;
  /**
   * Forgets the numbers of these, one of which may have been erased: what is cached, and what the
   * records' answers were told. States keep theirs: whoever tries again has read or made them anew.
   */
  forget(of: UnnumberedAnswers): void;
  /** How many configurations were met here without room for what was answered. */
  readings: readonly Reading[];
}

/** Opens the dictionary of choices. A number never means something else, so that what is cached stays true. */
export function openAnswerCombinations(
  db: Db,
  log?: Pick<FastifyBaseLogger, "warn">,
): AnswerCombinations {
  const numbers = new LRUCache<string, { choice: number | null }>({ max: CACHED_MAX });
  const full = new LRUCache<string, true>({ max: FULL_LOGGED_MAX });
  const logFull = ({ projectId, identifier }: ChoiceKey): void => {
    const name = `${projectId} ${identifier}`;
    if (full.has(name)) return;
    full.set(name, true);
    const message = "a configuration has no room for more combinations of answers";
    log?.warn({ projectId, identifier }, message);
  };
  const loadNumbers = async (wanted: readonly Combination[]): Promise<void> => {
    const missing = wanted.filter((one) => {
      const known = numbers.get(keyOf(one, one.digest));
      // There may be room for the same answers where they are for all at once.
      return !known || (known.choice === null && one.isWhole);
    });
    const groups = Map.groupBy(missing, ({ projectId, identifier }) =>
      JSON.stringify([projectId, identifier]),
    );
    for (const group of groups.values()) {
      const byDigest = new Map<string, Combination>();
      for (const one of group)
        if (one.isWhole || !byDigest.has(one.digest)) byDigest.set(one.digest, one);
      const found = await findOrMake(db, [...byDigest.values()]);
      for (const one of byDigest.values()) {
        const choice = found.get(one.digest) ?? null;
        numbers.set(keyOf(one, one.digest), { choice }, choice === null ? { ttl: FULL_MS } : {});
        if (choice === null) logFull(one);
      }
    }
  };
  return {
    async assignNumbers(of) {
      const unset = listUnset(of);
      if (unset.length === 0) return;
      await loadNumbers(unset.map(({ wanted }) => wanted));
      for (const { wanted, holder } of unset)
        holder.choice = numbers.get(keyOf(wanted, wanted.digest))?.choice ?? null;
    },
    forget({ records = [], states }) {
      for (const { record, answered } of records) {
        // It is cached with what its configuration offers.
        answered.choice = undefined;
        numbers.delete(keyOf(record, answered.digest));
      }
      for (const state of states)
        numbers.delete(keyOf(state, withDigest(state.answers, false).digest));
    },
    readings: [
      {
        name: "avow_choices_full",
        help: "Configurations met without room for more combinations of answers.",
        read: () => full.size,
      },
    ],
  };
}

/** The combinations without a number, and who is to be told it. */
function listUnset({ records = [], states }: UnnumberedAnswers) {
  const unset: { wanted: Combination; holder: AnswerSet | State }[] = [];
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

function keyOf({ projectId, identifier }: ChoiceKey, digest: string): string {
  return `${projectId} ${digest} ${identifier}`;
}

/** The numbers of combinations of one configuration, by digest; those without room are left out. */
async function findOrMake(
  db: Db,
  wanted: readonly Combination[],
): Promise<ReadonlyMap<string, number>> {
  const [first] = wanted;
  if (!first) return new Map();
  const digests = wanted.map(({ digest }) => digest);
  const known = await listChoicesByDigest(db, first, digests);
  if (known.length === wanted.length) return toNumbers(known);
  const refusals = new Map(wanted.map((one) => [one.digest, toRefusal(one)]));
  const looked = [...digests, ...[...refusals.values()].filter((one) => one !== undefined)];
  return inTransaction(db, async (tx) => {
    await lockChoices(tx, first);
    const numbers = toNumbers(await listChoicesByDigest(tx, first, looked));
    const given = await findAssignedNumbers(tx, first);
    for (const { digest, answers, isWhole } of wanted) {
      if (numbers.has(digest)) continue;
      const refused = numbers.get(refusals.get(digest) ?? "") ?? 0;
      const kind = isWhole || refused >= WHOLE_FROM ? "whole" : "other";
      const isFull = kind === "other" && given.others >= CHOICES_MAX;
      if (isFull || given.last[kind] >= (kind === "whole" ? WHOLE_TO : WHOLE_FROM - 1)) continue;
      if (kind === "other") given.others += 1;
      const choice = (given.last[kind] += 1);
      await insertChoice(tx, first, { choice, digest, items: toAnswersJson(answers) });
      numbers.set(digest, choice);
    }
    return numbers;
  });
}

/**
 * Of answers that are all withdrawn the digest of the refusals that they were said as: where that is
 * for all at once, so are they.
 */
function toRefusal({ answers }: Combination): string | undefined {
  const all = [...answers];
  if (!all.every(([, { answer }]) => answer === "withdrawn")) return undefined;
  const refused = all.map(([item, one]) => [item, { ...one, answer: "refused" }] as const);
  return withDigest(new Map(refused), false).digest;
}

function toNumbers(rows: readonly { digest: string; choice: number }[]): Map<string, number> {
  return new Map(rows.map(({ digest, choice }) => [digest, choice]));
}
