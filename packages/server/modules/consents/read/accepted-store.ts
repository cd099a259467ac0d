import { type RawBuilder, sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { consentsWith, listArchivedIn } from "../archive/archived.ts";
import type { ItemAnswer, ItemState } from "../states/states.ts";

export interface ItemKey {
  projectId: string;
  identifier: string;
  item: string;
}

/** The answer to an item in each combination of its configuration; null if the combination has none. */
export type ItemChoices = ReadonlyMap<number, ItemAnswer | null>;

/** The answers to an item in the configuration's combinations, of which there are few, and which never change. */
export async function listItemChoices(
  db: DataDb,
  { projectId, identifier, item }: ItemKey,
): Promise<ItemChoices> {
  const { rows } = await sql<{ choice: number; answer: ItemAnswer | null }>`
    SELECT choice, items -> ${item} AS answer FROM choices
    WHERE project_id = ${projectId} AND identifier = ${identifier} ORDER BY choice
  `.execute(db);
  return new Map(rows.map(({ choice, answer }) => [choice, answer]));
}

/** A token with the state of one item; nulls without a state. */
export interface TokenItemRow {
  token: string;
  choice: number | null;
  /** Whether the state has its own items: `own` then applies instead of `choice`. */
  written: boolean | null;
  own: (Omit<ItemState, "since"> & { since: string }) | null;
  since: Date | null;
  consent_id: string | null;
  version: number | null;
}

export function toItemState(row: TokenItemRow, choices: ItemChoices): ItemState | undefined {
  const { own, since, consent_id: consentId, version } = row;
  if (row.written) return own ? { ...own, since: new Date(own.since) } : undefined;
  const answer = row.choice === null ? undefined : choices.get(row.choice);
  if (!answer || !since || consentId === null) return undefined;
  return { ...answer, since, consentId, version };
}

const columns = (item: string) => sql`token, choice, items IS NOT NULL AS written,
  items -> ${item} AS own, since, consent_id, version`;

/**
 * The next tokens whose state of a configuration has one of these combinations or none, in the order of tokens. Merges
 * one index range per combination, so that each range reads at most `limit` rows.
 */
function stretchOf(
  { projectId, identifier, item }: ItemKey,
  {
    choices,
    after,
    limit,
  }: { choices: readonly number[]; after: string | undefined; limit: number },
): RawBuilder<unknown> {
  const range = (choice: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`(
    SELECT ${columns(item)} FROM consent_states
    WHERE project_id = ${projectId} AND identifier = ${identifier} AND choice ${choice}
      ${after === undefined ? sql`` : sql`AND token > ${after}`}
    ORDER BY ${order} LIMIT ${limit})`;
  const ranges = [
    ...choices.map((choice) => range(sql`= ${choice}::integer`, sql`token`)),
    // The planner uses the index order only if the column that is null is in ORDER BY, too.
    range(sql`IS NULL`, sql`choice, token`),
  ];
  return sql`SELECT * FROM (${sql.join(ranges, sql` UNION ALL `)}) s ORDER BY token LIMIT ${limit}`;
}

interface Stretch {
  choices: readonly number[];
  /** The token to continue after. */
  after: string | undefined;
  limit: number;
  /** Only records with lower ids count; undefined: all. */
  before?: string | undefined;
}

/**
 * The next tokens whose present state of a configuration has one of these combinations or its own items, each with its
 * state of the item, at the time of `before` if given.
 */
export async function listTokenItems(
  db: DataDb,
  of: ItemKey,
  { before, ...stretch }: Stretch,
): Promise<TokenItemRow[]> {
  const { projectId, identifier, item } = of;
  const present = stretchOf(of, stretch);
  const query =
    before === undefined
      ? present
      : sql`
    SELECT n.token, x.* FROM (${present}) n LEFT JOIN LATERAL (
      SELECT n.choice, n.written, n.own, n.since, n.consent_id, n.version
      WHERE n.consent_id < ${before}::uuid
      UNION ALL
      (SELECT choice, items IS NOT NULL, items -> ${item}, since, consent_id, version FROM past_states
      WHERE n.consent_id >= ${before}::uuid AND project_id = ${projectId} AND token = n.token
        AND identifier = ${identifier} AND consent_id < ${before}::uuid
      ORDER BY consent_id DESC LIMIT 1)
    ) x ON true ORDER BY n.token`;
  const { rows } = await sql<TokenItemRow>`${query}`.execute(db);
  return rows;
}

/** Records by id, from `from` to `to` (inclusive). */
export interface RecordRange {
  from: string;
  to: string;
  /** The id to continue after. */
  after: string | undefined;
  limit: number;
  /** Only records of this import, of any configuration; otherwise records of the item's configuration. */
  importId?: string | undefined;
}

/**
 * The next records of a range, each with its token's present state of the item; nulls
 * for records of another configuration.
 */
export async function listRecordItems(
  db: DataDb,
  { projectId, identifier, item }: ItemKey,
  { from, to, after, limit, importId }: RecordRange,
): Promise<(TokenItemRow & { id: string })[]> {
  const filter = importId === undefined ? { projectId, identifier } : { projectId, importId };
  const window = { order: "asc", after, end: to, limit, isOutline: true } as const;
  const { rows: archived } = await listArchivedIn(db, { ...filter, from }, window);
  const { rows } = await sql<TokenItemRow & { id: string }>`
    SELECT r.id, r.token, s.* FROM (
      SELECT id, token, identifier FROM ${consentsWith(archived)} o
      WHERE project_id = ${projectId} AND id >= ${from}::uuid AND id <= ${to}::uuid
        AND ${importId === undefined ? sql`identifier = ${identifier}` : sql`import_id = ${importId}`}
        ${after === undefined ? sql`` : sql`AND id > ${after}::uuid`}
      ORDER BY id LIMIT ${limit}
    ) r LEFT JOIN LATERAL (
      SELECT choice, items IS NOT NULL AS written, items -> ${item} AS own, since, consent_id, version
      FROM consent_states
      WHERE project_id = ${projectId} AND token = r.token AND identifier = ${identifier}
        AND r.identifier = ${identifier}
      LIMIT 1
    ) s ON true ORDER BY r.id
  `.execute(db);
  return rows;
}

/** The newest visible record of a configuration. */
export async function findNewestId(
  db: DataDb,
  { projectId, identifier }: Pick<ItemKey, "projectId" | "identifier">,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("consents")
    .select("id")
    .where("project_id", "=", projectId)
    .where("identifier", "=", identifier)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  // Archived records are newer only than ones that were imported into their months.
  const window = { order: "desc", end: row?.id, limit: 1, isOutline: true } as const;
  const { rows: archived } = await listArchivedIn(db, { projectId, identifier }, window);
  return archived[0]?.id ?? row?.id;
}
