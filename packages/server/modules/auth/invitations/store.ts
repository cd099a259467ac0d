import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";

export type Invitation = Omit<Selectable<Tables["invitations"]>, "hash">;

const columns = [
  "id",
  "email",
  "display_name",
  "collection",
  "document_id",
  "role",
  "invited_by",
  "created_at",
  "expires_at",
  "is_bound",
] as const;

export async function insertInvitation(
  tx: Tx,
  invitation: Invitation & { hash: Buffer },
): Promise<void> {
  await tx.insertInto("invitations").values(invitation).execute();
}

/**
 * An invitation by its token, for the invited person, or by its id, for the owners of its document; undefined when it is
 * unknown, used or expired.
 */
export function findInvitation(
  db: Db | Tx,
  by: { hash: Buffer } | { id: string },
  now: Date,
): Promise<Invitation | undefined> {
  return db
    .selectFrom("invitations")
    .select(columns)
    .where((eb) => ("hash" in by ? eb("hash", "=", by.hash) : eb("id", "=", by.id)))
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** Consumes an invitation; only one of two concurrent calls gets it. */
export function takeInvitation(tx: Tx, hash: Buffer, now: Date): Promise<Invitation | undefined> {
  return tx
    .deleteFrom("invitations")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteInvitation(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("invitations").where("id", "=", id).execute();
}

/** Deletes the invitations to an address, and returns them. */
export function deleteInvitationsTo(tx: Tx, email: string): Promise<Invitation[]> {
  return tx
    .deleteFrom("invitations")
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .returning(columns)
    .execute();
}

/** Deletes earlier invitations to the same address for the same document. */
export async function deleteSameInvitations(
  tx: Tx,
  { documentId, email }: { documentId: string; email: string },
): Promise<void> {
  await tx
    .deleteFrom("invitations")
    .where("document_id", "=", documentId)
    .where("email", "=", email)
    .execute();
}

/** A page of the pending invitations to a document, the newest first, with the names of the inviters. */
export async function listInvitations(
  db: Db,
  { documentId, page, perPage, now }: PageQuery & { documentId: string; now: Date },
): Promise<Page<Invitation & { inviter: string }>> {
  const items = await db
    .selectFrom("invitations")
    .innerJoin("users", "users.id", "invitations.invited_by")
    .select(columns.map((column) => `invitations.${column}` as const))
    .select("users.display_name as inviter")
    .where("document_id", "=", documentId)
    .where("expires_at", ">", now)
    // Ids of one second are not ordered.
    .orderBy("invitations.created_at", "desc")
    .orderBy("invitations.id", "desc")
    .offset((page - 1) * perPage)
    .limit(perPage)
    .execute();
  return { items, total: await countInvitations(db, documentId, now) };
}

/** The number of pending invitations to a document. */
export async function countInvitations(
  db: Db | Tx,
  documentId: string,
  now: Date,
): Promise<number> {
  const { total } = await db
    .selectFrom("invitations")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("document_id", "=", documentId)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return total;
}

export async function deleteExpiredInvitations(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("invitations").where("expires_at", "<=", now).execute();
}

export async function deleteInvitationsBy(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("invitations").where("invited_by", "=", userId).execute();
}
