import type { Selectable } from "kysely";
import type { Tables } from "../../platform/db/tables.ts";
import type { Collection } from "./offer.ts";
import type { State } from "./states.ts";
import { type AnswersJson, type ItemsJson, fromAnswersJson, fromItemsJson } from "./states-json.ts";

/** A row of consent_states, with what its choice says where its items are not written out. */
export interface StateRow extends Omit<Selectable<Tables["consent_states"]>, "items"> {
  items: ItemsJson | null;
  choice_items: AnswersJson | null;
}

/** What `toState` reads: of `consent_states s` joined with the `choices c` of rows without items. */
export const stateColumns = `s.project_id, s.token, s.identifier, s.collection, s.choice, s.items, s.since,
  s.consent_id, s.version, s.first_seen_at, s.consents, c.items AS choice_items`;

/** A row as the state that it keeps. */
export function toState(row: StateRow): State {
  const { token, identifier, choice, since, version, consents, items } = row;
  const written = items ? fromItemsJson(items) : undefined;
  return {
    projectId: row.project_id,
    token,
    identifier,
    collection: row.collection as Collection,
    choice,
    answers: written?.answers ?? fromAnswersJson(row.choice_items ?? {}),
    runs: written?.runs ?? null,
    since,
    consentId: row.consent_id,
    version,
    firstSeenAt: row.first_seen_at,
    consents,
  };
}
