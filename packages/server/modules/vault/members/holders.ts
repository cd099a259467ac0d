import type { Db, Tx } from "../../../platform/db/db.ts";
import { listHolderRows, listRolesOfUser } from "./holders-store.ts";
import { type Right, isAllowed } from "../../../kernel/rights.ts";

/** The part of the store that other modules may use. */
export { listOwnerIds } from "./holders-store.ts";

/**
 * The ids of the users who have `right` on each of these documents, by document id. Deleted documents keep their
 * users, so that notifications about them still reach somebody.
 */
export async function listHolders(
  db: Db | Tx,
  documentIds: readonly string[],
  right: Right,
): Promise<Map<string, Set<string>>> {
  const holders = new Map<string, Set<string>>();
  if (documentIds.length === 0) return holders;
  for (const row of await listHolderRows(db, documentIds)) {
    if (!isAllowed(row.roles, right)) continue;
    const users = holders.get(row.document_id) ?? new Set();
    holders.set(row.document_id, users.add(row.user_id));
  }
  return holders;
}

/** A user with roles on a document or on its parents. */
export interface Member {
  userId: string;
  roles: string[];
  /** False for a user who was added by id and has not opened the document. */
  isDisclosed: boolean;
}

/** The users with roles on each of these documents, including deleted ones, by document id. */
export async function listMembers(
  db: Db | Tx,
  documentIds: readonly string[],
): Promise<Map<string, Member[]>> {
  const members = new Map<string, Map<string, Member>>();
  if (documentIds.length === 0) return new Map();
  for (const row of await listHolderRows(db, documentIds)) {
    const own = members.get(row.document_id) ?? new Map<string, Member>();
    const { roles = [], isDisclosed = false } = own.get(row.user_id) ?? {};
    own.set(row.user_id, {
      userId: row.user_id,
      roles: [...roles, ...row.roles],
      isDisclosed: isDisclosed || row.is_disclosed,
    });
    members.set(row.document_id, own);
  }
  return new Map([...members].map(([id, own]) => [id, [...own.values()]]));
}

/** The roles of a user on each of these documents, by document id; none on deleted ones. */
export async function listOwnRoles(
  db: Db | Tx,
  of: { userId: string; documentIds: readonly string[] },
): Promise<Map<string, string[]>> {
  const held = new Map<string, string[]>();
  if (of.documentIds.length === 0) return held;
  for (const { document_id: id, roles } of await listRolesOfUser(db, of))
    held.set(id, [...(held.get(id) ?? []), ...roles]);
  return held;
}
