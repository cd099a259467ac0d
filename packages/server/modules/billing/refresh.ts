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
  keepLook,
  listCustomersBefore,
  takeLook,
} from "../../platform/payments/customers-store.ts";
import { insertPaymentEvent } from "../../platform/payments/events-store.ts";
import type { Charging, Payments, Subscription } from "../../platform/payments/payments.ts";
import { findSubscription, upsertSubscription } from "../../platform/payments/store.ts";
import { goesOn } from "./billing.ts";
import type { Plans } from "./plans.ts";
import { isGone } from "./store.ts";

export const REFRESH_QUEUE = "billing-refresh";
const HOUR_MS = 3_600_000;
/** Customers that one night looks at; the others are first in the next. */
const CUSTOMERS_MAX = 20_000;
const PAGE = 500;

/** Who writes what the provider says, in the audit trail. */
const provider: Actor = { kind: "system", name: "billing" };

export interface Refreshing {
  db: Db;
  plans: Plans;
  now: () => Date;
  payments: Payments;
  jobs: Pick<Jobs, "sendJob">;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
}

/** What a refresh job is about. */
export interface Refresh {
  organizationId: string;
}

/**
 * Takes what the provider tells: each event once, in the transaction that asks for the job. What is true is asked for
 * there; an event of a customer who is not ours is kept, and nothing follows.
 * @throws Fault invalid for what the provider did not sign
 */
export async function receiveEvent(
  { db, now, jobs }: Pick<Refreshing, "db" | "now" | "jobs">,
  charging: Charging,
  told: { body: Buffer; signature: string | undefined },
): Promise<void> {
  const event = await charging.readEvent(told);
  await inTransaction(db, async (tx) => {
    const isNew = await insertPaymentEvent(tx, { ...event, now: now() });
    const organizationId =
      isNew && event.customer !== undefined
        ? await findCustomerOrganization(tx, event.customer)
        : undefined;
    if (organizationId !== undefined) await sendRefresh(tx, jobs, organizationId);
  });
}

/** Asks for a look at what an organization has subscribed to. */
export function sendRefresh(
  tx: Tx,
  jobs: Refreshing["jobs"],
  organizationId: string,
): Promise<void> {
  const data: Refresh = { organizationId };
  return jobs.sendJob(tx, { queue: REFRESH_QUEUE, data });
}

/**
 * Writes what an organization has subscribed to, as the provider has it now. Looks that overlap are numbered when they
 * begin: one that began after the last event sees what that told, and no earlier one is written over it. Of who has a
 * subscription no page stays that could be paid once more; what is paid for an organization that is deleted is ended.
 * @throws PaymentsError
 */
export async function refreshSubscription(
  { db, now, plans, payments, log }: Omit<Refreshing, "jobs">,
  { organizationId }: Refresh,
): Promise<void> {
  const { charging } = payments;
  if (!charging) return;
  const key = { organizationId, mode: charging.mode };
  const look = await takeLook(db, key, now());
  if (look === undefined) return;
  if (await isGone(db, organizationId)) await endForGone(charging, log, organizationId);
  const found = await payments.findSubscription(organizationId);
  if (!found) return;
  if (!plans.byName.has(found.plan))
    log.warn({ organizationId, price: found.plan }, "no plan has this price: see STRIPE_PRICES");
  await inTransaction(db, async (tx) => {
    if (!(await keepLook(tx, key, look))) return;
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
  if (goesOn(found)) await charging.closeCheckouts(organizationId);
}

/**
 * Nobody could end what is paid for an organization that is deleted, since nobody can open the portal for it. What the
 * operator sold by hand is the operator's to end.
 */
async function endForGone(
  charging: Charging,
  log: Refreshing["log"],
  organizationId: string,
): Promise<void> {
  await charging.closeCheckouts(organizationId);
  for (const { id, status, isBoughtHere } of await charging.listStanding(organizationId)) {
    const about = { organizationId, subscription: id, status };
    if (isBoughtHere) {
      await charging.endSubscription(id);
      log.warn(about, "ended a subscription of a deleted organization: give back what was paid");
    } else log.warn(about, "a deleted organization pays for what was not sold here: end it");
  }
}

/** Whether both say the same, whenever they were written. */
function isSame(a: Subscription, b: Subscription): boolean {
  return isDeepStrictEqual({ ...a, updatedAt: b.updatedAt }, b);
}

/** Asks for a look at every customer that nobody looked at for an hour: events may be lost. */
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
  log.info({ customers: ids.length }, "subscriptions are looked at anew");
}
