import { type NewConsentId, timeOfId } from "../../platform/ids.ts";
import { type Answered, toAnswered, withDigest } from "./answered.ts";
import type { Wanted } from "./choices.ts";
import type { GroupRows, StateKey } from "./group-store.ts";
import type { Pending } from "./pending.ts";
import { findWarnings } from "./records.ts";
import { type State, follow } from "./states.ts";
import { toAnswersJson, toItemsJson } from "./states-json.ts";
import type { NewConsent } from "./store.ts";

/** A pending consent with its record, and what it answers. */
interface Made {
  pending: Pending;
  record: NewConsent;
  answered: Answered;
}

/** What the consents of a group come to. */
export interface Fold {
  made: readonly Made[];
  /** The new state of each token and configuration, the one that the database holds, and the latest record's. */
  ends: ReadonlyMap<string, { state: State; stored: State | undefined; only: Made | undefined }>;
  past: readonly { state: State; untilId: string }[];
}

/** One text for the key of a state. */
export function toStateName({ projectId, token, identifier }: StateKey): string {
  return `${projectId} ${identifier} ${token}`;
}

export function toStateKey({ projectId, token, configuration }: Pending): StateKey {
  return { projectId, token, identifier: configuration.identifier };
}

/**
 * Makes the records of a group, in order, and the states that follow from those that are stored. Ids
 * are made here, right before they are written: they are newer than those of the states.
 */
export function foldGroup(
  group: readonly Pending[],
  stored: ReadonlyMap<string, State>,
  { newConsentId, now }: { newConsentId: NewConsentId; now: Date },
): Fold {
  const made: Made[] = [];
  const past: { state: State; untilId: string }[] = [];
  const ends = new Map<
    string,
    { state: State; stored: State | undefined; only: Made | undefined }
  >();
  for (const pending of group) {
    const name = toStateName(toStateKey(pending));
    const end = ends.get(name);
    const before = end ? end.state : stored.get(name);
    let id = newConsentId(now);
    // The clock of the node that wrote the state may go before ours.
    if (before && id <= before.consentId)
      id = newConsentId(new Date(timeOfId(before.consentId).getTime() + 1));
    const one = toMade(pending, id, now);
    made.push(one);
    const state = follow(before, { ...one.record, answers: one.answered.answers });
    if (before) past.push({ state: before, untilId: id });
    ends.set(name, { state, stored: stored.get(name), only: before ? undefined : one });
  }
  return { made, ends, past };
}

function toMade(pending: Pending, id: string, now: Date): Made {
  const { answer, configuration, projectId, token, userAgent } = pending;
  const record: NewConsent = {
    projectId,
    id,
    token,
    collection: configuration.collection,
    identifier: configuration.identifier,
    accept: answer.accept,
    preferences: answer.preferences,
    value: answer.value,
    language: answer.language,
    url: answer.url,
    clientAt: answer.clientAt,
    country: null,
    userAgent,
    version: configuration.version,
    warnings: findWarnings(answer, configuration, now),
    importId: null,
    createdAt: timeOfId(id),
  };
  return { pending, record, answered: toAnswered(configuration, answer) };
}

/** The combinations of answers that the rows of a fold are kept under. */
export function listWanted({ made, ends, past }: Fold): Wanted[] {
  const states = [
    ...[...ends.values()].filter(({ only }) => !only).map(({ state }) => state),
    ...past.map(({ state }) => state),
  ];
  return [
    ...made.map(({ record, answered }) => ({ ...keyOf(record), ...answered })),
    ...states.filter(({ choice }) => choice === undefined).map(toWanted),
  ];
}

function keyOf({ projectId, identifier }: Pick<StateKey, "projectId" | "identifier">) {
  return { projectId, identifier };
}

/** The combination of answers that a state is kept under. */
export function toWanted(state: State): Wanted {
  return { ...keyOf(state), ...withDigest(state.answers, false) };
}

/** What of a fold is written; `numberOf` tells the number of every combination in `listWanted`. */
export function toGroupRows(
  { made, ends, past }: Fold,
  { numberOf, now }: { numberOf: (wanted: Wanted) => number | null; now: Date },
): GroupRows {
  const firsts = new Set<Made>();
  const states: object[] = [];
  let opened = 0;
  for (const { state, stored, only } of ends.values()) {
    if (!stored) opened += 1;
    if (only) firsts.add(only);
    else states.push(toStateRow(state, stored, numberOf));
  }
  const versions = new Map(
    made.map(({ record: { projectId, version } }) => [
      `${projectId} ${version}`,
      { projectId, version },
    ]),
  );
  return {
    records: made.map((one) => toRecordRow(one, { isFirst: firsts.has(one), numberOf, now })),
    states,
    past: past.map(({ state, untilId }) => ({
      ...toStateRow(state, undefined, numberOf),
      untilId,
    })),
    versions: [...versions.values()],
    keys: made.reduce((sum, { pending }) => (pending.key ? sum + 1 : sum), 0),
    opened,
    followed: ends.size - opened,
  };
}

/** Undefined fields are left out of the JSON, which makes them null in the row. */
function toRecordRow(
  { pending: { key }, record, answered }: Made,
  given: { isFirst: boolean; numberOf: (wanted: Wanted) => number | null; now: Date },
): object {
  const choice = given.numberOf({ ...keyOf(record), ...answered });
  return {
    projectId: record.projectId,
    id: record.id,
    token: record.token,
    collection: record.collection,
    identifier: record.identifier,
    accept: record.accept,
    choice: choice ?? undefined,
    answers: choice === null ? toAnswersJson(answered.answers) : undefined,
    preferences: record.preferences ?? undefined,
    value: record.value ?? undefined,
    language: record.language ?? undefined,
    url: record.url ?? undefined,
    clientAt: record.clientAt ?? undefined,
    userAgent: record.userAgent,
    version: record.version ?? undefined,
    warnings: record.warnings.length > 0 ? record.warnings : undefined,
    createdAt: record.createdAt,
    key: key?.hash,
    digest: key?.digest,
    keyEnds: key && new Date(given.now.getTime() + key.expiresAfterMs),
    isFirst: given.isFirst,
  };
}

/** A state as the fields of its row, for `json_to_recordset`; `before` is what it takes the place of. */
export function toStateRow(
  state: State,
  before: State | undefined,
  numberOf: (wanted: Wanted) => number | null,
): object {
  const { projectId, token, identifier, collection, since, consentId, version } = state;
  const choice = state.choice === undefined ? numberOf(toWanted(state)) : state.choice;
  const whole = choice === null && !state.runs ? withRuns(state) : state;
  return {
    projectId,
    token,
    identifier,
    collection,
    choice,
    since,
    consentId,
    version,
    before: before?.consentId,
    consentsBefore: before?.consents,
    items: toItemsJson(whole),
    firstSeenAt: state.firstSeenAt,
    consents: state.consents,
  };
}

/** A state with the run of each item written out, for a row that no choice speaks for. */
function withRuns(state: State): State {
  const { since, consentId, version } = state;
  const runs = new Map(
    [...state.answers.keys()].map((item) => [item, { since, consentId, version }]),
  );
  return { ...state, runs };
}
