import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export type DomainRow = Selectable<Tables["brand_domains"]>;

export async function findDomain(
  db: Db | Tx,
  organizationId: string,
): Promise<DomainRow | undefined> {
  return db
    .selectFrom("brand_domains")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
}

/** Stores the domain of an organization, in place of another one. */
export async function putDomain(tx: Tx, row: DomainRow): Promise<void> {
  const { organization_id: _id, ...changed } = row;
  await tx
    .insertInto("brand_domains")
    .values(row)
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(changed))
    .execute();
}

/** Whether the links of another organization have this host; locks the host until the transaction ends. */
export async function isTaken(tx: Tx, { organization_id: id, host }: DomainRow): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`domain:${host}`}, 0))`.execute(tx);
  const found = await tx
    .selectFrom("brand_domains")
    .select("host")
    .where("host", "=", host)
    .where("fault", "is", null)
    .where("organization_id", "<>", id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Stores the result of a check, unless the organization has another domain by now. */
export async function updateDomain(tx: Tx, row: DomainRow): Promise<boolean> {
  const { organization_id: id, host, checked_at, fault } = row;
  const { numUpdatedRows } = await tx
    .updateTable("brand_domains")
    .set({ checked_at, fault })
    .where("organization_id", "=", id)
    .where("host", "=", host)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the domain of an organization, and returns it. */
export async function deleteDomain(tx: Tx, organizationId: string): Promise<DomainRow | undefined> {
  return tx
    .deleteFrom("brand_domains")
    .where("organization_id", "=", organizationId)
    .returningAll()
    .executeTakeFirst();
}

/** Whether an organization has this domain, checked or not. */
export async function hasDomain(db: Db, host: string): Promise<boolean> {
  const found = await db
    .selectFrom("brand_domains as b")
    .innerJoin("documents as d", "d.id", "b.organization_id")
    .select("b.host")
    .where("b.host", "=", host)
    .where("d.deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The domains that were last checked before a time, longest ago first. */
export async function listDomainsCheckedBefore(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<DomainRow[]> {
  return db
    .selectFrom("brand_domains")
    .selectAll()
    .where("checked_at", "<", before)
    .orderBy("checked_at")
    .orderBy("organization_id")
    .limit(limit)
    .execute();
}
