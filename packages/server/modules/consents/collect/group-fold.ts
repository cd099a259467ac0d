import { type NewConsentId, timeOfId } from "../../../kernel/ids.ts";
import type { AssuranceLevel } from "../records/assurance-levels.ts";
import type { ConsentRecord } from "../records/row.ts";
import { findWarnings } from "../records/warnings.ts";
import { type AnswerSet, toAnswerSet } from "../states/answered.ts";
import { toHistoryName, toRecordAnswers } from "../states/fold.ts";
import { type State, follow } from "../states/states.ts";
import type { Pending } from "./pending.ts";
import { type Redeemable, USED_TICKET } from "./redeemable-tickets.ts";

export interface NewRecord {
  pending: Pending;
  /** The ticket that it redeems. */
  ticket: Redeemable | undefined;
  record: ConsentRecord;
  answered: AnswerSet;
}

/** The newest state of a token and configuration: a single record, or a state that replaces another. */
type LastState =
  | { only: NewRecord; state: undefined; stored: undefined }
  | { only: undefined; state: State; stored: State | undefined };

/** The records of a group, and the resulting consent states. */
export interface GroupFold {
  records: readonly NewRecord[];
  /** By token and configuration. */
  last: ReadonlyMap<string, LastState>;
  /** Each replaced state, with the id of the record that replaced it. */
  past: readonly { state: State; untilId: string }[];
  /** The states of more than one record. */
  states: readonly State[];
}

/**
 * Creates the records of a group, in order, and the states that follow from the stored ones. Ids are created
 * here, right before the records are written: each is higher than that of the state it replaces.
 */
export function foldGroup(
  group: readonly Pending[],
  stored: ReadonlyMap<string, State>,
  { newConsentId, now }: { newConsentId: NewConsentId; now: Date },
): GroupFold {
  const records: NewRecord[] = [];
  const past: { state: State; untilId: string }[] = [];
  const last = new Map<string, LastState>();
  const tickets = new Set<string>();
  for (const pending of group) {
    const { token, configuration } = pending;
    const name = toHistoryName({ token, identifier: configuration.identifier });
    const previous = last.get(name);
    // Most tokens have one record, which is their state: this avoids computing one.
    const before = previous ? (previous.state ?? toFirstState(previous.only)) : stored.get(name);
    let id = newConsentId(now);
    // The clock of the node that wrote the state may be ahead of this one.
    if (before && id <= before.consentId)
      id = newConsentId(new Date(timeOfId(before.consentId).getTime() + 1));
    const one = toNewRecord(pending, { id, now, tickets });
    records.push(one);
    if (!before) last.set(name, { only: one, state: undefined, stored: undefined });
    else {
      const state = follow(before, toRecordAnswers(one));
      past.push({ state: before, untilId: id });
      last.set(name, { state, stored: stored.get(name), only: undefined });
    }
  }
  const states = [...last.values(), ...past].flatMap(({ state }) => state ?? []);
  return { records, last, past, states };
}

function toFirstState(only: NewRecord | undefined): State | undefined {
  return only && follow(undefined, toRecordAnswers(only));
}

function toCollectedLevel(
  { isServer }: Pending["sender"],
  ticket: Redeemable | undefined,
): AssuranceLevel {
  if (isServer) return "server";
  return ticket ? "ticketed" : "browser";
}

/** `tickets`: the hashes of the tickets that the group has used so far. */
function toNewRecord(
  pending: Pending,
  { id, now, tickets }: { id: string; now: Date; tickets: Set<string> },
): NewRecord {
  const { answer, projectId, token, sender } = pending;
  // An answer to another consent tool answers no display.
  const isImported = answer.preferences?.imported !== undefined;
  const redeemed = isImported ? undefined : pending.ticket;
  const isUsed = !!redeemed && tickets.size === tickets.add(redeemed.hash).size;
  const ticket = isUsed ? undefined : redeemed;
  const ticketFault = isUsed ? USED_TICKET : pending.ticketFault;
  // The answer is to the displayed version, even if another version is live now.
  const configuration = ticket?.displayed ?? pending.shown ?? pending.configuration;
  const record: ConsentRecord = {
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
    country: sender.country,
    userAgent: sender.userAgent,
    version: configuration.version,
    warnings: findWarnings(answer, configuration, { now, ticketFault }),
    importId: null,
    grade: isImported ? "imported" : toCollectedLevel(sender, ticket),
    gpc: sender.gpc,
    displayedAt: ticket?.displayedAt ?? null,
    createdAt: timeOfId(id),
  };
  return { pending, ticket, record, answered: toAnswerSet(configuration, answer) };
}
