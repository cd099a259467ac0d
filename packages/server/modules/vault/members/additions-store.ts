import { sql } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { Db } from "../../../platform/db/db.ts";

/** A document that a user was added to by id, and has not opened yet. */
export interface AdditionRow {
  id: string;
  resource: string;
  title: string;
  roles: string[];
  added_at: Date;
}

/** A page of the documents that a user was added to and has not opened, the newest addition first. */
export async function listAdditions(
  db: Db,
  scope: Scope,
  { page, perPage }: PageQuery,
): Promise<Page<AdditionRow>> {
  const { userId = "", projectId = null } = scope.kind === "user" ? scope : {};
  const added = sql`document_users u JOIN documents d ON d.id = u.document_id AND d.deleted_at IS NULL
    WHERE u.user_id = ${userId} AND NOT u.is_disclosed
      AND (${projectId}::text IS NULL OR ${projectId} IN (d.id, d.project_id))`;
  const { rows: items } = await sql<AdditionRow>`
    SELECT d.id, d.resource, coalesce(d.body->>'title', d.body->>'name', d.id) AS title, u.roles, u.added_at
    FROM ${added} ORDER BY u.added_at DESC, d.id LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`.execute(
    db,
  );
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${added}`.execute(db);
  return { items, total: counted[0]?.total ?? 0 };
}
