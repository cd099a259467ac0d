import { timeOfId } from "../../../kernel/ids.ts";
import type { CommitKnown } from "../ports.ts";
import { toRow } from "../records/row.ts";
import type { State } from "../states/states.ts";
import { toPastRow, toStateRow } from "../states/state-row.ts";
import { toAnswersJson } from "../states/states-json.ts";
import { listUsedChoices } from "../states/used-combinations.ts";
import type { GroupFold, NewRecord } from "./group-fold.ts";
import type { CollectedRow, GroupRows } from "./group-store.ts";

/**
 * Retention of used tickets after their expiry. The margin allows for clock differences: the database's clock decides
 * when to delete a used ticket, this node's clock whether a ticket has expired.
 */
const USED_TICKET_KEPT_MS = 10 * 60_000;

/** The rows of a fold whose answer combinations are numbered, with the commitment of each record. */
export function toGroupRows(
  fold: GroupFold,
  { now, commit }: { now: Date; commit: CommitKnown },
): GroupRows {
  const { records, last, past } = fold;
  const firsts = new Set<NewRecord>();
  const states: object[] = [];
  let followed = 0;
  for (const { state, stored, only } of last.values()) {
    if (only) firsts.add(only);
    else {
      if (stored) followed += 1;
      states.push(toStateRow(state, stored));
    }
  }
  const versions = new Map<string, { projectId: string; version: number | null }>();
  for (const { record, pending } of records)
    versions.set(pending.configuration.identifier, {
      projectId: record.projectId,
      version: pending.configuration.version,
    });
  return {
    records: records.map((one) => toCollectedRow(one, { isFirst: firsts.has(one), now, commit })),
    firstIdAt: Math.min(...records.map(({ record }) => timeOfId(record.id).getTime())),
    hasTickets: records.some(({ ticket }) => ticket !== undefined),
    states,
    past: past.map(toPastRow),
    versions: [...versions.values()],
    choices: listUsedChoices(toNamed(fold)),
    followed,
  };
}

function toCollectedRow(
  { pending: { key }, record, answered, ticket }: NewRecord,
  { isFirst, now, commit }: { isFirst: boolean; now: Date; commit: CommitKnown },
): CollectedRow {
  const { choice = null, answers } = answered;
  const row = toRow(record, {
    choice,
    answers: choice === null ? toAnswersJson(answers) : null,
  });
  const commitment = commit(row);
  return {
    ...row,
    is_first: isFirst,
    key: key?.hash,
    digest: key?.digest,
    key_ends_at: key && now.getTime() + key.expiresAfterMs,
    ticket: ticket?.hash,
    ticket_ends_at: ticket && ticket.expiresAt.getTime() + USED_TICKET_KEPT_MS,
    entry: commitment?.entry,
    salt: commitment?.salt,
  };
}

/** The answer combinations that the rows reference. */
function* toNamed({ records, last, past }: GroupFold) {
  for (const { record, answered } of records)
    yield {
      projectId: record.projectId,
      identifier: record.identifier,
      choice: answered.choice,
    };
  const stored = new Set<State>();
  for (const one of last.values()) {
    if (one.state) yield one.state;
    if (one.stored) stored.add(one.stored);
  }
  // A stored state protects its combination until it is replaced. An intermediate state of the group does not.
  for (const { state } of past) if (!stored.has(state)) yield state;
}
