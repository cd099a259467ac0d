import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export type LinkRow = Selectable<Tables["person_links"]>;

interface TokenKey {
  projectId: string;
  token: string;
}

const DELETED_MAX = 5_000;

export async function insertLink(tx: DataTx, row: LinkRow): Promise<void> {
  await tx.insertInto("person_links").values(row).execute();
}

/** Deletes all but the `max` newest links of a token that visitors created, or that users created. */
export async function deleteLinksBeyond(
  tx: DataTx,
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

/** The link with this hash, unless it has expired. */
export async function findLinkByHash(
  db: DataDb,
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

/** Unexpired links of a project, or of one of its tokens, newest first. */
export async function listLinkRows(
  db: DataDb,
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

/** The token of a link; undefined without the link. */
export async function findLinkToken(
  tx: DataTx,
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

/** Deletes a link; returns whether it existed. */
export async function deleteLink(
  tx: DataTx,
  { projectId, id }: { projectId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("person_links")
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes all links of a token, or one of them. */
export async function deleteTokenLinks(
  tx: DataTx,
  { projectId, token, id }: TokenKey & { id: string | undefined },
): Promise<void> {
  await tx
    .deleteFrom("person_links")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .$if(id !== undefined, (rows) => rows.where("id", "=", id ?? ""))
    .execute();
}

/** Whether visitors are barred from creating links for a token. */
export async function isClosed(
  db: DataDb | DataTx,
  { projectId, token }: TokenKey,
): Promise<boolean> {
  const row = await db
    .selectFrom("closed_pages")
    .select("token")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the links that visitors created for a token, and bars them from creating more. */
export async function closePage(
  tx: DataTx,
  { projectId, token, now }: TokenKey & { now: Date },
): Promise<void> {
  await tx
    .insertInto("closed_pages")
    .values({ project_id: projectId, token, closed_at: now })
    .onConflict((taken) => taken.doNothing())
    .execute();
  await deleteLinksBeyond(tx, { projectId, token, isVisitors: true, max: 0 });
}

/** Allows visitors to create links for a token again. */
export async function reopenPage(tx: DataTx, { projectId, token }: TokenKey): Promise<void> {
  await tx
    .deleteFrom("closed_pages")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .execute();
}

/** Deletes the links of a token, and its bar. */
export async function deleteLinksOf(tx: DataTx, { projectId, token }: TokenKey): Promise<void> {
  await deleteTokenLinks(tx, { projectId, token, id: undefined });
  await reopenPage(tx, { projectId, token });
}

/** Deletes expired links, one batch per transaction. */
export async function deleteExpiredLinks(db: DataDb, now: Date): Promise<void> {
  for (let deleted = DELETED_MAX; deleted === DELETED_MAX;) {
    const { numAffectedRows } = await sql`
      DELETE FROM person_links WHERE id IN (
        SELECT id FROM person_links WHERE expires_at <= ${now} LIMIT ${DELETED_MAX})`.execute(db);
    deleted = Number(numAffectedRows ?? 0n);
  }
}

/** Whether a token has a stored state. */
export async function isSeen(tx: DataTx, { projectId, token }: TokenKey): Promise<boolean> {
  const row = await tx
    .selectFrom("consent_states")
    .select("token")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
