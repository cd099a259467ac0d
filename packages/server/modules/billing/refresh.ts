import { isDeepStrictEqual } from "node:util";
import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "../../kernel/actor.ts";
import { toCtx } from "../../kernel/ctx.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import {
  findCustomerOrganization,
  recordRefresh,
  listCustomersBefore,
  startRefresh,
} from "../../platform/payments/customers-store.ts";
import { insertPaymentEvent } from "../../platform/payments/events-store.ts";
import type { Charging, Payments, Subscription } from "../../platform/payments/payments.ts";
import { findSubscription, upsertSubscription } from "../../platform/payments/store.ts";
import { isOpen } from "./billing.ts";
import type { Plans } from "./plans.ts";
import { isDeleted } from "./store.ts";

export const REFRESH_QUEUE = "billing-refresh";
const HOUR_MS = 3_600_000;
/** Maximum number of customers refreshed in one night; the others are first in the next. */
const CUSTOMERS_MAX = 20_000;
const PAGE = 500;

/** The actor of refreshes in the audit trail. */
const provider: Actor = { kind: "system", name: "billing" };

export interface Refreshing {
  db: Db;
  plans: Plans;
  now: () => Date;
  payments: Payments;
  jobs: Pick<Jobs, "sendJob">;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
}

/** The payload of a refresh job. */
export interface Refresh {
  organizationId: string;
}

/**
 * Receives an event of the provider: each is recorded once, in the transaction that sends a refresh job, which reads
 * the current state. An event of an unknown customer is recorded only.
 * @throws Fault invalid without the provider's signature
 */
export async function receiveEvent(
  { db, now, jobs }: Pick<Refreshing, "db" | "now" | "jobs">,
  charging: Charging,
  request: { body: Buffer; signature: string | undefined },
): Promise<void> {
  const event = await charging.readEvent(request);
  await inTransaction(db, async (tx) => {
    const isNew = await insertPaymentEvent(tx, { ...event, now: now() });
    const organizationId =
      isNew && event.customer !== undefined
        ? await findCustomerOrganization(tx, event.customer)
        : undefined;
    if (organizationId !== undefined) await sendRefresh(tx, jobs, organizationId);
  });
}

/** Sends a job that refreshes an organization's subscription. */
export function sendRefresh(
  tx: Tx,
  jobs: Refreshing["jobs"],
  organizationId: string,
): Promise<void> {
  const data: Refresh = { organizationId };
  return jobs.sendJob(tx, { queue: REFRESH_QUEUE, data });
}

/**
 * Writes an organization's current subscription at the provider. Overlapping refreshes are numbered at their start: one
 * that starts after the last event sees its effect, and no earlier one overwrites it. Open checkout pages of a
 * subscribed organization are closed, and subscriptions of a deleted organization are ended.
 * @throws PaymentsError
 */
export async function refreshSubscription(
  { db, now, plans, payments, log }: Omit<Refreshing, "jobs">,
  { organizationId }: Refresh,
): Promise<void> {
  const { charging } = payments;
  if (!charging) return;
  const key = { organizationId, mode: charging.mode };
  const refresh = await startRefresh(db, key, now());
  if (refresh === undefined) return;
  if (await isDeleted(db, organizationId)) await endForDeleted(charging, log, organizationId);
  const found = await payments.findSubscription(organizationId);
  if (!found) return;
  if (!plans.byName.has(found.plan))
    log.warn({ organizationId, price: found.plan }, "price without a plan, check STRIPE_PRICES");
  await inTransaction(db, async (tx) => {
    if (!(await recordRefresh(tx, key, refresh))) return;
    const present = await findSubscription(tx, organizationId);
    if (present && isSame(present, found)) return;
    await upsertSubscription(tx, organizationId, { ...found, updatedAt: now() });
    const ctx = toCtx({ tx, actor: provider, now: now(), requestId: undefined });
    await recordEvent(ctx, {
      name: "subscription.updated",
      documentId: organizationId,
      data: { plan: found.plan, status: found.status },
    });
  });
  if (isOpen(found)) await charging.closeCheckouts(organizationId);
}

/**
 * Ends the subscriptions of a deleted organization, since its portal can no longer be opened. Those that the operator
 * created by hand are left to the operator.
 */
async function endForDeleted(
  charging: Charging,
  log: Refreshing["log"],
  organizationId: string,
): Promise<void> {
  await charging.closeCheckouts(organizationId);
  for (const { id, status, isBoughtHere } of await charging.listOpenSubscriptions(organizationId)) {
    const about = { organizationId, subscription: id, status };
    if (isBoughtHere) {
      await charging.endSubscription(id);
      log.warn(about, "subscription of a deleted organization ended, refund the payment");
    } else log.warn(about, "deleted organization has a subscription not sold here, end it");
  }
}

/** Compares without `updatedAt`. */
function isSame(a: Subscription, b: Subscription): boolean {
  return isDeepStrictEqual({ ...a, updatedAt: b.updatedAt }, b);
}

/** Sends a refresh for every customer not refreshed within an hour, since events may be lost. */
export async function reconcile({ db, now, payments, jobs, log }: Refreshing): Promise<void> {
  const { charging } = payments;
  if (!charging) return;
  const before = new Date(now().getTime() - HOUR_MS);
  const { mode } = charging;
  const ids = await listCustomersBefore(db, { mode, before, max: CUSTOMERS_MAX });
  for (let at = 0; at < ids.length; at += PAGE)
    await inTransaction(db, async (tx) => {
      for (const id of ids.slice(at, at + PAGE)) await sendRefresh(tx, jobs, id);
    });
  log.info({ customers: ids.length }, "subscription refreshes sent");
}
