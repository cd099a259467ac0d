import { isDeepStrictEqual } from "node:util";
import type { Collection } from "./offer.ts";
import type { SaidRow } from "./rebuild-store.ts";
import { type Said, type State, follow, itemOf } from "./states.ts";
import { type AnswersJson, fromAnswersJson } from "./states-json.ts";

/** What the records of one token and configuration make: the state, and those that it followed. */
export interface Ledger {
  state: State;
  past: readonly { state: State; untilId: string }[];
}

/** A row as what its record says. */
export function toSaid(projectId: string, row: SaidRow): Said {
  return {
    projectId,
    id: row.id,
    token: row.token,
    identifier: row.identifier,
    collection: row.collection as Collection,
    version: row.version,
    createdAt: row.created_at,
    answers: fromAnswersJson(row.answers ?? ({} satisfies AnswersJson)),
  };
}

/** Folds records, each token's in their order, into the ledger of each token and configuration. */
export function foldRecords(records: Iterable<Said>): Map<string, Ledger> {
  const ledgers = new Map<string, { state: State; past: { state: State; untilId: string }[] }>();
  for (const said of records) {
    const name = toLedgerName(said);
    const ledger = ledgers.get(name);
    const state = follow(ledger?.state, said);
    if (!ledger) ledgers.set(name, { state, past: [] });
    else {
      ledger.past.push({ state: ledger.state, untilId: said.id });
      ledger.state = state;
    }
  }
  return ledgers;
}

/** One text for a token and a configuration of one project. */
export function toLedgerName({ token, identifier }: Pick<Said, "token" | "identifier">): string {
  return `${identifier} ${token}`;
}

/** Whether two states tell the same, whatever number their choice has. */
export function isSameState(a: State, b: State): boolean {
  if (a.consentId !== b.consentId || a.collection !== b.collection || a.version !== b.version)
    return false;
  if (a.answers.size !== b.answers.size) return false;
  for (const [item, answer] of a.answers) {
    const [own, other] = [itemOf(a, item), itemOf(b, item)];
    // What a choice calls an item is what it was called first.
    if (!own || !other || !isDeepStrictEqual({ ...own, name: "" }, { ...other, name: "" }))
      return false;
    if (answer.answer !== b.answers.get(item)?.answer) return false;
  }
  return true;
}

/** Whether two current states also count the same records. */
export function isSameCount(a: State, b: State): boolean {
  return a.consents === b.consents && a.firstSeenAt.getTime() === b.firstSeenAt.getTime();
}
