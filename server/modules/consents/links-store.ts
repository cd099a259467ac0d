import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Tables } from "../../platform/db/tables.ts";

export type LinkRow = Selectable<Tables["person_links"]>;

const DELETED_MAX = 5_000;

export async function insertLink(tx: Tx, row: LinkRow): Promise<void> {
  await tx.insertInto("person_links").values(row).execute();
}

/** Deletes all but the newest links of a token among those that visitors made, or among the others. */
export async function deleteLinksBeyond(
  tx: Tx,
  links: { projectId: string; token: string; isVisitors: boolean; max: number },
): Promise<void> {
  const { projectId, token, isVisitors, max } = links;
  await sql`
    DELETE FROM person_links WHERE id IN (
      SELECT id FROM person_links
      WHERE project_id = ${projectId} AND token = ${token}
        AND (created_by = 'visitor') = ${isVisitors}
      ORDER BY created_at DESC, id DESC OFFSET ${max})`.execute(tx);
}

/** The link with this hash, where it has not ended. */
export async function findLinkByHash(
  db: Db,
  { projectId, hash, now }: { projectId: string; hash: Buffer; now: Date },
): Promise<LinkRow | undefined> {
  return db
    .selectFrom("person_links")
    .selectAll()
    .where("hash", "=", hash)
    .where("project_id", "=", projectId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** Links of a project that have not ended, of one token where it is named, the newest first. */
export async function listLinkRows(
  db: Db,
  query: { projectId: string; token: string | undefined; before: string | undefined; now: Date },
  limit: number,
): Promise<LinkRow[]> {
  const { projectId, token, before, now } = query;
  return db
    .selectFrom("person_links")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("expires_at", ">", now)
    .$if(token !== undefined, (rows) => rows.where("token", "=", token ?? ""))
    .$if(before !== undefined, (rows) => rows.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Deletes a link; answers whether it was there. */
export async function deleteLink(
  tx: Tx,
  { projectId, id }: { projectId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("person_links")
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the links of a token. */
export async function deleteLinksOf(
  tx: Tx,
  { projectId, token }: { projectId: string; token: string },
): Promise<void> {
  await tx
    .deleteFrom("person_links")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .execute();
}

/** Deletes links that have ended, some in each transaction. */
export async function deleteEndedLinks(db: Db, now: Date): Promise<void> {
  for (let deleted = DELETED_MAX; deleted === DELETED_MAX;) {
    const { numAffectedRows } = await sql`
      DELETE FROM person_links WHERE id IN (
        SELECT id FROM person_links WHERE expires_at <= ${now} LIMIT ${DELETED_MAX})`.execute(db);
    deleted = Number(numAffectedRows ?? 0n);
  }
}

/** Whether anything is kept of a token. */
export async function isSeen(
  tx: Tx,
  { projectId, token }: { projectId: string; token: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("consent_states")
    .select("token")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
