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

/** The subscription of an organization and the available plans. */
export interface Billing {
  billing: OrganizationBilling;
  plans: readonly Plan[];
  /** The current plan; undefined if it is no longer offered. */
  plan: Plan | undefined;
  /** Whether only the operator sets plans, without payments. */
  isManual: boolean;
}

/** Reads the current state from the payment provider. @throws Problem */
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

/** An address below an organization's plan screen, to return to from the payment provider. */
function toAddress(organizationId: string, place = ""): string {
  return `${location.origin}${toHref(`/organizations/${organizationId}/plan${place}`)}`;
}

/** Navigates to the checkout of a plan. @throws Problem */
export async function goToCheckout(organizationId: string, plan: string): Promise<void> {
  const successUrl = toAddress(organizationId, "/done");
  const cancelUrl = toAddress(organizationId, "/cancelled");
  const body = { organizationId, plan, successUrl, cancelUrl };
  const { url } = await send(openCheckout, { body });
  location.assign(url);
}

/** Navigates to the portal where a subscription is changed, cancelled or resumed. @throws Problem */
export async function goToPortal(organizationId: string): Promise<void> {
  const body = { organizationId, returnUrl: toAddress(organizationId) };
  const { url } = await send(openPortal, { body });
  location.assign(url);
}
