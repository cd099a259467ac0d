import { type NewConsentId, timeOfId } from "../../../kernel/ids.ts";
import type { ConsentRecord } from "../records/row.ts";
import { findWarnings } from "../records/warnings.ts";
import { type AnswerSet, toAnswerSet } from "../states/answered.ts";
import { toHistoryName, toRecordAnswers } from "../states/fold.ts";
import { type State, follow } from "../states/states.ts";
import type { Pending } from "./pending.ts";
import { type Redeemable, USED_TICKET } from "./redeemable-tickets.ts";

/** A pending consent with its record and its answers. */
export interface NewRecord {
  pending: Pending;
  /** The ticket that it uses. */
  ticket: Redeemable | undefined;
  record: ConsentRecord;
  answered: AnswerSet;
}

/** The last state of a token and configuration: its only record, or a state that followed another. */
type LastState =
  | { only: NewRecord; state: undefined; stored: undefined }
  | { only: undefined; state: State; stored: State | undefined };

/** The records of a group, and the states that they add up to. */
export interface GroupFold {
  records: readonly NewRecord[];
  /** By token and configuration. */
  last: ReadonlyMap<string, LastState>;
  /** Each state that was followed, with the record that followed it. */
  past: readonly { state: State; untilId: string }[];
  /** The states that are more than one record. */
  states: readonly State[];
}

/**
 * Makes the records of a group, in order, and the states that follow from those that are stored. Ids
 * are made here, right before they are written: they are newer than those of the states.
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
    // Most visitors come once: their record is their state, and nothing is to be followed.
    const before = previous ? (previous.state ?? toFirstState(previous.only)) : stored.get(name);
    let id = newConsentId(now);
    // The clock of the node that wrote the state may be ahead of ours.
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

/** `tickets`: those that the group has used so far. */
function toNewRecord(
  pending: Pending,
  { id, now, tickets }: { id: string; now: Date; tickets: Set<string> },
): NewRecord {
  const { answer, projectId, token, sender } = pending;
  const isUsed = !!pending.ticket && tickets.size === tickets.add(pending.ticket.hash).size;
  const ticket = isUsed ? undefined : pending.ticket;
  const ticketFault = isUsed ? USED_TICKET : pending.ticketFault;
  // The displayed version is the one that is answered, also when another version is live by now.
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
  return { pending, ticket, record, answered: toAnswerSet(configuration, answer) };
}
