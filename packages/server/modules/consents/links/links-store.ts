import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export type LinkRow = Selectable<Tables["person_links"]>;

interface TokenKey {
  projectId: string;
  token: string;
}

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

/** The token that a link is for; undefined where there is no such link. */
export async function findLinkToken(
  tx: Tx,
  { projectId, id }: { projectId: string; id: string },
): Promise<string | undefined> {
  const row = await tx
    .selectFrom("person_links")
    .select("token")
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.token;
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

/** Whether visitors may make no links for a token. */
export async function isClosed(db: Db | Tx, { projectId, token }: TokenKey): Promise<boolean> {
  const row = await db
    .selectFrom("closed_pages")
    .select("token")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes what visitors made for a token, and keeps them from making more. */
export async function closePage(
  tx: Tx,
  { projectId, token, now }: TokenKey & { now: Date },
): Promise<void> {
  await tx
    .insertInto("closed_pages")
    .values({ project_id: projectId, token, closed_at: now })
    .onConflict((taken) => taken.doNothing())
    .execute();
  await deleteLinksBeyond(tx, { projectId, token, isVisitors: true, max: 0 });
}

/** Lets visitors make links for a token again. */
export async function reopenPage(tx: Tx, { projectId, token }: TokenKey): Promise<void> {
  await tx
    .deleteFrom("closed_pages")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .execute();
}

/** Deletes the links of a token, and that it has none. */
export async function deleteLinksOf(tx: Tx, { projectId, token }: TokenKey): Promise<void> {
  await tx
    .deleteFrom("person_links")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .execute();
  await reopenPage(tx, { projectId, token });
}

/** Deletes links that have ended, some in each transaction. */
export async function deleteExpiredLinks(db: Db, now: Date): Promise<void> {
  for (let deleted = DELETED_MAX; deleted === DELETED_MAX;) {
    const { numAffectedRows } = await sql`
      DELETE FROM person_links WHERE id IN (
        SELECT id FROM person_links WHERE expires_at <= ${now} LIMIT ${DELETED_MAX})`.execute(db);
    deleted = Number(numAffectedRows ?? 0n);
  }
}

/** Whether anything is kept of a token. */
export async function isSeen(tx: Tx, { projectId, token }: TokenKey): Promise<boolean> {
  const row = await tx
    .selectFrom("consent_states")
    .select("token")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
