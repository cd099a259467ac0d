import type { PoolClient } from "pg";
import type { UsedChoice } from "./choices-store.ts";
import {
  type StateRow,
  insertPast,
  insertStates,
  pastRecord,
  stateColumns,
  stateFields,
  stateRecord,
} from "./states-store.ts";

/** The columns of a record with its key, in the order in which they are written. */
const recordColumns = [
  ["projectId", "text"],
  ["id", "uuid"],
  ["token", "text"],
  ["collection", "text"],
  ["identifier", "text"],
  ["accept", "boolean"],
  ["choice", "integer"],
  ["answers", "jsonb"],
  ["preferences", "json"],
  ["value", "json"],
  ["language", "text"],
  ["url", "text"],
  ["clientAt", "timestamptz"],
  ["userAgent", "text"],
  ["version", "integer"],
  ["warnings", "json"],
  ["createdMs", "float8"],
  ["key", "bytea"],
  ["digest", "bytea"],
  ["keyEndsMs", "float8"],
  /** Whether the record is the whole state of its token and configuration. */
  ["isFirst", "boolean"],
  ["gpc", "boolean"],
  /** What the log commits to, and its salt, where that is known already. */
  ["entry", "bytea"],
  ["salt", "bytea"],
] as const;

/** What more there is where a record of the group does not come from just any browser. */
const gradeColumns = [
  ["grade", "text"],
  ["displayedAt", "timestamptz"],
  /** Of a display ticket that is used by this record, and the end of that being known. */
  ["ticket", "bytea"],
  ["ticketEndsMs", "float8"],
] as const;

/** A record with its key: the text of each of `recordColumns`, or `gradeColumns`; undefined is null. */
export type RecordValues = readonly (string | undefined)[];

/** One statement writes a group of consents of any projects; what does not hold any more undoes it. */
export interface GroupRows {
  records: readonly RecordValues[];
  /** For each record the rest; undefined where all of it is null. */
  grades: readonly RecordValues[] | undefined;
  /** States that followed another one, or more than one record of the group. */
  states: readonly object[];
  /** The states that these followed. */
  past: readonly object[];
  /** The version of each project that its live configurations were read from; null: only that it is there. */
  versions: readonly { projectId: string; version: number | null }[];
  /** The choices that may be erased meanwhile, each once, in one order. */
  choices: readonly UsedChoice[];
  /** How many of the states are in place of an earlier one. */
  followed: number;
}

/** Records come as values, which PostgreSQL reads in a third of the time that JSON takes. */
function toRecords(size: number, from: number, isGraded: boolean): string {
  const columns = isGraded ? [...recordColumns, ...gradeColumns] : recordColumns;
  let parameter = from;
  const rows = Array.from({ length: size }, () => {
    const values = columns.map(([, type]) => `$${parameter++}::${type}`);
    return `(${values.join()})`;
  });
  return `SELECT * FROM (VALUES ${rows.join()}) AS r(${columns.map(([name]) => `"${name}"`).join()})
    WHERE "id" IS NOT NULL`;
}

const insertRecords = (isGraded: boolean) => `
    INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, answers, preferences,
      value, language, url, client_at, user_agent, version, warnings, created_at, gpc
      ${isGraded ? ", grade, displayed_at" : ""})
    SELECT "projectId", "id", "token", "collection", "identifier", "accept", "choice", "answers",
      "preferences", "value", "language", "url", "clientAt", "userAgent", "version", "warnings",
      to_timestamp("createdMs" / 1000), "gpc"${isGraded ? `, "grade", "displayedAt"` : ""}
    FROM r`;

/** A ticket is used once, as a key is: the second use is a duplicate, and undoes the statement. */
const insertTickets = `, used AS (
    INSERT INTO consent_keys (project_id, key, consent_id, expires_at)
    SELECT "projectId", "ticket", "id", to_timestamp("ticketEndsMs" / 1000)
    FROM r WHERE "ticket" IS NOT NULL
  )`;

const insertKeys = `
    INSERT INTO consent_keys (project_id, key, digest, consent_id, expires_at)
    SELECT "projectId", "key", "digest", "id", to_timestamp("keyEndsMs" / 1000)
    FROM r WHERE "key" IS NOT NULL`;

/** Every record is to be committed to by the log. */
const queueRecords = `
    INSERT INTO consent_queue (project_id, consent_id, entry, salt)
    SELECT "projectId", "id", "entry", "salt" FROM r`;

const insertFirsts = `
    ${insertStates}
    SELECT "projectId", "token", "identifier", "collection", "choice",
      CASE WHEN "choice" IS NULL THEN (
        SELECT coalesce(jsonb_object_agg(a.key, a.value || jsonb_build_object(
          'since', to_timestamp("createdMs" / 1000), 'consentId', "id", 'version', "version")), '{}')
        FROM jsonb_each("answers") AS a) END,
      to_timestamp("createdMs" / 1000), "id", "version", to_timestamp("createdMs" / 1000), 1
    FROM r WHERE "isFirst"`;

/** States beside those of first records, out of $2 and $3. The plan may be made on empty tables: it is
 * told to look states up by their key, one by one. */
const writeStates = `
  n AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS ${stateRecord}
  ), followed AS (
    UPDATE consent_states AS s SET
      collection = n."collection", choice = n."choice", items = n."items", since = n."since",
      consent_id = n."consentId", version = n."version", consents = n."consents"
    FROM n
    WHERE s.project_id = n."projectId" AND s.token = n."token" AND s.identifier || '' = n."identifier"
      -- An import may have added earlier records, which leaves the newest one as it is.
      AND s.consent_id = n."before" AND s.consents = n."consentsBefore"
    RETURNING 1
  ), past AS (
    ${insertPast} FROM json_to_recordset($3::json) AS ${pastRecord}
  ),`;

