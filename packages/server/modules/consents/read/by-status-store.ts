import { type RawBuilder, sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { consentsWith, listArchivedIn } from "../archive/archived.ts";
import type { ItemKey } from "./accepted-store.ts";
import type { ItemAnswer } from "../states/states.ts";

/** An answer of a combination to one item, or to several items alike. */
export interface SharedAnswer extends Pick<ItemAnswer, "answer" | "days"> {
  /** Whether it is the answer to the configuration as a whole, and not to a vendor. */
  isWhole: boolean;
}

/** An answer of a state with its own items, with its run. */
interface WrittenRun extends SharedAnswer {
  since: string;
  consentId: string;
}

/** A record with the requested part of its token's state; nulls if that was erased concurrently. */
export interface StatusRow {
  id: string;
  token: string | null;
  choice: number | null;
  /** Set if the state has its own items; otherwise `choice` applies. */
  runs: readonly WrittenRun[] | null;
  since: Date | null;
  consent_id: string | null;
}

/**
 * The distinct answers of the items, or that of `item` if it is a vendor: a thousand vendors that were answered alike
 * result in one entry.
 */
function distinctAnswers(item: string, fields: readonly string[]): RawBuilder<unknown> {
  const own = fields.map((field) => `'${field}', e.value -> '${field}'`).join();
  return sql`(
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('isWhole', e.key = '', ${sql.raw(own)})), '[]')
    FROM jsonb_each(items) e WHERE ${item === "" ? sql`true` : sql`e.key = ${item}`}
  )`;
}

/** The answers of a configuration's combinations to an item, or to all items if it is ''. */
export async function listAnsweredChoices(
  db: DataDb,
  { projectId, identifier, item }: ItemKey,
): Promise<ReadonlyMap<number, readonly SharedAnswer[]>> {
  const { rows } = await sql<{ choice: number; answered: SharedAnswer[] }>`
    SELECT choice, ${distinctAnswers(item, ["answer", "days"])} AS answered FROM choices
    WHERE project_id = ${projectId} AND identifier = ${identifier} ORDER BY choice`.execute(db);
  return new Map(rows.map(({ choice, answered }) => [choice, answered]));
}

const columns = (item: string) => sql`token, choice, since, consent_id, CASE WHEN items IS NOT NULL
  THEN ${distinctAnswers(item, ["answer", "days", "since", "consentId"])} END AS runs`;

/** A part of a configuration's records, in ascending or descending order of ids. */
export interface Walk {
  order: "asc" | "desc";
  /** The id to continue after. */
  after: string | undefined;
  /** Range of ids: `from` inclusive, `to` exclusive. */
  bounds: { from?: string | undefined; to?: string | undefined };
  limit: number;
}

/** The next records of a configuration, with the present states of their tokens. */
export async function walkRecords(
  db: DataDb,
  { projectId, identifier, item }: ItemKey,
  { order, after, bounds: { from, to }, limit }: Walk,
): Promise<StatusRow[]> {
  const filter = { projectId, identifier, from, to };
  const window = { order, after, limit, isOutline: true };
  const { rows: archived } = await listArchivedIn(db, filter, window);
  const compare = sql.raw(order === "asc" ? ">" : "<");
  const { rows } = await sql<StatusRow>`
    SELECT r.id, s.* FROM (
      SELECT id, token FROM ${consentsWith(archived)} o
      WHERE project_id = ${projectId} AND identifier = ${identifier}
        ${from === undefined ? sql`` : sql`AND id >= ${from}::uuid`}
        ${to === undefined ? sql`` : sql`AND id < ${to}::uuid`}
        ${after === undefined ? sql`` : sql`AND id ${compare} ${after}::uuid`}
      ORDER BY id ${sql.raw(order)} LIMIT ${limit}
    ) r LEFT JOIN LATERAL (
      SELECT ${columns(item)} FROM consent_states
      WHERE project_id = ${projectId} AND token = r.token AND identifier = ${identifier}
      LIMIT 1
    ) s ON true ORDER BY r.id ${sql.raw(order)}`.execute(db);
  return rows;
}
