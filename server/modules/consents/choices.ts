import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Db } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type Answered, withDigest } from "./answered.ts";
import {
  type ChoiceKey,
  findLastChoices,
  insertChoice,
  listChoicesByDigest,
  lockChoices,
} from "./choices-store.ts";
import type { State } from "./states.ts";
import { toAnswersJson } from "./states-json.ts";

/** A configuration has so many choices, numbered from 1: anybody can make them. */
const CHOICES_MAX = 200;
/**
 * Answers for all at once are numbered from here. There are two or three of them for what a version
 * offers, whatever visitors send: room for hundreds of versions that each ask for something else.
 */
const WHOLE_FROM = 1_001;
const WHOLE_TO = 2_000;
const CACHED_MAX = 50_000;
/** A configuration without room stays so; it is looked up again after a while all the same. */
const FULL_MS = 60_000;
const FULL_TOLD_MAX = 10_000;

/** A combination of answers to a configuration. */
type Wanted = ChoiceKey & Answered;

/** What is to be kept under the numbers of its answers. */
export interface Unnumbered {
  records?: readonly { record: ChoiceKey; answered: Answered }[];
  states: Iterable<State>;
}

/** A number for `/metrics`. */
interface Reading {
  name: string;
  help: string;
  read: () => number;
}

/** The numbers that combinations of answers are kept under. */
export interface Choices {
  /**
   * Sets the `choice` of what records answered, and of states, where it was not looked up before:
   * finds or makes the numbers, in a transaction of their own.
   */
  setChoices(of: Unnumbered): Promise<void>;
  /** How many configurations were met here without room for what was answered. */
  readings: readonly Reading[];
}

/** Opens the dictionary of choices. Numbers never change, so that what is cached stays true. */
export function openChoices(db: Db, log?: Pick<FastifyBaseLogger, "warn">): Choices {
  const numbers = new LRUCache<string, { choice: number | null }>({ max: CACHED_MAX });
  const full = new LRUCache<string, true>({ max: FULL_TOLD_MAX });
  const tellFull = ({ projectId, identifier }: ChoiceKey): void => {
    const name = `${projectId} ${identifier}`;
    if (full.has(name)) return;
    full.set(name, true);
    const message = "a configuration has no room for more combinations of answers";
    log?.warn({ projectId, identifier }, message);
  };
  const loadNumbers = async (wanted: readonly Wanted[]): Promise<void> => {
    const missing = wanted.filter((one) => {
      const known = numbers.get(keyOf(one));
      // There may be room for the same answers where they are for all at once.
      return !known || (known.choice === null && one.isWhole);
    });
    const groups = Map.groupBy(missing, ({ projectId, identifier }) =>
      JSON.stringify([projectId, identifier]),
    );
    for (const group of groups.values()) {
      const byDigest = new Map<string, Wanted>();
      for (const one of group)
        if (one.isWhole || !byDigest.has(one.digest)) byDigest.set(one.digest, one);
      const found = await findOrMake(db, [...byDigest.values()]);
      for (const one of byDigest.values()) {
        const choice = found.get(one.digest) ?? null;
        numbers.set(keyOf(one), { choice }, choice === null ? { ttl: FULL_MS } : {});
        if (choice === null) tellFull(one);
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
  const refusals = new Map(wanted.map((one) => [one.digest, toRefusal(one)]));
  const looked = [...digests, ...[...refusals.values()].filter((one) => one !== undefined)];
  return inTransaction(db, async (tx) => {
    await lockChoices(tx, first);
    const numbers = toNumbers(await listChoicesByDigest(tx, first, looked));
    const last = await findLastChoices(tx, first, WHOLE_FROM);
    for (const { digest, answers, isWhole } of wanted) {
      if (numbers.has(digest)) continue;
      const refused = numbers.get(refusals.get(digest) ?? "") ?? 0;
      const kind = isWhole || refused >= WHOLE_FROM ? "whole" : "other";
      if (last[kind] >= (kind === "whole" ? WHOLE_TO : CHOICES_MAX)) continue;
      const choice = (last[kind] += 1);
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
function toRefusal({ answers }: Wanted): string | undefined {
  const all = [...answers];
  if (!all.every(([, { answer }]) => answer === "withdrawn")) return undefined;
  const refused = all.map(([item, one]) => [item, { ...one, answer: "refused" }] as const);
  return withDigest(new Map(refused), false).digest;
}

function toNumbers(rows: readonly { digest: string; choice: number }[]): Map<string, number> {
  return new Map(rows.map(({ digest, choice }) => [digest, choice]));
}
