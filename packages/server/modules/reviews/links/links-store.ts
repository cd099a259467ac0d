import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export type LinkRow = Selectable<Tables["review_links"]>;

export async function insertLink(
  tx: Tx,
  row: Insertable<Tables["review_links"]>,
): Promise<LinkRow> {
  return tx.insertInto("review_links").values(row).returningAll().executeTakeFirstOrThrow();
}

/** The link with this hash, unless it has expired or was revoked. */
export async function findLinkByHash(
  db: Db | Tx,
  { hash, now }: { hash: Buffer; now: Date },
): Promise<LinkRow | undefined> {
  return db
    .selectFrom("review_links")
    .selectAll()
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** Number of links of a project that are valid. */
export async function countValidLinks(
  tx: Tx,
  { projectId, now }: { projectId: string; now: Date },
): Promise<number> {
  const { count } = await tx
    .selectFrom("review_links")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("project_id", "=", projectId)
    .where("expires_at", ">", now)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Links of a project, newest first, after the key `before`. */
export async function listLinkRows(
  db: Db,
  { projectId, before }: { projectId: string; before: { createdAt: Date; id: string } | undefined },
  limit: number,
): Promise<LinkRow[]> {
  let rows = db.selectFrom("review_links").selectAll().where("project_id", "=", projectId);
  if (before)
    rows = rows.where(
      sql<boolean>`(created_at, id) < (${before.createdAt}::timestamptz, ${before.id})`,
    );
  return rows.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

export async function findLink(
  tx: Tx,
  { projectId, linkId }: { projectId: string; linkId: string },
): Promise<LinkRow | undefined> {
  return tx
    .selectFrom("review_links")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("id", "=", linkId)
    .executeTakeFirst();
}

/** Revokes a link of a project, or all that are valid. Returns the ids of those that were not revoked before. */
export async function updateRevoked(
  tx: Tx,
  { projectId, linkId }: { projectId: string; linkId?: string },
  now: Date,
): Promise<string[]> {
  let links = tx
    .updateTable("review_links")
    .set({ revoked_at: now })
    .where("project_id", "=", projectId)
    .where("revoked_at", "is", null);
  links =
    linkId === undefined ? links.where("expires_at", ">", now) : links.where("id", "=", linkId);
  const rows = await links.returning("id").execute();
  return rows.map(({ id }) => id);
}

/** Stores the last use of a link, unless it is at most as recent as `before`. */
export async function updateUsed(
  db: Db,
  { id, now, before }: { id: string; now: Date; before: Date },
): Promise<void> {
  await db
    .updateTable("review_links")
    .set({ used_at: now })
    .where("id", "=", id)
    .where((link) => link.or([link("used_at", "is", null), link("used_at", "<", before)]))
    .execute();
}
