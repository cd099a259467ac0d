import type { Tx } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import type { Payments, Standing } from "../../platform/payments/payments.ts";
import { type Refreshing, refreshSubscription, sendRefresh } from "./refresh.ts";

/**
 * Holds that nobody pays for an organization that is about to be deleted, and that nobody can begin to: pages where a
 * plan could be bought are closed first, since one that is being paid shows as what was bought with it. The provider is
 * asked, so this is called outside of the deletion's transaction; what our own table then says is fresh for it.
 *
 * @throws Fault conflict, naming what is paid for or waits for its first payment; PaymentsError
 */
export async function assertNothingPaid(
  app: Omit<Refreshing, "jobs">,
  organizationId: string,
): Promise<void> {
  const { charging } = app.payments;
  if (!charging) return;
  await charging.closeCheckouts(organizationId);
  const [first] = await charging.listStanding(organizationId);
  if (first) throw new Fault("conflict", sayStanding(first));
  await refreshSubscription(app, { organizationId });
}

function sayStanding({ plan, status, url, cancelsAt }: Standing): string {
  if (status === "incomplete") {
    const bill = url === null ? "" : ` (its bill is at ${url})`;
    return `A purchase of ${plan} waits for its first payment${bill}. Without it it ends by itself within a day: delete the organization then.`;
  }
  const end = cancelsAt
    ? `It ends on ${cancelsAt.toISOString().slice(0, 10)}: delete the organization then.`
    : "End it in the portal first.";
  return `The organization's subscription to ${plan} is ${status}. ${end}`;
}

/**
 * Asks, in the transaction of a deletion, for what ends at the provider whatever was begun for the organization while it
 * was being deleted.
 */
export async function sendEnding(
  tx: Tx,
  { payments, jobs }: { payments: Payments; jobs: Refreshing["jobs"] },
  organizationId: string,
): Promise<void> {
  if (payments.charging) await sendRefresh(tx, jobs, organizationId);
}
