import { timeOfId } from "../../../kernel/ids.ts";
import type { Collection } from "@avow/contract/collections";
import type { Offer } from "../offers/offer.ts";

/** Statuses of an answer (wire section 5). */
export const statuses = [
  "accepted",
  "refused",
  "withdrawn",
  "expired",
  "superseded",
  "never-asked",
] as const;
export type Status = (typeof statuses)[number];

/** Statuses by which tokens can be listed, besides `accepted`. */
export const listedStatuses = ["partly", "refused", "withdrawn", "expired"] as const;
export type ListedStatus = (typeof listedStatuses)[number];

/** The answer to one item. */
export interface ItemAnswer {
  /** `withdrawn`: refused after it was accepted before. */
  answer: "accepted" | "refused" | "withdrawn";
  substance: string;
  /** Days until the answer expires; null: never. */
  days: number | null;
  name: string;
}

/** Answers by item: '' for the configuration as a whole, otherwise the vendor's slug. */
export type Answers = ReadonlyMap<string, ItemAnswer>;

/** An unbroken run of the same answer: its start, and the last record with this answer. */
export interface AnswerRun {
  since: Date;
  consentId: string;
  version: number | null;
}

export type ItemState = ItemAnswer & AnswerRun;

/** The consent state that the records of a token and a configuration add up to. */
export interface State {
  projectId: string;
  token: string;
  identifier: string;
  collection: Collection;
  /** The number of the combination of `answers`; null: none, undefined: not looked up yet. */
  choice: number | null | undefined;
  answers: Answers;
  /** The run of each item; null if all items share the run below. */
  runs: ReadonlyMap<string, AnswerRun> | null;
  since: Date;
  /** The newest record. */
  consentId: string;
  version: number | null;
  firstSeenAt: Date;
  /** Number of records. */
  consents: number;
}

/** The part of a record that determines a state; each of `answers` is accepted or refused. */
export interface RecordAnswers {
  projectId: string;
  id: string;
  token: string;
  identifier: string;
  collection: Collection;
  version: number | null;
  createdAt: Date;
  answers: Answers;
}

const DAY_MS = 86_400_000;

/** The state after a record that is newer than all records of `before`. */
export function follow(before: State | undefined, record: RecordAnswers): State {
  const { projectId, token, identifier, collection, id: consentId, version, createdAt } = record;
  const shared = { projectId, token, identifier, collection, consentId, version };
  const first = { ...shared, choice: undefined, runs: null, since: createdAt };
  if (!before) return { ...first, answers: record.answers, firstSeenAt: createdAt, consents: 1 };
  const answers = new Map<string, ItemAnswer>();
  const runs = new Map<string, AnswerRun>();
  for (const item of new Set([...before.answers.keys(), ...record.answers.keys()])) {
    const next = followItem(itemOf(before, item), record.answers.get(item), record);
    if (!next) continue;
    const { answer, substance, days, name, ...run } = next;
    answers.set(item, { answer, substance, days, name });
    runs.set(item, run);
  }
  const { firstSeenAt, consents } = before;
  const counted = { firstSeenAt, consents: consents + 1 };
  const since = sharedSince(runs, consentId);
  if (since) return { ...first, ...counted, answers, since };
  return { ...first, ...counted, answers, runs };
}

function followItem(
  before: ItemState | undefined,
  answer: ItemAnswer | undefined,
  { id: consentId, version, createdAt }: RecordAnswers,
): ItemState | undefined {
  if (!answer) return before;
  const run = { since: createdAt, consentId, version };
  if (!before) return { ...answer, ...run };
  const accepts = answer.answer === "accepted";
  const continues =
    (before.answer === "accepted") === accepts &&
    before.substance === answer.substance &&
    !isExpired(before, createdAt);
  const refused = before.answer === "refused" ? "refused" : "withdrawn";
  return {
    ...answer,
    ...run,
    answer: accepts ? "accepted" : refused,
    since: continues ? before.since : createdAt,
  };
}

/** The common start of the runs of all items, if `consentId` answered all of them; otherwise undefined. */
function sharedSince(runs: ReadonlyMap<string, AnswerRun>, consentId: string): Date | undefined {
  let since: Date | undefined;
  for (const run of runs.values()) {
    if (run.consentId !== consentId) return undefined;
    if (since && since.getTime() !== run.since.getTime()) return undefined;
    since = run.since;
  }
  return since;
}

export function itemOf(state: State, item: string): ItemState | undefined {
  const answer = state.answers.get(item);
  if (!answer) return undefined;
  const { since, consentId, version } = state.runs?.get(item) ?? state;
  return { ...answer, since, consentId, version };
}

/** The expiry of an answer; null: never. */
export function expiryOf({ consentId, days }: Pick<ItemState, "consentId" | "days">): Date | null {
  return days === null ? null : new Date(timeOfId(consentId).getTime() + days * DAY_MS);
}

function isExpired(state: Pick<ItemState, "consentId" | "days">, now: Date): boolean {
  const expiry = expiryOf(state);
  return expiry !== null && expiry <= now;
}

/**
 * The status of an item at `now`, compared with the offer at that time; without an offer, the answer stays valid.
 */
export function toStatus(
  state: Pick<ItemState, "answer" | "substance" | "consentId" | "days"> | undefined,
  offer: Pick<Offer, "substance" | "covers"> | undefined,
  now: Date,
): Status {
  if (!state) return "never-asked";
  if (isExpired(state, now)) return "expired";
  if (offer && !isCovered(offer, state)) return "superseded";
  return state.answer;
}

/** Whether an answer to a substance counts for the offer. */
function isCovered(
  offer: Pick<Offer, "substance" | "covers">,
  answered: Pick<ItemAnswer, "substance">,
): boolean {
  return offer.substance === answered.substance || offer.covers.includes(answered.substance);
}
