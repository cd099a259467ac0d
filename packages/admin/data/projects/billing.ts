import {
  type OrganizationBilling,
  type Plan,
  getOrganizationBilling,
  listPlans,
  openCheckout,
  openPortal,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toHref } from "../../browser/router.ts";
import { readOrganization } from "./organizations.ts";

/** What an organization pays for, and all that it could. */
export interface Billing {
  billing: OrganizationBilling;
  plans: readonly Plan[];
  /** The plan that applies; undefined for one that is not offered any more. */
  plan: Plan | undefined;
  /** Whether the operator alone says what an organization has. */
  isManual: boolean;
}

/** Reads it, as the payment provider has it now. @throws Problem */
export async function readBilling(organizationId: string): Promise<Billing> {
  const [billing, plans] = await Promise.all([
    send(getOrganizationBilling, { path: { organizationId } }),
    send(listPlans),
    readOrganization(organizationId),
  ]);
  const plan = plans.find(({ name }) => name === billing.plan);
  const isManual = billing.links.portal === undefined && !plans.some(({ canBuy }) => canBuy);
  return { billing, plans, plan, isManual };
}

/** The address of a place of an organization's plan, for who comes back from the payment provider. */
function toAddress(organizationId: string, place = ""): string {
  return `${location.origin}${toHref(`/organizations/${organizationId}/plan${place}`)}`;
}

/** Goes to the page where a plan is bought. @throws Problem */
export async function goToCheckout(organizationId: string, plan: string): Promise<void> {
  const successUrl = toAddress(organizationId, "/done");
  const cancelUrl = toAddress(organizationId, "/cancelled");
  const body = { organizationId, plan, successUrl, cancelUrl };
  const { url } = await send(openCheckout, { body });
  location.assign(url);
}

/** Goes to the page where what was bought is changed, cancelled or resumed. @throws Problem */
export async function goToPortal(organizationId: string): Promise<void> {
  const body = { organizationId, returnUrl: toAddress(organizationId) };
  const { url } = await send(openPortal, { body });
  location.assign(url);
}
