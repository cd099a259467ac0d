import { type NewConsentId, timeOfId } from "../../../kernel/ids.ts";
import { type Answered, toAnswered } from "../states/answered.ts";
import type { CommitKnown } from "../commitments/commitments.ts";
import type { GroupRows, RecordValues, StateKey } from "./group-store.ts";
import { type Ledger, toLedgerName, toSaid } from "../states/fold.ts";
import type { Pending } from "./pending.ts";
import type { RecordedRow } from "../commitments/recorded-store.ts";
import { findWarnings } from "../records/record-body.ts";
import { type State, follow } from "../states/states.ts";
import { toAnswersJson, toItemsJson } from "../states/states-json.ts";
import type { NewConsent } from "../records/store.ts";
import { listUsedChoices } from "../states/used-combinations.ts";
import { type Redeemable, USED_TICKET } from "./redeemable-tickets.ts";

/**
 * How long a used ticket is known beyond its end, since the database's clock says when that is over and
 * ours whether a ticket has ended.
 */
const USED_TICKET_KEPT_MS = 10 * 60_000;

/** A pending consent with its record, and what it answers. */
interface Made {
  pending: Pending;
  /** The ticket that it uses. */
  ticket: Redeemable | undefined;
  record: NewConsent;
  answered: Answered;
}

/** Where a token and configuration end up: at one record that is all there is, or at a state that followed. */
type End =
  | { only: Made; state: undefined; stored: undefined }
  | { only: undefined; state: State; stored: State | undefined };

/** What the consents of a group come to. */
export interface Fold {
  made: readonly Made[];
  ends: ReadonlyMap<string, End>;
  past: Ledger["past"];
}

function toFirstState(only: Made | undefined): State | undefined {
  return only && follow(undefined, toSaid(only));
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
  const ends = new Map<string, End>();
  const tickets = new Set<string>();
  for (const pending of group) {
    const name = toLedgerName(toStateKey(pending));
    const end = ends.get(name);
    // Most visitors come once: their record is their state, and nothing is to be followed.
    const before = end ? (end.state ?? toFirstState(end.only)) : stored.get(name);
    let id = newConsentId(now);
    // The clock of the node that wrote the state may go before ours.
    if (before && id <= before.consentId)
      id = newConsentId(new Date(timeOfId(before.consentId).getTime() + 1));
    const one = toMade(pending, { id, now, tickets });
    made.push(one);
    if (!before) ends.set(name, { only: one, state: undefined, stored: undefined });
    else {
      const state = follow(before, toSaid(one));
      past.push({ state: before, untilId: id });
      ends.set(name, { state, stored: stored.get(name), only: undefined });
    }
  }
  return { made, ends, past };
}

/** `tickets`: those that the group has used so far. */
function toMade(
  pending: Pending,
  { id, now, tickets }: { id: string; now: Date; tickets: Set<string> },
): Made {
  const { answer, projectId, token, sender } = pending;
  const isUsed = !!pending.ticket && tickets.size === tickets.add(pending.ticket.hash).size;
  const ticket = isUsed ? undefined : pending.ticket;
  const ticketFault = isUsed ? USED_TICKET : pending.ticketFault;
  // What was displayed is what is answered, also when another version is live by now.
  const configuration = ticket?.displayed ?? pending.shown ?? pending.configuration;
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
    userAgent: sender.userAgent,
    version: configuration.version,
    warnings: findWarnings(answer, configuration, { now, ticketFault }),
    importId: null,
    grade: sender.isServer ? "server" : ticket ? "ticketed" : "browser",
    gpc: sender.gpc,
    displayedAt: ticket?.displayedAt ?? null,
    createdAt: timeOfId(id),
  };
  return { pending, ticket, record, answered: toAnswered(configuration, answer) };
}

/** The states of a fold that are more than one record. */
export function statesOf({ ends, past }: Fold): State[] {
  return [...ends.values(), ...past].flatMap(({ state }) => state ?? []);
}

