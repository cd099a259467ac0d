import { type RawBuilder, sql } from "kysely";
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

/** The tables of counts by hour, by day and by group: the permanent ones, or temporary ones of a recount. */
export type CountsTables = typeof kept | typeof recounted;
export const kept = {
  hours: "answer_counts",
  days: "answer_days",
  groups: "answer_groups",
} as const;
export const recounted = {
  hours: "recounted",
  days: "recounted_days",
  groups: "recounted_groups",
} as const;

/** The beginning of the path of a person's page; the project's id follows. */
const PERSON_PAGE = paths.personPage.slice(0, paths.personPage.indexOf(":"));
const columns = ["accepted", "partly", "refused"];
/** Limit of the keys of a dimension in a day of a project; further ones are summed up under ''. */
const KEYS_MAX = 200;
const KEY_LENGTH_MAX = 200;

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
 * computed once per combination and page. `ids` are in the order of the log, in which new keys of a dimension are admitted up to
 * its limit: a recount in other batches admits the same ones.
 */
export async function addAnswers(
  tx: DataTx,
  { hours, days, groups }: CountsTables,
  {
    projectIds,
    ids,
    countsPages,
  }: { projectIds: readonly string[]; ids: readonly string[]; countsPages: boolean },
): Promise<Date | null> {
  const keys = ids.map((id, at) => ({ projectId: projectIds[at] ?? "", id }));
  const archived = await listArchived(tx, keys);
  const { rows } = await sql<{ until: Date | null }>`
    WITH o AS MATERIALIZED (
      SELECT o.project_id, date_bin('15 minutes', o.created_at, timestamptz '2000-01-01 00:00Z') AS slot,
        o.identifier, o.accept, o.choice, CASE WHEN o.choice IS NULL THEN o.answers END AS answers,
        o.created_at, k.at, ${countsPages ? pageOf("o.url") : sql`NULL::text`} AS page, o.country
      FROM unnest(${sql.val([...projectIds])}::text[], ${sql.val([...ids])}::uuid[])
        WITH ORDINALITY AS k(project_id, id, at)
      CROSS JOIN LATERAL (
        SELECT c.* FROM ${consentsWith(archived)} c
        WHERE c.project_id = k.project_id AND c.id = k.id AND c.import_id IS NULL
          AND c.grade IS DISTINCT FROM 'imported'
          AND right(c.url, length(k.project_id) + ${PERSON_PAGE.length}) IS DISTINCT FROM ${PERSON_PAGE} || k.project_id
        OFFSET 0
      ) o
    ), r AS (
      SELECT project_id, slot, identifier, accept, choice, answers, page, country,
        count(*)::integer AS n, max(created_at) AS newest, min(at) AS first
      FROM o GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ), kinds AS MATERIALIZED (
      SELECT r.project_id, r.slot, r.identifier, r.newest, r.page, r.country, r.first, r.n, i.items,
        CASE WHEN k.is_all THEN r.n END AS accepted, CASE WHEN k.is_none THEN r.n END AS refused,
        CASE WHEN NOT k.is_all AND NOT k.is_none THEN r.n END AS partly
      FROM r LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier AND c.choice = r.choice
      CROSS JOIN LATERAL (SELECT coalesce(r.answers, c.items, '{}') AS items) i
      CROSS JOIN LATERAL (
        SELECT count(*) AS asked, count(*) FILTER (WHERE e.value ->> 'answer' = 'accepted') AS accepted
        FROM jsonb_each(i.items) AS e WHERE e.key <> ''
      ) s
      CROSS JOIN LATERAL (
        SELECT CASE WHEN s.asked = 0 THEN r.accept ELSE s.accepted = s.asked END AS is_all,
          CASE WHEN s.asked = 0 THEN NOT r.accept ELSE s.accepted = 0 AND NOT r.accept END AS is_none
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
    ), members AS (
      SELECT k.project_id, ${dayOf()} AS day, d.dimension, d.key, min(k.first) AS first, ${namedSums()}
      FROM kinds k CROSS JOIN LATERAL (VALUES ('page', k.page), ('region', k.country)) AS d(dimension, key)
      WHERE d.key IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL
      SELECT k.project_id, ${dayOf()}, 'vendor', e.key, min(k.first),
        coalesce(sum(k.n) FILTER (WHERE e.is_accepted), 0)::integer, 0,
        coalesce(sum(k.n) FILTER (WHERE NOT e.is_accepted), 0)::integer
      FROM kinds k CROSS JOIN LATERAL (
        SELECT left(key, ${KEY_LENGTH_MAX}) AS key, coalesce(value ->> 'answer' = 'accepted', false) AS is_accepted
        FROM jsonb_each(k.items) WHERE key <> ''
      ) e GROUP BY 1, 2, 3, 4
    ), held AS (
      SELECT m.project_id, m.day, m.dimension, (
        SELECT count(*) FROM ${sql.table(groups)} g
        WHERE g.project_id = m.project_id AND g.dimension = m.dimension AND g.day = m.day AND g.key <> '') AS n
      FROM (SELECT DISTINCT project_id, day, dimension FROM members) m
    ), ranked AS (
      SELECT m.*, g.key IS NOT NULL AS is_held, h.n + row_number() OVER (
        PARTITION BY m.project_id, m.dimension, m.day, g.key IS NOT NULL ORDER BY m.first, m.key) AS rank
      FROM members m JOIN held h USING (project_id, day, dimension)
      LEFT JOIN ${sql.table(groups)} g USING (project_id, day, dimension, key)
    ), by_group AS (
      INSERT INTO ${sql.table(groups)} AS a (project_id, dimension, day, key, accepted, partly, refused)
      SELECT project_id, dimension, day, CASE WHEN is_held OR rank <= ${KEYS_MAX} THEN key ELSE '' END, ${sumsOf(columns)}
      FROM ranked GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (project_id, dimension, day, key) DO UPDATE SET ${addedTo("a", columns)}
    )
    SELECT max(newest) AS until FROM kinds`.execute(tx);
  return rows[0]?.until ?? null;
}

/** The sums under the names of their columns. */
function namedSums(): RawBuilder<unknown> {
  return sql.raw(columns.map((name) => `coalesce(sum(k.${name}), 0)::integer AS ${name}`).join());
}

/**
 * The page of a record's URL, which has no query: its path, without segments that may identify a person, an order or
 * a session. These are numbers, addresses, UUIDs, long hexadecimal numbers, more than 60 characters, names after `~`,
 * and segments after one such as `users`.
 */
function pageOf(url: string): RawBuilder<unknown> {
  const path = `regexp_replace(${url}, '^[a-z][a-z0-9+.-]*://[^/]*', '', 'i')`;
  const afterPeople =
    "(?<=/(?:u|users?|profiles?|people|person|members?|accounts?|customers?|patients?|authors?))/[^/]+";
  const identifying =
    "[0-9]+(?=/|$)|[^/]*(?:@|%40|[0-9]{5}|[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{16})[^/]*|~[^/]+|[^/]{61,}";
  return sql.raw(
    `left(regexp_replace(${path}, '${afterPeople}|/(?:${identifying})', '/*', 'gi'), ${KEY_LENGTH_MAX})`,
  );
}
