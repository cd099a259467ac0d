import type { Selectable } from "kysely";
import type { Tables } from "../../../platform/db/tables.ts";
import type { Collection } from "@avow/contract/collections";
import type { State } from "./states.ts";
import { type AnswersJson, type ItemsJson, fromAnswersJson, fromItemsJson } from "./states-json.ts";

/** A row of `consent_states`, with the answers of its combination if it has no `items`. */
export interface StateRow extends Omit<Selectable<Tables["consent_states"]>, "items"> {
  items: ItemsJson | null;
  choice_items: AnswersJson | null;
}

/** Columns for `toState`, from `consent_states s` joined with the `choices c` of rows without items. */
export const stateColumns = `s.project_id, s.token, s.identifier, s.collection, s.choice, s.items, s.since,
  s.consent_id, s.version, s.first_seen_at, s.consents, c.items AS choice_items`;

/** The fields of `toStateRow`, for `json_to_recordset(…) AS n`. */
export const stateRecord = `n("projectId" text, "token" text, "identifier" text, "collection" text,
  "choice" integer, "items" jsonb, "since" timestamptz, "consentId" uuid, "version" integer,
  "firstSeenAt" timestamptz, "consents" integer, "before" uuid, "consentsBefore" integer)`;

/** The fields of a `stateRecord` in the order of `insertStates`. */
export const stateFields = `"projectId", "token", "identifier", "collection", "choice", "items", "since",
  "consentId", "version", "firstSeenAt", "consents"`;

/** The head of a statement that adds states. */
export const insertStates = `INSERT INTO consent_states AS s (project_id, token, identifier, collection,
  choice, items, since, consent_id, version, first_seen_at, consents)`;

/** The fields of `toPastRow`, for `json_to_recordset(…) AS p`. */
export const pastRecord = `p("projectId" text, "token" text, "identifier" text, "collection" text,
  "choice" integer, "items" jsonb, "since" timestamptz, "consentId" uuid, "untilId" uuid,
  "version" integer)`;

/** The beginning of a statement that adds past states, up to `FROM`. */
export const insertPast = `INSERT INTO past_states (project_id, token, identifier, collection, choice, items,
  since, consent_id, until_id, version)
  SELECT "projectId", "token", "identifier", "collection", "choice", "items", "since", "consentId",
    "untilId", "version"`;

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
