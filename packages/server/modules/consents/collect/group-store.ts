import type { PoolClient, QueryConfig } from "pg";
import { openRowsEncoder } from "../../../platform/db/composite.ts";
import { REPLICATION_BARRIER } from "../../../platform/db/connections/replication.ts";
import { type StoredRow, columns } from "../records/row.ts";
import type { UsedChoice } from "../states/answer-combinations-store.ts";
import {
  type StateRow,
  insertPast,
  insertStates,
  pastRecord,
  stateColumns,
  stateFields,
  stateRecord,
} from "../states/states-store.ts";

/** A record with its idempotency key, ticket and commitment. Hashes are in hexadecimal. */
export interface CollectedRow extends StoredRow {
  /** Whether the state of the token and configuration consists of this record alone. */
  is_first: boolean;
  key: string | undefined;
  digest: string | undefined;
  /** In milliseconds since 1970. */
  key_ends_at: number | undefined;
  ticket: string | undefined;
  ticket_ends_at: number | undefined;
  /** The commitment; undefined: the log computes it later. */
  entry: Uint8Array | undefined;
  salt: Uint8Array | undefined;
}

/** Collection sets no import. */
const { import_id: _importId, ...collectedColumns } = columns;

/** The type of the parameter (migration 0054). */
const COLLECTED_TYPE = "collected_consent_2";
const encodeRows = openRowsEncoder<CollectedRow>({
  name: COLLECTED_TYPE,
  fields: {
    ...collectedColumns,
    is_first: { type: "boolean", valueOf: (row) => row.is_first },
    key: { type: "bytea", valueOf: (row) => row.key },
    digest: { type: "bytea", valueOf: (row) => row.digest },
    key_ends_at: { type: "timestamptz", valueOf: (row) => row.key_ends_at },
    ticket: { type: "bytea", valueOf: (row) => row.ticket },
    ticket_ends_at: { type: "timestamptz", valueOf: (row) => row.ticket_ends_at },
    entry: { type: "bytea", valueOf: (row) => row.entry },
    salt: { type: "bytea", valueOf: (row) => row.salt },
  },
});

export interface GroupRows {
  records: readonly CollectedRow[];
  /** The instant of the lowest id, in milliseconds since 1970. */
  firstIdAt: number;
  /** Whether any record redeems a display ticket. */
  hasTickets: boolean;
  /** States of more than one record. */
  states: readonly object[];
  /** The states that they replaced. */
  past: readonly object[];
  /** Per project, the live version that its configurations were read from; null: only the project's existence is checked. */
  versions: readonly { projectId: string; version: number | null }[];
  /** The referenced answer combinations that a concurrent erasure may delete, distinct and in lock order. */
  choices: readonly UsedChoice[];
  /** Number of states that replace a stored one. */
  followed: number;
}

/** Locks before any record is written. Raises when the ids are older than the margin (migration 0060). */
const begin = `
    SELECT begin_collecting(
      to_timestamp(($1::json ->> 'firstIdAt')::double precision / 1000),
      make_interval(secs => ($1::json ->> 'marginMs')::double precision / 1000)
    )`;

const collectedNames = Object.keys(collectedColumns).join(", ");
const insertRecords = `
    INSERT INTO consents (${collectedNames})
    SELECT ${collectedNames} FROM r`;

/** A ticket can be used once, like a key: reuse is a unique violation, which rolls the statement back. */
const insertTickets = `, used AS (
    INSERT INTO consent_keys (project_id, key, consent_id, expires_at)
    SELECT project_id, ticket, id, ticket_ends_at FROM r WHERE ticket IS NOT NULL
  )`;

const insertKeys = `
    INSERT INTO consent_keys (project_id, key, digest, consent_id, expires_at)
    SELECT project_id, key, digest, id, key_ends_at FROM r WHERE key IS NOT NULL`;

/** Queues each record for the log. */
const queueRecords = `
    INSERT INTO consent_queue (project_id, consent_id, entry, salt, trace)
    SELECT project_id, id, entry, salt, (SELECT $1::json ->> 'trace') FROM r`;

const insertFirsts = `
    ${insertStates}
    SELECT project_id, token, identifier, collection, choice,
      CASE WHEN choice IS NULL THEN (
        SELECT coalesce(jsonb_object_agg(a.key, a.value || jsonb_build_object(
          'since', created_at, 'consentId', id, 'version', version)), '{}')
        FROM jsonb_each(answers) AS a) END,
      created_at, id, version, created_at, 1
    FROM r WHERE is_first`;

/**
 * Writes states of more than one record, from $3 and $4. `identifier || ''` forces look-ups by the primary key: the
 * prepared plan may date from when the tables were empty.
 */
