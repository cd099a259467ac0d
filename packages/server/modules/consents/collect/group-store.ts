import type { PoolClient, QueryConfig } from "pg";
import { openRowsEncoder } from "../../../platform/db/composite.ts";
import { BUCKETS_ROW } from "../../../platform/db/buckets/one-row.ts";
import { REPLICATION_BARRIER } from "../../../platform/db/connections/replication.ts";
import { type StoredRow, columns } from "../records/row.ts";
import type { UsedChoice } from "../states/answer-combinations-store.ts";
import { type StateRow, stateColumns } from "../states/states-store.ts";

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

/** A function of migration 0090, which the server of the bucket runs. */
const write = {
  name: "write-consents",
  text: `SELECT write_consents($1::json, $2::${COLLECTED_TYPE}[], $3::json, $4::json, $5::integer)
    FROM ${BUCKETS_ROW}`,
} satisfies QueryConfig;

/**
 * Writes a group of records, with one call.
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
  const values = [
    JSON.stringify({ versions, choices, trace, firstIdAt, marginMs, hasTickets }),
    await encodeRows(client, records),
    ...(isAny ? [JSON.stringify(states), JSON.stringify(past), followed] : [null, null, null]),
  ];
  const { rowCount } = await client.query({ ...write, values });
  if (rowCount !== 1) throw new Error("answer_counts_head has no row");
}

/** The present by the clock of the server of the bucket. */
export async function readClock(client: Pick<PoolClient, "query">): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>(
    `SELECT clock_timestamp() AS now FROM ${BUCKETS_ROW}`,
  );
  return rows[0]?.now ?? new Date(0);
}

/** Makes the commit wait until all that this transaction read is replicated, such as the record of a used key. */
export async function awaitReplication(client: Pick<PoolClient, "query">): Promise<void> {
  await client.query(`${REPLICATION_BARRIER}, assure_commit() FROM ${BUCKETS_ROW}`);
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
