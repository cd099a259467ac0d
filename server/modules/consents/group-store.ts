import type { PoolClient } from "pg";
import { type StateRow, stateColumns } from "./states-store.ts";

/** One statement writes a group of consents of any projects; what does not hold any more undoes it. */
export interface GroupRows {
  /** Records, with their keys; `isFirst`: the record is the whole state of its token and configuration. */
  records: readonly object[];
  /** States that followed another one, or more than one record of the group. */
  states: readonly object[];
  /** The states that these followed. */
  past: readonly object[];
  /** The version of each project that its live configurations were read from; null: only that it is there. */
  versions: readonly { projectId: string; version: number | null }[];
  /** How many of the states are in place of an earlier one. */
  followed: number;
}

const write = `
  WITH r AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS r(
      "projectId" text, "id" uuid, "token" text, "collection" text, "identifier" text, "accept" boolean,
      "choice" integer, "answers" jsonb, "preferences" json, "value" json, "language" text, "url" text,
      "clientAt" timestamptz, "userAgent" text, "version" integer, "warnings" json, "createdMs" float8,
      "key" text, "digest" text, "keyEndsMs" float8, "isFirst" boolean)
  ), n AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS n(
      "projectId" text, "token" text, "identifier" text, "collection" text, "choice" integer, "items" jsonb,
      "since" timestamptz, "consentId" uuid, "version" integer, "firstSeenAt" timestamptz,
      "consents" integer, "before" uuid, "consentsBefore" integer)
  ), record AS (
    INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, answers, preferences,
      value, language, url, client_at, user_agent, version, warnings, created_at)
    SELECT "projectId", "id", "token", "collection", "identifier", "accept", "choice", "answers",
      "preferences", "value", "language", "url", "clientAt", "userAgent", "version", "warnings",
      to_timestamp("createdMs" / 1000)
    FROM r
  ), key AS (
    INSERT INTO consent_keys (project_id, key, digest, consent_id, expires_at)
    SELECT "projectId", decode("key", 'hex'), decode("digest", 'hex'), "id", to_timestamp("keyEndsMs" / 1000)
    FROM r WHERE "key" IS NOT NULL
  ), opened AS (
    INSERT INTO consent_states (project_id, token, identifier, collection, choice, items, since, consent_id,
      version, first_seen_at, consents)
    SELECT "projectId", "token", "identifier", "collection", "choice",
      CASE WHEN "choice" IS NULL THEN (
        SELECT coalesce(jsonb_object_agg(a.key, a.value || jsonb_build_object(
          'since', to_timestamp("createdMs" / 1000), 'consentId', "id", 'version', "version")), '{}')
        FROM jsonb_each("answers") AS a) END,
      to_timestamp("createdMs" / 1000), "id", "version", to_timestamp("createdMs" / 1000), 1
    FROM r WHERE "isFirst"
    UNION ALL
    SELECT "projectId", "token", "identifier", "collection", "choice", "items", "since", "consentId", "version",
      "firstSeenAt", "consents"
    FROM n WHERE "before" IS NULL
  ), followed AS (
    UPDATE consent_states AS s SET
      collection = n."collection", choice = n."choice", items = n."items", since = n."since",
      consent_id = n."consentId", version = n."version", consents = n."consents"
    FROM n
    WHERE s.project_id = n."projectId" AND s.token = n."token" AND s.identifier = n."identifier"
      -- An import may have added earlier records, which leaves the newest one as it is.
      AND s.consent_id = n."before" AND s.consents = n."consentsBefore"
    RETURNING 1
  ), past AS (
    INSERT INTO past_states (project_id, token, identifier, collection, choice, items, since, consent_id,
      until_id, version)
    SELECT "projectId", "token", "identifier", "collection", "choice", "items", "since", "consentId",
      "untilId", "version"
    FROM json_to_recordset($3::json) AS p(
      "projectId" text, "token" text, "identifier" text, "collection" text, "choice" integer, "items" jsonb,
      "since" timestamptz, "consentId" uuid, "untilId" uuid, "version" integer)
  )
  -- A key that was used, or a first state that is not the first, is a duplicate in an index. Whatever
  -- else is not as it was read makes this a division by zero. Either undoes all of it.
  SELECT 1 / CASE WHEN (SELECT count(*) FROM followed) = $5 AND NOT EXISTS (
      SELECT FROM json_to_recordset($4::json) AS v("projectId" text, "version" integer)
      WHERE NOT EXISTS (
        SELECT FROM documents d WHERE d.id = v."projectId" AND d.resource = 'projects'
          AND d.deleted_at IS NULL AND (v."version" IS NULL OR d.live_version = v."version"))
    ) THEN 1 ELSE 0 END AS written`;

/** What PostgreSQL says when something was not as it was read: the statement above divides by zero. */
export const CHANGED_MEANWHILE = "22012";

/** Writes a group, in one statement that every connection prepares once. */
export async function writeGroup(
  client: Pick<PoolClient, "query">,
  rows: GroupRows,
): Promise<void> {
  const { records, states, past, versions, followed } = rows;
  const texts = [records, states, past, versions].map((list) => JSON.stringify(list));
  const values = [...texts, followed];
  await client.query({ name: "write-group", text: write, values });
}

export interface StateKey {
  projectId: string;
  token: string;
  identifier: string;
}

const read = (lock: string) => `
  SELECT ${stateColumns}
  FROM json_to_recordset($1::json) AS k("projectId" text, "token" text, "identifier" text)
  JOIN consent_states s ON s.project_id = k."projectId" AND s.token = k."token"
    AND s.identifier = k."identifier"
  LEFT JOIN choices c ON c.project_id = s.project_id AND c.identifier = s.identifier AND c.choice = s.choice
    AND s.items IS NULL
  ORDER BY s.project_id, s.token, s.identifier ${lock}`;

/** The states that there are of these keys; locked, in one order, where `lock` says so. */
export async function readStates(
  client: Pick<PoolClient, "query">,
  keys: readonly StateKey[],
  lock: boolean,
): Promise<StateRow[]> {
  const { rows } = await client.query<StateRow>({
    name: lock ? "lock-states" : "read-states",
    text: read(lock ? "FOR UPDATE OF s" : ""),
    values: [JSON.stringify(keys)],
  });
  return rows;
}

export interface KeyRow {
  project_id: string;
  key: string;
  digest: string | null;
  consent_id: string;
}

/** Forgets those of these keys that have ended, so that they may be used anew. */
export async function deleteEndedKeys(
  client: Pick<PoolClient, "query">,
  keys: readonly { projectId: string; key: string }[],
): Promise<void> {
  await client.query(
    `DELETE FROM consent_keys k
    USING json_to_recordset($1::json) AS w("projectId" text, "key" text)
    WHERE k.project_id = w."projectId" AND k.key = decode(w."key", 'hex') AND k.expires_at <= now()`,
    [JSON.stringify(keys)],
  );
}

/** Which of these keys were used, and for what; hashes in hexadecimal digits. */
export async function readKeys(
  client: Pick<PoolClient, "query">,
  keys: readonly { projectId: string; key: string }[],
): Promise<KeyRow[]> {
  const { rows } = await client.query<KeyRow>(
    `SELECT k.project_id, encode(k.key, 'hex') AS key, encode(k.digest, 'hex') AS digest, k.consent_id
    FROM json_to_recordset($1::json) AS w("projectId" text, "key" text)
    JOIN consent_keys k ON k.project_id = w."projectId" AND k.key = decode(w."key", 'hex')
    WHERE k.expires_at > now()`,
    [JSON.stringify(keys)],
  );
  return rows;
}
