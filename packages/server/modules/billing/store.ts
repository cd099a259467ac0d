import type { Db, Tx } from "../../platform/db/db.ts";

/**
 * Whether the organization exists, locked until the end of the transaction. Read here and not through the vault, which
 * itself depends on billing.
 */
export async function hasOrganization(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom("documents")
    .select("id")
    .where("id", "=", id)
    .where("resource", "=", "organizations")
    .where("deleted_at", "is", null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the organization was deleted; false for an unknown one. */
export async function isDeleted(db: Db | Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("documents")
    .select("id")
    .where("id", "=", id)
    .where("resource", "=", "organizations")
    .where("deleted_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}
