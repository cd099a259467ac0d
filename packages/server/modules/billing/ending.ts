import type { Tx } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import type { Payments, OpenSubscription } from "../../platform/payments/payments.ts";
import { type Refreshing, refreshSubscription, sendRefresh } from "./refresh.ts";

/**
 * Asserts that an organization to be deleted has no subscription and can start none. Checkout pages are closed first: a
 * page that is being paid then shows up as its subscription. Called outside of the deletion's transaction, since it
 * queries the provider; afterwards the stored subscription is up to date.
 *
 * @throws Fault conflict with the subscription that is paid or waits for its first payment; PaymentsError
 */
export async function assertNoOpenSubscription(
  app: Omit<Refreshing, "jobs">,
  organizationId: string,
): Promise<void> {
  const { charging } = app.payments;
  if (!charging) return;
  await charging.closeCheckouts(organizationId);
  const [first] = await charging.listOpenSubscriptions(organizationId);
  if (first) throw new Fault("conflict", describeOpen(first));
  await refreshSubscription(app, { organizationId });
}

function describeOpen({ plan, status, url, cancelsAt }: OpenSubscription): string {
  if (status === "incomplete") {
    const invoice = url === null ? "" : ` (invoice: ${url})`;
    return `A purchase of ${plan} waits for its first payment${invoice}. Unpaid, it expires within a day. Delete the organization then.`;
  }
  const end = cancelsAt
    ? `It ends on ${cancelsAt.toISOString().slice(0, 10)}. Delete the organization then.`
    : "Cancel it in the portal first.";
  return `The organization's subscription to ${plan} is ${status}. ${end}`;
}

/**
 * Sends a refresh in the transaction of a deletion, which ends purchases that were started for the organization during
 * its deletion.
 */
export async function sendEnding(
  tx: Tx,
  { payments, jobs }: { payments: Payments; jobs: Refreshing["jobs"] },
  organizationId: string,
): Promise<void> {
  if (payments.charging) await sendRefresh(tx, jobs, organizationId);
}
