import { type RawBuilder, sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import type { State } from "./states.ts";
import { type StateRow, stateColumns, toState } from "./states-store.ts";
import { consentsWith, listArchived } from "../archive/archived.ts";
import type { ConsentRow } from "../records/row.ts";

/** Totals of a token's records over all configurations. */
export interface TokenRow {
  token: string;
  first_seen_at: Date;
  /** Its newest record. */
  consent_id: string;
  consents: number;
}

interface Window {
  limit: number;
  /** The token to continue after. */
  after: string | undefined;
}

/**
 * Tokens of a project in byte order, from `from` to `to` (exclusive). This is the order of the key, so no more rows
 * are grouped than returned.
 */
export async function listTokenRows(
  db: DataDb,
  bounds: { projectId: string; from: string; to: string | undefined },
  { limit, after }: Window,
): Promise<TokenRow[]> {
  const { projectId, from, to } = bounds;
  const { rows } = await sql<TokenRow>`
    SELECT token, min(first_seen_at) AS first_seen_at, max(consent_id::text COLLATE "C") AS consent_id,
      sum(consents) AS consents
    FROM consent_states
    WHERE project_id = ${projectId} AND token >= ${from}
      ${to === undefined ? sql`` : sql`AND token < ${to}`}
      ${after === undefined ? sql`` : sql`AND token > ${after}`}
    GROUP BY token ORDER BY token LIMIT ${limit}
  `.execute(db);
  return rows;
}

/** Limit of the stored bytes of states read for one page. */
const STATES_BYTES_MAX = 1024 * 1024;

interface OfToken {
  projectId: string;
  /** A token, or the column that has it. */
  token: string | RawBuilder<unknown>;
  /** Only records with lower ids count; undefined: all. */
  before?: string | undefined;
}

/** States in the order of identifiers; `end` is the first identifier that was left out. */
interface TokenStates {
  states: State[];
  end: string | undefined;
}

/** States of a token from an identifier on, in order: at most `limit`, within `STATES_BYTES_MAX`. */
export async function listTokenStates(
  db: DataDb,
  of: OfToken,
  { from, limit }: { from: string; limit: number },
): Promise<TokenStates> {
  const { rows } = await sql<FoundState>`
    ${selectStates(of, { from, limit })} ORDER BY identifier
  `.execute(db);
  return toStates(rows, limit);
}

/** A state row, and the number of states that the page was selected from. */
type FoundState = StateRow & { found: number };

function selectStates(of: OfToken, { from, limit }: { from: string; limit: number }) {
  return sql`
    SELECT * FROM (
      SELECT r.*, count(*) OVER () AS found, row_number() OVER (ORDER BY r.identifier) AS place,
        sum(r.size) OVER (ORDER BY r.identifier) - r.size AS reached
      FROM (
        SELECT ${sql.raw(stateColumns)}, pg_column_size(coalesce(s.items, c.items)) AS size
        FROM ${of.before === undefined ? sql`consent_states s` : statesBefore(of, of.before)}
        LEFT JOIN choices c ON c.project_id = s.project_id AND c.identifier = s.identifier
          AND c.choice = s.choice AND s.items IS NULL
        WHERE s.project_id = ${of.projectId} AND s.token = ${of.token} AND s.identifier >= ${from}
        ORDER BY s.identifier LIMIT ${limit}
      ) r
    ) w WHERE reached < ${STATES_BYTES_MAX} OR place <= 2`;
}

function toStates(rows: readonly FoundState[], limit: number): TokenStates {
  const last = rows.at(-1);
  const isWhole = !last || (rows.length === last.found && last.found < limit);
  const states = (isWhole ? rows : rows.slice(0, -1)).map(toState);
  return { states, end: isWhole ? undefined : last.identifier };
}

/**
 * The present states of each of `tokens`, at most `limit`, and its `records` newest records, in one statement: each row has
 * a state, a record, or both. With archived months of the project, further records may be among the newest.
 */
export async function readTokens(
  db: DataDb,
  { projectId, tokens }: { projectId: string; tokens: readonly string[] },
  { limit, records }: { limit: number; records: number },
): Promise<FoundToken[]> {
  // The planner expects as many rows of any JSON, so that one plan serves groups of any size. A limit that it does not
  // know makes it read the newest records by the index instead of sorting all.
  const asked = tokens.map((token, at) => ({ at, token, records }));
  const { rows } = await sql<FoundRow>`
    SELECT a.at, x.*,
      EXISTS (SELECT FROM archived_objects o WHERE o.project_id = ${projectId}) AS "hasArchived"
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS a(at integer, token text, records integer)
    CROSS JOIN LATERAL (
      SELECT r.*, to_json(s) AS state, coalesce(r.place, s.place) AS rank
      FROM (${selectStates({ projectId, token: sql.ref("a.token") }, { from: "", limit })}) s FULL JOIN (
        SELECT *, row_number() OVER (ORDER BY id DESC) AS place FROM (
          SELECT * FROM consents WHERE project_id = ${projectId} AND token = a.token
          ORDER BY id DESC LIMIT a.records
        ) c
      ) r ON r.place = s.place
    ) x
    ORDER BY a.at, x.rank
  `.execute(db);
  const byToken = Map.groupBy(rows, ({ at }) => at);
  return tokens.map((_, index) => toFoundToken(byToken.get(index) ?? [], limit));
}

/** The present states and the newest records of a token. */
export type FoundToken = TokenStates & { records: ConsentRow[]; hasArchived: boolean };

/** A row of a token; `at` is its place among those asked for. */
type FoundRow = ConsentRow & { at: number; state: StateJson | null; hasArchived: boolean };

function toFoundToken(rows: readonly FoundRow[], limit: number): FoundToken {
  const found = rows.flatMap(({ state }) => (state ? [toFoundState(state)] : []));
  return {
    ...toStates(found, limit),
    records: rows.filter(({ id }) => id !== null),
    // A token with archived records has a state, and so a row.
    hasArchived: rows[0]?.hasArchived === true,
  };
}

/** A state row as JSON. */
type StateJson = Omit<FoundState, "since" | "first_seen_at"> &
  Record<"since" | "first_seen_at", string>;

function toFoundState(json: StateJson): FoundState {
  const { since, first_seen_at } = json;
  return { ...json, since: new Date(since), first_seen_at: new Date(first_seen_at) };
}

/** The states of a token by the records before an id: the present state, or the past one valid at that time. */
function statesBefore({ projectId, token }: OfToken, before: string) {
  return sql`(
    SELECT n.project_id, n.token, n.identifier, n.first_seen_at, n.consents, x.*
    FROM consent_states n CROSS JOIN LATERAL (
      SELECT n.collection, n.choice, n.items, n.since, n.consent_id, n.version
      WHERE n.consent_id < ${before}::uuid
      UNION ALL
      (SELECT p.collection, p.choice, p.items, p.since, p.consent_id, p.version
      FROM past_states p
      WHERE n.consent_id >= ${before}::uuid AND p.project_id = n.project_id AND p.token = n.token
        AND p.identifier = n.identifier AND p.consent_id < ${before}::uuid
      ORDER BY p.consent_id DESC LIMIT 1)
    ) x
    WHERE n.project_id = ${projectId} AND n.token = ${token}
  ) s`;
}

/**
 * The newest record of a token, optionally of one collection or configuration. Found by the states, of which there
 * are few, whatever the number of records.
 */
export async function findLatest(
  db: DataDb,
  of: {
    projectId: string;
    token: string;
    collection?: string | undefined;
    identifier?: string | undefined;
  },
): Promise<ConsentRow | undefined> {
  const { projectId, token, collection, identifier } = of;
  const latest = sql`
    SELECT consent_id AS id FROM consent_states
    WHERE project_id = ${projectId} AND token = ${token}
      ${identifier === undefined ? sql`` : sql`AND identifier = ${identifier}`}
      ${collection === undefined ? sql`` : sql`AND collection = ${collection}`}
    ORDER BY consent_id DESC LIMIT 1`;
  const { rows } = await sql<ConsentRow>`
    SELECT * FROM consents WHERE project_id = ${projectId} AND id = (${latest})`.execute(db);
  if (rows[0]) return rows[0];
  const { rows: named } = await sql<{ id: string }>`${latest}`.execute(db);
  const archived = await listArchived(
    db,
    named.map(({ id }) => ({ projectId, id })),
  );
  if (archived.length === 0) return undefined;
  const found = await sql<ConsentRow>`
    SELECT * FROM ${consentsWith(archived)} c
    WHERE project_id = ${projectId} AND id = ${named[0]?.id}`.execute(db);
  return found.rows[0];
}
