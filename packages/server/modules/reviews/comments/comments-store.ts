import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import type { NamedAuthor } from "../authors.ts";

export type CommentRow = Selectable<Tables["review_comments"]> & NamedAuthor;

interface CommentKey {
  projectId: string;
  commentId: string;
}

const named = (db: Db | Tx) =>
  db
    .selectFrom("review_comments as c")
    .leftJoin("users as u", "u.id", "c.author_id")
    .selectAll("c")
    .select(["u.display_name", "u.email"]);

export async function insertComment(
  tx: Tx,
  row: Insertable<Tables["review_comments"]>,
): Promise<void> {
  await tx.insertInto("review_comments").values(row).execute();
}

export async function findComment(
  db: Db | Tx,
  { projectId, commentId }: CommentKey,
): Promise<CommentRow | undefined> {
  return named(db)
    .where("c.project_id", "=", projectId)
    .where("c.id", "=", commentId)
    .executeTakeFirst();
}

/** The first comments of a project's threads, newest first, after the key `before`. */
export async function listThreadRows(
  db: Db | Tx,
  query: {
    projectId: string;
    status: "open" | "resolved" | undefined;
    configurationId: string | undefined;
    before: { createdAt: Date; id: string } | undefined;
  },
  limit: number,
): Promise<CommentRow[]> {
  const { projectId, status, configurationId, before } = query;
  let rows = named(db).where("c.project_id", "=", projectId).where("c.thread_id", "is", null);
  if (status) rows = rows.where("c.resolved_at", status === "open" ? "is" : "is not", null);
  if (configurationId !== undefined) rows = rows.where("c.configuration_id", "=", configurationId);
  if (before)
    rows = rows.where(
      sql<boolean>`(c.created_at, c.id) < (${before.createdAt}::timestamptz, ${before.id})`,
    );
  return rows.orderBy("c.created_at", "desc").orderBy("c.id", "desc").limit(limit).execute();
}

/** The replies of threads, oldest first. */
export async function listReplyRows(
  db: Db | Tx,
  threadIds: readonly string[],
): Promise<CommentRow[]> {
  if (threadIds.length === 0) return [];
  return named(db)
    .where("c.thread_id", "in", [...threadIds])
    .orderBy("c.created_at")
    .orderBy("c.id")
    .execute();
}

/** Number of comments of a project, or of replies of a thread. */
export async function countComments(
  db: Db | Tx,
  of: { projectId: string; threadId?: string; isOpen?: true },
): Promise<number> {
  let rows = db.selectFrom("review_comments").where("project_id", "=", of.projectId);
  if (of.threadId !== undefined) rows = rows.where("thread_id", "=", of.threadId);
  if (of.isOpen) rows = rows.where("thread_id", "is", null).where("resolved_at", "is", null);
  const { count } = await rows
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

export async function updateComment(
  tx: Tx,
  id: string,
  change: {
    text?: string;
    edited_at?: Date;
    resolved_at?: Date | null;
    resolved_by?: string | null;
  },
): Promise<void> {
  await tx.updateTable("review_comments").set(change).where("id", "=", id).execute();
}

/** Deletes a comment, with the replies to it. */
export async function deleteComment(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("review_comments").where("id", "=", id).execute();
}
