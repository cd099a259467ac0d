import { type Selectable, sql } from "kysely";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export type TransferRow = Omit<Selectable<Tables["project_transfers"]>, "hash">;

const columns = [
  "id",
  "project_id",
  "email",
  "organization_id",
  "offered_by",
  "created_at",
  "expires_at",
] as const;

/** Inserts an offer in place of an earlier one of the same project. */
export async function replaceTransfer(
  tx: Tx,
  transfer: TransferRow & { hash: Buffer | null },
): Promise<void> {
  await deleteTransferOf(tx, transfer.project_id);
  await tx.insertInto("project_transfers").values(transfer).execute();
}

/** The pending offer of a link, with an id, or of a project; locked in a transaction that `forUpdate` says. */
export function findTransfer(
  db: Db | Tx,
  by: { hash: Buffer } | { id: string } | { projectId: string },
  { now, isLocked = false }: { now: Date; isLocked?: boolean },
): Promise<TransferRow | undefined> {
  return db
    .selectFrom("project_transfers")
    .select(columns)
    .where((eb) => {
      if ("hash" in by) return eb("hash", "=", by.hash);
      return "id" in by ? eb("id", "=", by.id) : eb("project_id", "=", by.projectId);
    })
    .where("expires_at", ">", now)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Deletes the offer of a project; returns its id. */
export async function deleteTransferOf(tx: Tx, projectId: string): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom("project_transfers")
    .where("project_id", "=", projectId)
    .returning("id")
    .executeTakeFirst();
  return deleted?.id;
}

/** The pending offers to a confirmed address and to the organizations that a user owns, newest first. */
export async function listTransfersTo(
  db: Db,
  {
    userId,
    email,
    now,
    page,
    perPage,
  }: PageQuery & { userId: string; email: string | null; now: Date },
): Promise<Page<TransferRow>> {
  const offered = sql`project_transfers WHERE expires_at > ${now} AND (lower(email) = lower(${email})
    OR organization_id IN (SELECT document_id FROM document_users
      WHERE user_id = ${userId} AND 'owner' = ANY (roles)))`;
  const { rows: items } = await sql<TransferRow>`
    SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${offered}
    ORDER BY created_at DESC, id DESC LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${offered}`.execute(db);
  return { items, total: counted[0]?.total ?? 0 };
}

export async function deleteExpiredTransfers(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("project_transfers").where("expires_at", "<=", now).execute();
}

/** Deletes the offers to an address. */
export async function deleteTransfersToAddress(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom("project_transfers")
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .execute();
}

/** Removes all roles on a project itself and on its documents; returns the users who had some. */
export async function deleteDirectUsers(tx: Tx, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    DELETE FROM document_users
    WHERE document_id IN (SELECT id FROM documents WHERE id = ${projectId} OR project_id = ${projectId})
    RETURNING user_id`.execute(tx);
  return [...new Set(rows.map((row) => row.user_id))].toSorted();
}