const addedStates = `
    UNION ALL
    SELECT ${stateFields}
    FROM n WHERE "before" IS NULL`;

/** Of the choices of visitors those that are there, which then stay until this is committed. */
const keepChoices = `
    SELECT 1 FROM (
      SELECT * FROM json_to_recordset($1::json -> 'choices')
        AS k("projectId" text, "identifier" text, "choice" integer)
      ORDER BY "projectId", "identifier", "choice"
    ) k CROSS JOIN LATERAL (
      SELECT 1 FROM choices c WHERE c.project_id = k."projectId" AND c.identifier = k."identifier"
        AND c.choice = k."choice" LIMIT 1 FOR KEY SHARE
    ) c`;

/**
 * A key that was used, or a first state that is not the first, is a duplicate in an index. Whatever
 * else is not as it was read makes this a division by zero. Either undoes all of it.
 */
const check = (followed: string) => `
  SELECT 1 / CASE WHEN ${followed} (SELECT count(*) FROM kept) = json_array_length($1::json -> 'choices')
    AND NOT EXISTS (
    SELECT FROM json_to_recordset($1::json -> 'versions') AS v("projectId" text, "version" integer)
    WHERE NOT coalesce((
      SELECT d.resource = 'projects' AND d.deleted_at IS NULL
        AND (v."version" IS NULL OR coalesce(d.live_version = v."version", false))
      FROM documents d WHERE d.id = v."projectId"), false)
  ) THEN 1 ELSE 0 END AS written`;

/** What PostgreSQL says when something was not as it was read: the statement divides by zero. */
export const CHANGED_MEANWHILE = "22012";

/** The statement for first records alone, as most groups are, and that for records of any kind. */
function toStatements(
  size: number,
  isGraded: boolean,
): Record<"firsts" | "any", { name: string; text: string }> {
  const toText = (parts: { from: number; states: string; added: string; followed: string }) => `
  WITH r AS MATERIALIZED (${toRecords(size, parts.from, isGraded)}), ${parts.states}
  record AS (${insertRecords(isGraded)}
  ), queued AS (${queueRecords}
  ), key AS (${insertKeys}
  )${isGraded ? insertTickets : ""}, opened AS (${insertFirsts}${parts.added}
  ), kept AS MATERIALIZED (${keepChoices}
  )${check(parts.followed)}`;
  const firsts = toText({ from: 2, states: "", added: "", followed: "" });
  const any = toText({
    from: 5,
    states: writeStates,
    added: addedStates,
    followed: "(SELECT count(*) FROM followed) = $4::integer AND",
  });
  const kind = isGraded ? "graded-" : "";
  return {
    firsts: { name: `write-${kind}firsts-${size}`, text: firsts },
    any: { name: `write-${kind}group-${size}`, text: any },
  };
}

/** A group is filled up to one of these sizes, so that a connection prepares few statements. */
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const statements = sizes.map((size) => ({
  size,
  plain: toStatements(size, false),
  graded: toStatements(size, true),
}));

/** Writes a group of at most 256 records, in one statement. */
export async function writeGroup(
  client: Pick<PoolClient, "query">,
  { records, grades, states, past, versions, choices, followed }: GroupRows,
): Promise<void> {
  const statement = statements.find(({ size }) => size >= records.length);
  if (!statement) throw new Error(`A group of ${records.length} records is too large.`);
  const isAny = states.length > 0 || past.length > 0;
  const values: (string | number | undefined)[] = [JSON.stringify({ versions, choices })];
  if (isAny) values.push(JSON.stringify(states), JSON.stringify(past), followed);
  for (const [at, record] of records.entries()) values.push(...record, ...(grades?.[at] ?? []));
  const width = recordColumns.length + (grades ? gradeColumns.length : 0);
  const missing = (statement.size - records.length) * width;
  for (let index = 0; index < missing; index += 1) values.push(undefined);
  const { any, firsts } = grades ? statement.graded : statement.plain;
  await client.query({ ...(isAny ? any : firsts), values });
}

export interface StateKey {
  projectId: string;
  token: string;
  identifier: string;
}

const read = (lock: string) => `
  SELECT ${stateColumns}
  FROM (
    SELECT * FROM json_to_recordset($1::json) AS k("projectId" text, "token" text, "identifier" text)
    ORDER BY "projectId", "token", "identifier"
  ) k CROSS JOIN LATERAL (
    SELECT * FROM consent_states s
    WHERE s.project_id = k."projectId" AND s.token = k."token" AND s.identifier || '' = k."identifier"
    LIMIT 1 ${lock}
  ) s
  LEFT JOIN LATERAL (
    SELECT items FROM choices c WHERE c.project_id = s.project_id AND c.identifier = s.identifier
      AND c.choice = s.choice AND s.items IS NULL
    LIMIT 1
  ) c ON true`;

/** The states that there are of these keys; locked, in one order, where `lock` says so. */
export async function readStates(
  client: Pick<PoolClient, "query">,
  keys: readonly StateKey[],
  lock: boolean,
): Promise<StateRow[]> {
  const { rows } = await client.query<StateRow>({
    name: lock ? "lock-states" : "read-states",
    text: read(lock ? "FOR UPDATE" : ""),
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
