import type { Tx } from "../../platform/db/db.ts";

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