const writeStates = `
  n AS MATERIALIZED (
    SELECT * FROM json_to_recordset($3::json) AS ${stateRecord}
  ), followed AS (
    UPDATE consent_states AS s SET
      collection = n."collection", choice = n."choice", items = n."items", since = n."since",
      consent_id = n."consentId", version = n."version", consents = n."consents"
    FROM n
    WHERE s.project_id = n."projectId" AND s.token = n."token" AND s.identifier || '' = n."identifier"
      -- An import may have added older records, which changes the number but not the newest record.
      AND s.consent_id = n."before" AND s.consents = n."consentsBefore"
    RETURNING 1
  ), past AS (
    ${insertPast} FROM json_to_recordset($4::json) AS ${pastRecord}
  ),`;

const addedStates = `
    UNION ALL
    SELECT ${stateFields}
    FROM n WHERE "before" IS NULL`;

/** Locks the answer combinations that still exist until the commit. */
const assignAndLockNumbers = `
    SELECT 1 FROM (
      SELECT * FROM json_to_recordset($1::json -> 'choices')
        AS k("projectId" text, "identifier" text, "choice" integer)
      ORDER BY "projectId", "identifier", "choice"
    ) k CROSS JOIN LATERAL (
      SELECT 1 FROM choices c WHERE c.project_id = k."projectId" AND c.identifier = k."identifier"
        AND c.choice = k."choice" LIMIT 1 FOR KEY SHARE
    ) c`;

/** Raises where data changed since it was read. Used keys and existing first states are unique violations already. */
const check = (followed: string) => `
  SELECT assert_collected(
    ${followed},
    (SELECT count(*) FROM kept) = json_array_length($1::json -> 'choices'),
    NOT EXISTS (
      SELECT FROM json_to_recordset($1::json -> 'versions') AS v("projectId" text, "version" integer)
      WHERE NOT coalesce((
        SELECT o.is_open AND (v."version" IS NULL OR coalesce(o.live_version = v."version", false))
        FROM collecting_projects o WHERE o.project_id = v."projectId"), false)
    ))`;

/** The statement for groups of first records only, which most are, and the general one. */
function toStatements(hasTickets: boolean): Record<"firsts" | "any", QueryConfig> {
  const toText = (parts: { states: string; added: string; followed: string }) => `
  WITH g AS MATERIALIZED (${begin}
  ), r AS MATERIALIZED (SELECT u.* FROM g, unnest($2::${COLLECTED_TYPE}[]) AS u), ${parts.states}
  record AS (${insertRecords}
  ), queued AS (${queueRecords}
  ), key AS (${insertKeys}
  )${hasTickets ? insertTickets : ""}, opened AS (${insertFirsts}${parts.added}
  ), kept AS MATERIALIZED (${assignAndLockNumbers}
  )${check(parts.followed)}`;
  const kind = hasTickets ? "ticketed-" : "";
  return {
    firsts: {
      name: `write-${kind}firsts`,
      text: toText({ states: "", added: "", followed: "true" }),
    },
    any: {
      name: `write-${kind}group`,
      text: toText({
        states: writeStates,
        added: addedStates,
        followed: "(SELECT count(*) FROM followed) = $5::integer",
      }),
    },
  };
}

const plain = toStatements(false);
const ticketed = toStatements(true);

/**
 * Writes a group of records, in one statement.
 * @throws a serialization failure or a unique violation, without writing, if data changed since it was read
 */
export async function writeGroup(
  client: Pick<PoolClient, "query">,
  group: GroupRows & {
    /** The `traceparent` of the write, to which the log links. */
    trace: string | undefined;
    /** See `Intervals.collectingMs`. */
    marginMs: number;
  },
): Promise<void> {
  const { records, hasTickets, states, past, versions, choices, followed } = group;
  const { firstIdAt, trace, marginMs } = group;
  const isAny = states.length > 0 || past.length > 0;
  const { any, firsts } = hasTickets ? ticketed : plain;
  const values: (string | number | Buffer)[] = [
    JSON.stringify({ versions, choices, trace, firstIdAt, marginMs }),
    await encodeRows(client, records),
  ];
  if (isAny) values.push(JSON.stringify(states), JSON.stringify(past), followed);
  await client.query({ ...(isAny ? any : firsts), values });
}

/** The present by the database's clock. */
export async function readClock(client: Pick<PoolClient, "query">): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  return rows[0]?.now ?? new Date(0);
}

/** Makes the commit wait until all that this transaction read is replicated, such as the record of a used key. */
export async function awaitReplication(client: Pick<PoolClient, "query">): Promise<void> {
  await client.query(`SELECT assure_commit(); ${REPLICATION_BARRIER}`);
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

/** The existing states of these keys; with `lock`, locked in key order. */
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

/** Deletes those of these keys that have expired, so that they can be used again. */
export async function deleteExpiredKeys(
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

/** Those of these keys that were used, with their consents; hashes in hexadecimal. */
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
