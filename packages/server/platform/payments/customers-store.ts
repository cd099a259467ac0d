import type { Selectable } from "kysely";
import type { Db, Tx } from "../db/db.ts";
import type { Tables } from "../db/tables.ts";

export type CustomerRow = Selectable<Tables["payment_customers"]>;

/** A customer in the provider's test or live mode. */
export interface CustomerKey {
  organizationId: string;
  mode: string;
}

/** Finds the organization's customer. */
export async function findCustomer(
  db: Db | Tx,
  { organizationId, mode }: CustomerKey,
): Promise<CustomerRow | undefined> {
  return db
    .selectFrom("payment_customers")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("mode", "=", mode)
    .executeTakeFirst();
}

/** Inserts the organization's row, before the provider creates the customer. */
export async function claimCustomer(
  db: Db | Tx,
  { organizationId, mode }: CustomerKey,
  now: Date,
): Promise<CustomerRow> {
  await db
    .insertInto("payment_customers")
    .values({ organization_id: organizationId, mode, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom("payment_customers")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("mode", "=", mode)
    .executeTakeFirstOrThrow();
}

/** Saves the provider's customer, unless another one was saved. Returns the saved one. */
export async function saveCustomer(
  db: Db | Tx,
  claimed: CustomerRow,
  customerId: string,
): Promise<string> {
  const row = await db
    .updateTable("payment_customers")
    .set((eb) => ({ customer_id: eb.fn.coalesce("customer_id", eb.val(customerId)) }))
    .where("organization_id", "=", claimed.organization_id)
    .where("mode", "=", claimed.mode)
    .returning("customer_id")
    .executeTakeFirstOrThrow();
  return row.customer_id ?? customerId;
}

/** Clears a customer that was deleted at the provider, so that a new one is created. */
export async function clearCustomer(db: Db | Tx, customerId: string): Promise<void> {
  await db
    .updateTable("payment_customers")
    .set(({ eb }) => ({ customer_id: null, ordinal: eb("ordinal", "+", 1) }))
    .where("customer_id", "=", customerId)
    .execute();
}

/** Finds the organization of a customer; undefined for other customers of the same account. */
export async function findCustomerOrganization(
  db: Db | Tx,
  customerId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("payment_customers")
    .select("organization_id")
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return row?.organization_id;
}

/** Returns the next number of a refresh of subscriptions, before the provider is queried. */
export async function startRefresh(
  db: Db,
  key: CustomerKey,
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .updateTable("payment_customers")
    .set((eb) => ({ looks: eb("looks", "+", 1), looked_at: now }))
    .where("organization_id", "=", key.organizationId)
    .where("mode", "=", key.mode)
    .returning("looks")
    .executeTakeFirst();
  return row?.looks;
}

/** Records a refresh as written and locks the row. False when a later refresh was written. */
export async function recordRefresh(tx: Tx, key: CustomerKey, refresh: number): Promise<boolean> {
  const row = await tx
    .updateTable("payment_customers")
    .set({ written_look: refresh })
    .where("organization_id", "=", key.organizationId)
    .where("mode", "=", key.mode)
    .where("written_look", "<", refresh)
    .returning("organization_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists customers last refreshed before `before`, the oldest first. */
export async function listCustomersBefore(
  db: Db | Tx,
  { mode, before, max }: { mode: string; before: Date; max: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("payment_customers")
    .select("organization_id")
    .where("mode", "=", mode)
    .where("customer_id", "is not", null)
    .where((eb) => eb.or([eb("looked_at", "is", null), eb("looked_at", "<", before)]))
    .orderBy("looked_at", (order) => order.asc().nullsFirst())
    .orderBy("organization_id")
    .limit(max)
    .execute();
  return rows.map((row) => row.organization_id);
}
