import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** A user's roles on a document or on its parents. */
export interface HolderRow {
  document_id: string;
  user_id: string;
  roles: string[];
  /** The user has opened the document, or was added by name. */
  is_disclosed: boolean;
}

/** The owners of a project's organization, or of the project if it has none; the first `max`. */
export async function listOwnerIds(db: Db | Tx, projectId: string, max: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    SELECT u.user_id FROM documents d
    JOIN document_users u ON u.document_id = coalesce(d.organization_id, d.id) AND 'owner' = ANY (u.roles)
    WHERE d.id = ${projectId} ORDER BY u.user_id LIMIT ${max}`.execute(db);
  return rows.map((row) => row.user_id);
}

/**
 * The users with roles on these documents, including deleted ones, or on their parents. Users with disabled accounts are
 * left out.
 */
export async function listHolderRows(
  db: Db | Tx,
  documentIds: readonly string[],
): Promise<HolderRow[]> {
  const { rows } = await sql<HolderRow>`
    SELECT d.id AS document_id, u.user_id, u.roles, u.is_disclosed
    FROM documents d
    JOIN document_users u ON u.document_id IN (d.id, d.project_id, d.organization_id)
    JOIN users p ON p.id = u.user_id AND p.disabled_at IS NULL
    WHERE d.id = ANY (${sql.val([...documentIds])}::text[])`.execute(db);
  return rows;
}

/** The roles of one user on these documents, without deleted ones, or on their parents. */
export async function listRolesOfUser(
  db: Db | Tx,
  { userId, documentIds }: { userId: string; documentIds: readonly string[] },
): Promise<HolderRow[]> {
  const { rows } = await sql<HolderRow>`
    SELECT d.id AS document_id, u.user_id, u.roles, u.is_disclosed
    FROM documents d
    JOIN document_users u ON u.document_id IN (d.id, d.project_id, d.organization_id)
    JOIN users p ON p.id = u.user_id AND p.disabled_at IS NULL
    WHERE d.id = ANY (${sql.val([...documentIds])}::text[]) AND d.deleted_at IS NULL
      AND u.user_id = ${userId}`.execute(db);
  return rows;
}

/** A document without a parent, with its title. */
export interface OwnedRow {
  id: string;
  resource: string;
  title: string | null;
}

/** The user who made another one an owner of a document, by its audit trail. */
export async function findOwnershipGiver(
  tx: Tx,
  { documentId, userId }: { documentId: string; userId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ actor: string }>`
    SELECT actor FROM events
    WHERE document_id = ${documentId} AND name = 'rights.changed' AND actor <> ${userId}
      AND data->>'userId' = ${userId} AND data->'roles' @> '["owner"]'
    ORDER BY created_at DESC, id DESC LIMIT 1`.execute(tx);
  return rows[0]?.actor;
}

/**
 * The documents without a parent that a user owns, where no other owner counts. Owners with disabled accounts do not count;
 * for documents that the user has opened, nor do those who were added by id and have not opened them.
 */
function solelyOwnedBy(userId: string, { isOpened }: { isOpened: boolean }) {
  return sql`document_users u JOIN documents d ON d.id = u.document_id
    WHERE u.user_id = ${userId} AND u.is_disclosed = ${isOpened} AND 'owner' = ANY (u.roles)
      AND d.deleted_at IS NULL AND d.project_id IS NULL AND d.organization_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM document_users o
        JOIN users p ON p.id = o.user_id AND p.disabled_at IS NULL
        WHERE o.document_id = d.id AND o.user_id <> u.user_id AND 'owner' = ANY (o.roles)
          AND (o.is_disclosed OR NOT ${isOpened}))`;
}

/** The documents without a parent that only this user owns, who was added by id and has not opened them. */
export async function listUnopenedSolelyOwned(
  tx: Tx,
  userId: string,
): Promise<{ id: string; resource: string }[]> {
  const { rows } = await sql<{ id: string; resource: string }>`
    SELECT d.id, d.resource FROM ${solelyOwnedBy(userId, { isOpened: false })}
    ORDER BY d.id`.execute(tx);
  return rows;
}

/** Locks the documents without a parent that a user owns, so that roles on them do not change until the transaction ends. */
export async function lockOwned(tx: Tx, userId: string): Promise<void> {
  await sql`SELECT id FROM documents WHERE id IN (
      SELECT document_id FROM document_users WHERE user_id = ${userId} AND 'owner' = ANY (roles))
    AND project_id IS NULL AND organization_id IS NULL ORDER BY id FOR UPDATE`.execute(tx);
}

/** Documents whose only owner is this user, who has opened them; the first `max`. */
export async function listSolelyOwned(tx: Tx, userId: string, max: number): Promise<OwnedRow[]> {
  const { rows } = await sql<OwnedRow>`
    SELECT d.id, d.resource, coalesce(d.body->>'title', d.body->>'name') AS title
    FROM ${solelyOwnedBy(userId, { isOpened: true })}
    ORDER BY d.resource, d.id LIMIT ${max}`.execute(tx);
  return rows;
}
