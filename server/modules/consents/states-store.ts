import { sql } from "kysely";
import type { Tx } from "../../platform/db/db.ts";
import type { StateChange } from "./states.ts";
import { type NewConsent, toInsert } from "./store.ts";

/** What one or more records of a project add to a token. */
export interface TokenChange {
  token: string;
  seenAt: Date;
  consents: number;
}

interface Change {
  projectId: string;
  /** Records to insert in the same statement; those with a client id were inserted before. */
  records: readonly NewConsent[];
  tokens: readonly TokenChange[];
  /** One for each state at most. */
  states: readonly StateChange[];
}

/**
 * Writes records and what they change, in one statement. Tokens are locked first, in one order,
 * and states only under their token, so that two writers never wait for each other in a circle.
 * A state that a newer record wrote stays, but remembers that it was accepted once.
 */
export async function writeConsents(tx: Tx, change: Change): Promise<void> {
  const { projectId, records, tokens, states } = change;
  await sql`
    WITH record AS (${toInsert(records)}), seen AS (
      INSERT INTO tokens AS t (project_id, token, first_seen_at, last_seen_at, consents)
      SELECT ${projectId}, n."token", n."seenAt", n."seenAt", n."consents"
      FROM jsonb_to_recordset(${JSON.stringify(tokens)}::jsonb)
        AS n("token" text, "seenAt" timestamptz, "consents" integer)
      ORDER BY n."token" COLLATE "C"
      ON CONFLICT (project_id, token) DO UPDATE SET
        first_seen_at = least(t.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(t.last_seen_at, excluded.last_seen_at),
        consents = t.consents + excluded.consents
      RETURNING t.token
    ), change AS (
      SELECT c.* FROM seen JOIN jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS c(
        "token" text, "identifier" text, "item" text, "collection" text, "accept" boolean,
        "acceptedBefore" boolean, "substance" text, "since" timestamptz,
        "expiresAt" timestamptz, "consentId" uuid, "version" integer, "name" text) ON c."token" = seen.token
    )
    INSERT INTO consent_states AS s (project_id, token, identifier, item, collection, accept, accepted_before,
      substance, since, expires_at, consent_id, version, name)
    SELECT ${projectId}, c."token", c."identifier", c."item", c."collection", c."accept", c."acceptedBefore",
      c."substance", c."since", c."expiresAt", c."consentId", c."version", c."name"
    FROM change c
    ORDER BY c."token" COLLATE "C", c."identifier" COLLATE "C", c."item" COLLATE "C"
    ON CONFLICT (project_id, token, identifier, item) DO UPDATE SET
      collection = CASE WHEN s.consent_id < excluded.consent_id THEN excluded.collection ELSE s.collection END,
      accept = CASE WHEN s.consent_id < excluded.consent_id THEN excluded.accept ELSE s.accept END,
      substance = CASE WHEN s.consent_id < excluded.consent_id THEN excluded.substance ELSE s.substance END,
      since = CASE
        WHEN s.consent_id > excluded.consent_id THEN s.since
        WHEN s.accept <> excluded.accept OR s.substance <> excluded.substance
          OR s.expires_at <= excluded.since THEN excluded.since
        ELSE s.since END,
      expires_at = CASE WHEN s.consent_id < excluded.consent_id THEN excluded.expires_at ELSE s.expires_at END,
      version = CASE WHEN s.consent_id < excluded.consent_id THEN excluded.version ELSE s.version END,
      name = CASE WHEN s.consent_id < excluded.consent_id THEN excluded.name ELSE s.name END,
      accepted_before = s.accepted_before OR excluded.accepted_before,
      consent_id = greatest(s.consent_id, excluded.consent_id)
  `.execute(tx);
}
