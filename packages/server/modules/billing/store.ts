import type { Db, Tx } from "../../platform/db/db.ts";

/**
 * Whether the organization is there; it stays until the transaction ends. Read here rather than
 * asked of the vault, which itself asks billing for tiers.
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

/** Whether the organization was there and is deleted; one that was never here is none of ours, and not gone. */
export async function isGone(db: Db | Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("documents")
    .select("id")
    .where("id", "=", id)
    .where("resource", "=", "organizations")
    .where("deleted_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}
