import { sql } from "kysely";
import { paths } from "@avow/contract/urls";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { consentsWith, listArchived } from "../archive/archived.ts";
import {
  addedQuartersTo,
  addedTo,
  dayOf,
  hourOf,
  sumsAndQuartersOf,
  sumsOf,
} from "../displays/hours-store.ts";

/** The tables of counts by hour and by day: the permanent ones, or temporary ones of a recount. */
export type CountsTables = typeof kept | typeof recounted;
export const kept = { hours: "answer_counts", days: "answer_days" } as const;
export const recounted = { hours: "recounted", days: "recounted_days" } as const;

/** The beginning of the path of a person's page; the project's id follows. */
const PERSON_PAGE = paths.personPage.slice(0, paths.personPage.indexOf(":"));
const columns = ["accepted", "partly", "refused"];

/** Locks the number of counted log entries; undefined while another node counts. */
export async function lockHead(
  tx: DataTx,
  { isWaiting }: { isWaiting: boolean },
): Promise<{ leaf: number } | undefined> {
  const { rows } = await sql<{ leaf: number }>`
    SELECT leaf FROM answer_counts_head WHERE id = 1
    FOR UPDATE ${sql.raw(isWaiting ? "" : "SKIP LOCKED")}`.execute(tx);
  return rows[0];
}

/** `until`: the creation time of the newest counted record; null without one. */
export async function updateHead(
  tx: DataTx,
  { leaf, until }: { leaf: number; until: Date | null },
): Promise<void> {
  await sql`
    UPDATE answer_counts_head SET leaf = ${leaf}, counted_until = greatest(counted_until, ${until}::timestamptz)
    WHERE id = 1`.execute(tx);
}

/** The progress of counting. */
export async function findHead(db: DataDb): Promise<{ leaf: number; until: Date | null }> {
  const { rows } = await sql<{ leaf: number; until: Date | null }>`
    SELECT leaf, counted_until AS until FROM answer_counts_head WHERE id = 1`.execute(db);
  return rows[0] ?? { leaf: 0, until: null };
}

/**
 * Adds those of these records that still exist to the counts, without imports, which were answered elsewhere, and
 * without changes that people made on their own page without being asked, whose records have the page as their URL
 * (`answerOnPage`). Returns the creation time of the newest counted record. The kind of an answer is that of `toKind`,
 * computed once per combination.
 */
export async function addAnswers(
  tx: DataTx,
  { hours, days }: CountsTables,
  { projectIds, ids }: { projectIds: readonly string[]; ids: readonly string[] },
): Promise<Date | null> {
  const keys = ids.map((id, at) => ({ projectId: projectIds[at] ?? "", id }));
  const archived = await listArchived(tx, keys);
  const { rows } = await sql<{ until: Date | null }>`
    WITH r AS (
      SELECT o.project_id, date_bin('15 minutes', o.created_at, timestamptz '2000-01-01 00:00Z') AS slot,
        o.identifier, o.accept, o.choice, CASE WHEN o.choice IS NULL THEN o.answers END AS answers,
        count(*)::integer AS n, max(o.created_at) AS newest
      FROM unnest(${sql.val([...projectIds])}::text[], ${sql.val([...ids])}::uuid[]) AS k(project_id, id)
      CROSS JOIN LATERAL (
        SELECT c.* FROM ${consentsWith(archived)} c
        WHERE c.project_id = k.project_id AND c.id = k.id AND c.import_id IS NULL
          AND c.grade IS DISTINCT FROM 'imported'
          AND right(c.url, length(k.project_id) + ${PERSON_PAGE.length}) IS DISTINCT FROM ${PERSON_PAGE} || k.project_id
        OFFSET 0
      ) o
      GROUP BY 1, 2, 3, 4, 5, 6
    ), kinds AS (
      SELECT r.project_id, r.slot, r.identifier, r.newest,
        CASE WHEN k.is_all THEN r.n END AS accepted, CASE WHEN k.is_none THEN r.n END AS refused,
        CASE WHEN NOT k.is_all AND NOT k.is_none THEN r.n END AS partly
      FROM r LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier AND c.choice = r.choice
      CROSS JOIN LATERAL (
        SELECT count(*) AS asked, count(*) FILTER (WHERE e.value ->> 'answer' = 'accepted') AS accepted
        FROM jsonb_each(coalesce(r.answers, c.items, '{}')) AS e WHERE e.key <> ''
      ) i
      CROSS JOIN LATERAL (
        SELECT CASE WHEN i.asked = 0 THEN r.accept ELSE i.accepted = i.asked END AS is_all,
          CASE WHEN i.asked = 0 THEN NOT r.accept ELSE i.accepted = 0 AND NOT r.accept END AS is_none
      ) k
    ), by_hour AS (
      INSERT INTO ${sql.table(hours)} AS a (project_id, hour, identifier, accepted, partly, refused, quarters)
      SELECT project_id, ${hourOf()}, identifier, ${sumsAndQuartersOf(columns)}
      FROM kinds GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (project_id, hour, identifier) DO UPDATE SET ${addedQuartersTo("a", columns)}
    ), by_day AS (
      INSERT INTO ${sql.table(days)} AS a (project_id, day, identifier, accepted, partly, refused)
      SELECT project_id, ${dayOf()}, identifier, ${sumsOf(columns)}
      FROM kinds GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (project_id, day, identifier) DO UPDATE SET ${addedTo("a", columns)}
    )
    SELECT max(newest) AS until FROM kinds`.execute(tx);
  return rows[0]?.until ?? null;
}
