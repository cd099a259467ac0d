import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** A user's roles on a document of those that were asked for, or on what it belongs to. */
export interface HolderRow {
  document_id: string;
  user_id: string;
  roles: string[];
}

/** The owners of a project's organization, or of the project itself where it is of none; the first `max`. */
export async function listOwnerIds(db: Db | Tx, projectId: string, max: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    SELECT u.user_id FROM documents d
    JOIN document_users u ON u.document_id = coalesce(d.organization_id, d.id) AND 'owner' = ANY (u.roles)
    WHERE d.id = ${projectId} ORDER BY u.user_id LIMIT ${max}`.execute(db);
  return rows.map((row) => row.user_id);
}

/**
 * Who has roles on these documents, deleted ones too, by themselves or by what they belong to; without those whose accounts
 * are disabled.
 */
export async function listHolderRows(
  db: Db | Tx,
  documentIds: readonly string[],
): Promise<HolderRow[]> {
  const { rows } = await sql<HolderRow>`
    SELECT d.id AS document_id, u.user_id, u.roles
    FROM documents d
    JOIN document_users u ON u.document_id IN (d.id, d.project_id, d.organization_id)
    JOIN users p ON p.id = u.user_id AND p.disabled_at IS NULL
    WHERE d.id = ANY (${sql.val([...documentIds])}::text[])`.execute(db);
  return rows;
}

/** A document that belongs to no other, by what people call it. */
export interface OwnedRow {
  id: string;
  resource: string;
  title: string | null;
}

/** Keeps others from giving and taking roles on what a user owns and belongs to nothing else, until the transaction ends. */
export async function lockOwned(tx: Tx, userId: string): Promise<void> {
  await sql`SELECT id FROM documents WHERE id IN (
      SELECT document_id FROM document_users WHERE user_id = ${userId} AND 'owner' = ANY (roles))
    AND project_id IS NULL AND organization_id IS NULL ORDER BY id FOR UPDATE`.execute(tx);
}

/** What nobody but a user owns, or only others whose accounts are disabled; the first `max`. */
export async function listOwnedAlone(tx: Tx, userId: string, max: number): Promise<OwnedRow[]> {
  const { rows } = await sql<OwnedRow>`
    SELECT d.id, d.resource, coalesce(d.body->>'title', d.body->>'name') AS title
    FROM document_users u JOIN documents d ON d.id = u.document_id
    WHERE u.user_id = ${userId} AND 'owner' = ANY (u.roles) AND d.deleted_at IS NULL
      AND d.project_id IS NULL AND d.organization_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM document_users o
        JOIN users p ON p.id = o.user_id AND p.disabled_at IS NULL
        WHERE o.document_id = d.id AND o.user_id <> u.user_id AND 'owner' = ANY (o.roles))
    ORDER BY d.resource, d.id LIMIT ${max}`.execute(tx);
  return rows;
}