/** What is named by the choices of a fold's rows. */
function* toNamed({ made, ends, past }: Fold) {
  for (const { record, answered } of made)
    yield {
      projectId: record.projectId,
      identifier: record.identifier,
      choice: answered.choice,
    };
  const stored = new Set<State>();
  for (const end of ends.values()) {
    if (end.state) yield end.state;
    if (end.stored) stored.add(end.stored);
  }
  // What was stored keeps its choice until it is followed; nothing keeps that of a state between.
  for (const { state } of past) if (!stored.has(state)) yield state;
}

/** What of a fold is written, once its choices are set. */
export function toGroupRows(
  { made, ends, past }: Fold,
  { now, commit }: { now: Date; commit: CommitKnown },
): GroupRows {
  const firsts = new Set<Made>();
  const states: object[] = [];
  let followed = 0;
  for (const { state, stored, only } of ends.values()) {
    if (only) firsts.add(only);
    else {
      if (stored) followed += 1;
      states.push(toStateRow(state, stored));
    }
  }
  const versions = new Map<string, { projectId: string; version: number | null }>();
  for (const { record, pending } of made)
    versions.set(pending.configuration.identifier, {
      projectId: record.projectId,
      version: pending.configuration.version,
    });
  return {
    records: made.map((one) => {
      const row = toRecorded(one);
      const committed = commit(row);
      return toRecordValues(one, { row, committed, isFirst: firsts.has(one), now });
    }),
    hasTickets: made.some(({ ticket }) => ticket !== undefined),
    states,
    past: past.map(toPastRow),
    versions: [...versions.values()],
    choices: listUsedChoices(toNamed({ made, ends, past })),
    followed,
  };
}

/** A record as the row that is read of it once it is written. */
function toRecorded({ record, answered }: Made): RecordedRow {
  const { choice = null, answers } = answered;
  return {
    project_id: record.projectId,
    id: record.id,
    token: record.token,
    collection: record.collection,
    identifier: record.identifier,
    accept: record.accept,
    choice,
    answers: choice === null ? toAnswersJson(answers) : null,
    preferences: toJson(record.preferences),
    value: toJson(record.value),
    language: record.language,
    url: record.url,
    client_at: record.clientAt,
    country: null,
    user_agent: record.userAgent,
    version: record.version,
    import_id: null,
    grade: record.grade,
    gpc: record.gpc === true,
    displayed_at: record.displayedAt,
    created_at: record.createdAt,
  };
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The values of a record's row, in the order of its columns. */
function toRecordValues(
  { pending: { key }, record: { warnings }, ticket }: Made,
  given: {
    row: RecordedRow;
    committed: ReturnType<CommitKnown>;
    isFirst: boolean;
    now: Date;
  },
): RecordValues {
  const { row, committed, isFirst, now } = given;
  return [
    row.project_id,
    row.id,
    row.token,
    row.collection,
    row.identifier,
    row.accept,
    row.choice,
    row.answers && JSON.stringify(row.answers),
    row.preferences,
    row.value,
    row.language,
    row.url,
    row.client_at?.getTime(),
    row.user_agent,
    row.version,
    warnings.length > 0 ? JSON.stringify(warnings) : null,
    row.created_at.getTime(),
    row.gpc,
    // What is not told otherwise came from just any browser.
    row.grade === "browser" ? null : row.grade,
    row.displayed_at?.getTime(),
    isFirst,
    key?.hash,
    key?.digest,
    key && now.getTime() + key.expiresAfterMs,
    ticket?.hash,
    ticket && ticket.expiresAt.getTime() + USED_TICKET_KEPT_MS,
    committed?.entry,
    committed?.salt,
  ];
}

/**
 * A state whose choice is set as the fields of its row, for `json_to_recordset`; `before` is what it
 * takes the place of.
 */
export function toStateRow(state: State, before?: State): object {
  const { projectId, token, identifier, collection, since, consentId, version } = state;
  const { choice = null } = state;
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

/** The same of an earlier state, with the record that ended it. */
export function toPastRow({ state, untilId }: Ledger["past"][number]): object {
  return { ...toStateRow(state), untilId };
}

/** A state with the run of each item written out, for a row that no choice speaks for. */
function withRuns(state: State): State {
  const { since, consentId, version } = state;
  const runs = new Map(
    [...state.answers.keys()].map((item) => [item, { since, consentId, version }]),
  );
  return { ...state, runs };
}
