import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Reading } from "../../../platform/telemetry/reading.ts";
import type { Buckets } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb } from "../../../platform/db/db.ts";
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

/** Limit of combinations of a configuration, numbered from 1: anyone can create them. */
const CHOICES_MAX = 200;
const WHOLE_TO = 2_000;
const CACHED_MAX = 50_000;
/** Time for which a configuration at its limit is not looked up again. */
const FULL_MS = 60_000;
const FULL_LOGGED_MAX = 10_000;

/** An answer combination of a configuration. */
type Combination = ChoiceKey & AnswerSet;

/** Records and states whose answer combinations may have no number yet. */
export interface UnnumberedAnswers {
  records?: readonly { record: ChoiceKey; answered: AnswerSet }[];
  states: readonly State[];
}

/** The dictionary of answer combinations, which numbers them. */
export interface AnswerCombinations {
  /**
   * Sets `choice` on the answers of records and on states that have none yet. Finds or assigns the numbers in a
   * separate transaction. A combination that is not referenced yet may be erased again, so the transaction that
   * writes the reference has to lock it or check that it exists.
   */
  assignNumbers(of: UnnumberedAnswers): Promise<void>;
  /**
   * Evicts the numbers of these combinations, one of which may have been erased, from the cache and from the records'
   * answers. States keep theirs, because a retry reads or computes them again.
   */
  forget(of: UnnumberedAnswers): void;
  /** Number of configurations that reached the limit, as a metric. */
  readings: readonly Reading[];
}

/** Opens the dictionary. A number is never reused, so cache entries stay valid. */
export function openAnswerCombinations(
  buckets: Pick<Buckets, "of">,
  log?: Pick<FastifyBaseLogger, "warn">,
): AnswerCombinations {
  const numbers = new LRUCache<string, { choice: number | null }>({ max: CACHED_MAX });
  const full = new LRUCache<string, true>({ max: FULL_LOGGED_MAX });
  const logFull = ({ projectId, identifier }: ChoiceKey): void => {
    const name = `${projectId} ${identifier}`;
    if (full.has(name)) return;
    full.set(name, true);
    const message = "answer combination limit reached";
    log?.warn({ projectId, identifier }, message);
  };
  const loadNumbers = async (wanted: readonly Combination[]): Promise<void> => {
    const missing = wanted.filter((one) => {
      const known = numbers.get(keyOf(one, one.digest));
      // Even at the limit, the same combination gets a number if it answers all items at once.
      return !known || (known.choice === null && one.isWhole);
    });
    const groups = Map.groupBy(missing, ({ projectId, identifier }) =>
      JSON.stringify([projectId, identifier]),
    );
    for (const group of groups.values()) {
      const byDigest = new Map<string, Combination>();
      for (const one of group)
        if (one.isWhole || !byDigest.has(one.digest)) byDigest.set(one.digest, one);
      const [first] = group;
      const { data } = await buckets.of(first?.projectId ?? "");
      const found = await findOrCreate(data, [...byDigest.values()]);
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
        // The object is cached with its configuration.
        answered.choice = undefined;
        numbers.delete(keyOf(record, answered.digest));
      }
      for (const state of states)
        numbers.delete(keyOf(state, withDigest(state.answers, false).digest));
    },
    readings: [
      {
        name: "avow_choices_full",
        help: "Configurations that reached the limit of answer combinations.",
        merge: "max",
        read: () => full.size,
      },
    ],
  };
}

/** The combinations without a number, and the objects to set it on. */
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

/** The numbers of combinations of one configuration, by digest, without those beyond the limit. */
async function findOrCreate(
  db: DataDb,
  wanted: readonly Combination[],
): Promise<ReadonlyMap<string, number>> {
  const [first] = wanted;
  if (!first) return new Map();
  const digests = wanted.map(({ digest }) => digest);
  const known = await listChoicesByDigest(db, first, digests);
  if (known.length === wanted.length) return toNumbers(known);
  const refusals = new Map(wanted.map((one) => [one.digest, toRefusal(one)]));
  const wantedDigests = [...digests, ...[...refusals.values()].filter((one) => one !== undefined)];
  return inTransaction(db, async (tx) => {
    await lockChoices(tx, first);
    const numbers = toNumbers(await listChoicesByDigest(tx, first, wantedDigests));
    const assigned = await findAssignedNumbers(tx, first);
    for (const { digest, answers, isWhole } of wanted) {
      if (numbers.has(digest)) continue;
      const refused = numbers.get(refusals.get(digest) ?? "") ?? 0;
      const kind = isWhole || refused >= WHOLE_FROM ? "whole" : "other";
      const isFull = kind === "other" && assigned.others >= CHOICES_MAX;
      if (isFull || assigned.last[kind] >= (kind === "whole" ? WHOLE_TO : WHOLE_FROM - 1)) continue;
      if (kind === "other") assigned.others += 1;
      const choice = (assigned.last[kind] += 1);
      await insertChoice(tx, first, { choice, digest, items: toAnswersJson(answers) });
      numbers.set(digest, choice);
    }
    return numbers;
  });
}

/**
 * The digest of the refusals that answers which are all withdrawn were sent as; otherwise undefined. If those refusals
 * answer all items at once, so does the withdrawal.
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
