import type { Selectable } from "kysely";
import type { ConsentStatesTable } from "../../platform/db/tables.ts";
import type { Offer } from "./offer.ts";
import type { OfferedConfiguration } from "./offered.ts";
import type { NewConsent } from "./store.ts";

/** What becomes of an answer (wire section 5). */
export const statuses = [
  "accepted",
  "refused",
  "withdrawn",
  "expired",
  "superseded",
  "never-asked",
] as const;
export type Status = (typeof statuses)[number];

export type State = Selectable<ConsentStatesTable>;

/** What records make of one state: the last answer, and what the ones before it leave behind. */
export interface StateChange {
  token: string;
  identifier: string;
  item: string;
  collection: string;
  accept: boolean;
  acceptedBefore: boolean;
  substance: string;
  /** When the unbroken run of the same answer began, as far as these records tell. */
  since: Date;
  expiresAt: Date | null;
  consentId: string;
  version: number | null;
  /** What the item was called. */
  name: string;
}

const DAY_MS = 86_400_000;

/**
 * The states that a record changes. A cookie record without a vendor map answers for every vendor
 * that was asked, with one for exactly those in it; required vendors are never asked.
 */
export function toStateChanges(
  record: NewConsent,
  { offers }: Pick<OfferedConfiguration, "offers">,
): StateChange[] {
  const vendors = record.preferences?.vendors;
  // With a map, only what it names is looked at: its configuration may offer a thousand vendors.
  const items = vendors ? ["", ...Object.keys(vendors).filter((slug) => slug !== "")] : null;
  const answered = items ? items.map((item) => offers.get(item)) : [...offers.values()];
  return answered.flatMap((offer) => {
    if (!offer || offer.required) return [];
    const accept = offer.item === "" || !vendors ? record.accept : vendors[offer.item];
    if (accept === undefined) return [];
    const days = offer.expiresAfterDays;
    return [
      {
        token: record.token,
        identifier: offer.identifier,
        item: offer.item,
        collection: offer.collection,
        accept,
        acceptedBefore: accept,
        substance: offer.substance,
        since: record.createdAt,
        expiresAt: days === null ? null : new Date(record.createdAt.getTime() + days * DAY_MS),
        consentId: record.id,
        version: record.version,
        name: offer.name,
      },
    ];
  });
}

/**
 * Changes in the order of their records, made into at most two rounds to write one after the
 * other, since a statement writes a row once: the last run of equal answers for each state, and
 * before it the answer that it broke with, where there was one among these records.
 */
export function toRounds(changes: readonly StateChange[]): StateChange[][] {
  const runs = new Map<string, { last: StateChange; before?: StateChange }>();
  for (const change of changes) {
    const key = JSON.stringify([change.token, change.identifier, change.item]);
    const run = runs.get(key);
    runs.set(key, run ? follow(run, change) : { last: change });
  }
  const all = [...runs.values()];
  const first = all.map(({ last, before }) => before ?? last);
  const second = all.flatMap(({ last, before }) => (before ? [last] : []));
  return second.length > 0 ? [first, second] : [first];
}

function follow(run: { last: StateChange; before?: StateChange }, change: StateChange) {
  const { last } = run;
  const acceptedBefore = last.acceptedBefore || change.acceptedBefore;
  const same = last.accept === change.accept && last.substance === change.substance;
  if (same) return { ...run, last: { ...change, acceptedBefore, since: last.since } };
  return { last: { ...change, acceptedBefore }, before: last };
}

/**
 * What a state amounts to at `now`, against what is offered then; a state of what is not offered
 * any more keeps its answer.
 */
export function toStatus(
  state: Pick<State, "accept" | "accepted_before" | "substance" | "expires_at"> | undefined,
  offer: Pick<Offer, "substance"> | undefined,
  now: Date,
): Status {
  if (!state) return "never-asked";
  if (state.expires_at !== null && state.expires_at <= now) return "expired";
  if (offer && offer.substance !== state.substance) return "superseded";
  if (state.accept) return "accepted";
  return state.accepted_before ? "withdrawn" : "refused";
}
