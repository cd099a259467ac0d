import { sql } from "kysely";
import type { Tx } from "../../../platform/db/db.ts";
import type { AnswersJson } from "../states-json.ts";
import { type StateRow, stateColumns } from "../states-store.ts";

export interface StateName {
  token: string;
  identifier: string;
}

/** The states that there are of these keys; locked, in one order, where `lock` says so. */
export async function listStoredStates(
  tx: Tx,
  { projectId, keys, lock }: { projectId: string; keys: readonly StateName[]; lock: boolean },
): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    SELECT ${sql.raw(stateColumns)}
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k("token" text, "identifier" text)
    JOIN consent_states s ON s.project_id = ${projectId} AND s.token = k."token"
      AND s.identifier = k."identifier"
    LEFT JOIN choices c ON c.project_id = s.project_id AND c.identifier = s.identifier
      AND c.choice = s.choice AND s.items IS NULL
    ORDER BY s.token, s.identifier ${sql.raw(lock ? "FOR UPDATE OF s" : "")}`.execute(tx);
  return rows;
}

/** A record that is kept, as far as imports compare it. */
export interface KeptRow extends StateName {
  id: string;
  collection: string;
  accept: boolean;
  value: unknown;
  preferences: unknown;
  version: number | null;
  created_at: Date;
  answers: AnswersJson | null;
}

const keptColumns =
  sql.raw(`r.id, r.token, r.identifier, r.collection, r.accept, r.value, r.preferences,
  r.version, r.created_at, coalesce(r.answers, c.items) AS answers`);

/** The records with these ids. */
export async function listKeptById(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<KeptRow[]> {
  const { rows } = await sql<KeptRow>`
    SELECT r.id, r.token, r.identifier, r.collection, r.accept, r.value, r.preferences, r.version,
      r.created_at, NULL AS answers
    FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id)
    JOIN consents r ON r.project_id = ${projectId} AND r.id = k.id`.execute(tx);
  return rows;
}

/** Every record of these tokens and configurations, in the order of their ids. */
export async function listKept(
  tx: Tx,
  projectId: string,
  keys: readonly StateName[],
): Promise<KeptRow[]> {
  const { rows } = await sql<KeptRow>`
    SELECT ${keptColumns}
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k("token" text, "identifier" text)
    JOIN consents r ON r.project_id = ${projectId} AND r.token = k."token" AND r.identifier = k."identifier"
    LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier
      AND c.choice = r.choice AND r.answers IS NULL
    ORDER BY r.id`.execute(tx);
  return rows;
}

/** Forgets the earlier states of these tokens and configurations, to write them anew. */
export async function deletePastStates(
  tx: Tx,
  projectId: string,
  keys: readonly StateName[],
): Promise<void> {
  await sql`
    DELETE FROM past_states p
    USING json_to_recordset(${JSON.stringify(keys)}::json) AS k("token" text, "identifier" text)
    WHERE p.project_id = ${projectId} AND p.token = k."token" AND p.identifier = k."identifier"`.execute(
    tx,
  );
}

/** What an import writes at once. */
export interface KeptRows {
  projectId: string;
  importId: string;
  /** Records; `isFirst`: the record is the whole state of its token and configuration. */
  records: readonly object[];
  /** States of more than one record; `isNew`: there was none. */
  states: readonly object[];
  past: readonly object[];
}

/** How many rows of each kind were written: fewer than there are when somebody else wrote meanwhile. */
export interface Written {
  records: number;
  opened: number;
  followed: number;
}

/** Writes records, and the states that follow from them. */
export async function insertKept(tx: Tx, rows: KeptRows): Promise<Written> {
  const { projectId, importId } = rows;
  const { rows: written } = await sql<Written>`
    WITH r AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows.records)}::json) AS r(
        "id" uuid, "token" text, "collection" text, "identifier" text, "accept" boolean, "choice" integer,
        "answers" jsonb, "preferences" json, "value" json, "language" text, "url" text,
        "clientAt" timestamptz, "version" integer, "warnings" json, "createdAt" timestamptz,
        "isFirst" boolean)
    ), n AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows.states)}::json) AS n(
        "token" text, "identifier" text, "collection" text, "choice" integer, "items" jsonb,
        "since" timestamptz, "consentId" uuid, "version" integer, "firstSeenAt" timestamptz,
        "consents" integer, "isNew" boolean)
    ), record AS (
      INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, answers,
        preferences, value, language, url, client_at, user_agent, version, warnings, import_id, created_at)
      SELECT ${projectId}, "id", "token", "collection", "identifier", "accept", "choice", "answers",
        "preferences", "value", "language", "url", "clientAt", 'import', "version", "warnings",
        ${importId}, "createdAt"
      FROM r
      ON CONFLICT (project_id, id) DO NOTHING
      RETURNING 1
    ), opened AS (
      INSERT INTO consent_states (project_id, token, identifier, collection, choice, items, since,
        consent_id, version, first_seen_at, consents)
      SELECT ${projectId}, "token", "identifier", "collection", "choice",
        CASE WHEN "choice" IS NULL THEN (
          SELECT coalesce(jsonb_object_agg(a.key, a.value || jsonb_build_object(
            'since', "createdAt", 'consentId', "id", 'version', "version")), '{}')
          FROM jsonb_each("answers") AS a) END,
        "createdAt", "id", "version", "createdAt", 1
      FROM r WHERE "isFirst"
      UNION ALL
      SELECT ${projectId}, "token", "identifier", "collection", "choice", "items", "since", "consentId",
        "version", "firstSeenAt", "consents"
      FROM n WHERE "isNew"
      ON CONFLICT (project_id, token, identifier) DO NOTHING
      RETURNING 1
    ), followed AS (
      UPDATE consent_states AS s SET
        collection = n."collection", choice = n."choice", items = n."items", since = n."since",
        consent_id = n."consentId", version = n."version", first_seen_at = n."firstSeenAt",
        consents = n."consents"
      FROM n
      WHERE NOT n."isNew" AND s.project_id = ${projectId} AND s.token = n."token"
        AND s.identifier = n."identifier"
      RETURNING 1
    ), past AS (
      INSERT INTO past_states (project_id, token, identifier, collection, choice, items, since,
        consent_id, until_id, version)
      SELECT ${projectId}, "token", "identifier", "collection", "choice", "items", "since", "consentId",
        "untilId", "version"
      FROM json_to_recordset(${JSON.stringify(rows.past)}::json) AS p(
        "token" text, "identifier" text, "collection" text, "choice" integer, "items" jsonb,
        "since" timestamptz, "consentId" uuid, "untilId" uuid, "version" integer)
    )
    SELECT (SELECT count(*) FROM record)::integer AS records, (SELECT count(*) FROM opened)::integer AS opened,
      (SELECT count(*) FROM followed)::integer AS followed`.execute(tx);
  return written[0] ?? { records: 0, opened: 0, followed: 0 };
}
