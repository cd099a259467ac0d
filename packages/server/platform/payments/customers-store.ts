import type { Selectable } from "kysely";
import type { Db, Tx } from "../db/db.ts";
import type { Tables } from "../db/tables.ts";

export type CustomerRow = Selectable<Tables["payment_customers"]>;

/** An organization in one mode of the provider. */
export interface CustomerKey {
  organizationId: string;
  mode: string;
}

/** The organization as a customer, once it has been one. */
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

/** Keeps that the organization becomes a customer, before the provider is asked to make one. */
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

/** Keeps the customer that the provider made, unless another was kept meanwhile; answers the one that is. */
export async function keepCustomer(
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

/** Forgets a customer that somebody deleted at the provider: the next one is another. */
export async function forgetCustomer(db: Db | Tx, customerId: string): Promise<void> {
  await db
    .updateTable("payment_customers")
    .set(({ eb }) => ({ customer_id: null, ordinal: eb("ordinal", "+", 1) }))
    .where("customer_id", "=", customerId)
    .execute();
}

/** Whose customer this is; undefined for a customer of somebody else's, of the same account. */
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

/** Takes the next number of a look at what the customer subscribed to, before the provider is asked. */
export async function takeLook(db: Db, key: CustomerKey, now: Date): Promise<number | undefined> {
  const row = await db
    .updateTable("payment_customers")
    .set((eb) => ({ looks: eb("looks", "+", 1), looked_at: now }))
    .where("organization_id", "=", key.organizationId)
    .where("mode", "=", key.mode)
    .returning("looks")
    .executeTakeFirst();
  return row?.looks;
}

/** Keeps that a look is written, until the transaction ends alone; false when a later one was written before. */
export async function keepLook(tx: Tx, key: CustomerKey, look: number): Promise<boolean> {
  const row = await tx
    .updateTable("payment_customers")
    .set({ written_look: look })
    .where("organization_id", "=", key.organizationId)
    .where("mode", "=", key.mode)
    .where("written_look", "<", look)
    .returning("organization_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Customers whose last look was before `before`, those first that wait longest. */
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
