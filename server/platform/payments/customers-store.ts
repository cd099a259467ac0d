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
