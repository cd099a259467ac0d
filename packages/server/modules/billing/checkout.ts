import { createHash } from "node:crypto";
import { type Actor, toActorName, toScope } from "../../kernel/actor.ts";
import { toAllowedUrl } from "../../kernel/allowed-url.ts";
import { toCtx } from "../../kernel/ctx.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { Fault, assertNoFaults } from "../../platform/errors.ts";
import { type EventName, recordEvent } from "../../kernel/events/events.ts";
import {
  type Charging,
  type OpenedPage,
  PaymentsError,
  type Unfinished,
} from "../../platform/payments/payments.ts";
import type { BillingApp } from "./app.ts";
import { isOpen } from "./billing.ts";
import { isDeleted } from "./store.ts";

const unseen = { path: "/organizationId", message: "is not an organization that you can see" };

/** A request for a page of the provider. */
interface PageRequest {
  actor: Actor;
  requestId: string;
  network: string | undefined;
  /** The caller's `Idempotency-Key`. */
  key: string | undefined;
  organizationId: string;
}

/**
 * Opens the provider's page to buy a plan for an organization. The provider handles the `Idempotency-Key`, so that no
 * transaction waits for the provider.
 * @throws Fault impossible (an organization that the caller cannot see, a plan that is not for sale), forbidden, invalid
 *   (an address elsewhere), conflict (no provider, or a subscription that has not ended or waits for its first
 *   payment), busy (a price unknown to the provider); PaymentsError
 */
export async function openCheckout(
  app: BillingApp,
  request: PageRequest & { plan: string; successUrl?: string; cancelUrl?: string },
): Promise<OpenedPage> {
  const { organizationId, plan, successUrl, cancelUrl } = request;
  const title = await getTitle(app, request);
  const charging = getCharging(app);
  const addresses = {
    successUrl: toAddress(app, "/successUrl", successUrl),
    cancelUrl: toAddress(app, "/cancelUrl", cancelUrl),
  };
  if (!charging.plans.has(plan)) {
    const known = [...charging.plans].join(", ");
    assertNoFaults([{ path: "/plan", message: `must be one of ${known}` }], "impossible");
  }
  const present = await app.payments.findSubscription(organizationId);
  if (isOpen(present))
    throw new Fault(
      "conflict",
      `The organization has a subscription (${present.status}). Change it in the portal.`,
    );
  const unfinished = await ask(() => charging.findUnfinished(organizationId));
  if (unfinished) rejectSecond(unfinished);
  const key = toProviderKey(request, "checkout");
  const page = await ask(() =>
    charging.openCheckout({ organizationId, title, plan, key, ...addresses }),
  );
  await assertNotDeleted(app, charging, organizationId);
  await recordOpened(app, request, page, { name: "checkout.opened", data: { plan } });
  return page;
}

/**
 * Closes the page of an organization that was deleted while it was opened, since the deletion may have closed pages
 * before. A deletion after this check finds the page and closes it.
 */
async function assertNotDeleted(
  { db }: BillingApp,
  charging: Charging,
  organizationId: string,
): Promise<void> {
  if (!(await isDeleted(db, organizationId))) return;
  await charging.closeCheckouts(organizationId);
  assertNoFaults([unseen], "impossible");
}

/** Prevents a double payment. @throws Fault conflict with the page of the first purchase */
function rejectSecond({ plan, url }: Unfinished): never {
  const where = url === null ? "in the portal" : `at ${url}`;
  throw new Fault(
    "conflict",
    `A purchase of the plan ${plan} waits for its first payment. Pay it ${where}, or wait until it expires within a day.`,
  );
}

/**
 * Opens the provider's page to manage the subscription, the payment method and invoices.
 * @throws Fault as `openCheckout`, and conflict without a customer
 */
export async function openPortal(
  app: BillingApp,
  request: PageRequest & { returnUrl?: string },
): Promise<OpenedPage> {
  const { organizationId } = request;
  await getTitle(app, request);
  const charging = getCharging(app);
  const returnUrl = toAddress(app, "/returnUrl", request.returnUrl);
  const key = toProviderKey(request, "portal");
  const page = await ask(() => charging.openPortal({ organizationId, returnUrl, key }));
  if (!page)
    throw new Fault("conflict", "The organization has no purchase yet. Start with a checkout.");
  await recordOpened(app, request, page, { name: "portal.opened", data: {} });
  return page;
}

/** An organization in the body that the caller cannot see is an error of the body (wire section 0). */
async function getTitle(
  { db, getOwnOrganization }: BillingApp,
  { actor, organizationId }: PageRequest,
): Promise<string> {
  try {
    const { body } = await getOwnOrganization(db, toScope(actor), organizationId);
    return typeof body["name"] === "string" ? body["name"] : organizationId;
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "not-found") throw error;
    assertNoFaults([unseen], "impossible");
    throw error;
  }
}

/** The default return address is the service itself. */
function toAddress({ config }: BillingApp, path: string, given: string | undefined): string {
  const { publicUrl } = config.http;
  return given === undefined ? `${publicUrl}/` : toAllowedUrl(config.http, { path, given }).href;
}

function getCharging({ payments }: BillingApp): Charging {
  if (payments.charging) return payments.charging;
  throw new Fault(
    "conflict",
    "This service has no payment provider. Its operator sets the plans of organizations.",
  );
}

/** Separates the keys of callers and of pages. */
function toProviderKey({ actor, key }: PageRequest, page: string): string | undefined {
  if (key === undefined) return undefined;
  const scoped = JSON.stringify([toActorName(actor), page, key]);
  return `avow-${createHash("sha256").update(scoped).digest("base64url")}`;
}

async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PaymentsError && error.isOtherContent)
      throw new Fault(
        "impossible",
        "This Idempotency-Key was already used with a different body. Use a new key.",
        {
          cause: error,
        },
      );
    if (error instanceof PaymentsError && error.isMissing)
      throw new Fault(
        "busy",
        "The price of this plan is unknown to the payment provider. The operator of this service has to correct it.",
        { cause: error, retryAfterSeconds: 3_600 },
      );
    throw error;
  }
}

async function recordOpened(
  { db, now }: BillingApp,
  { actor, requestId, network, organizationId }: PageRequest,
  { isReplay }: OpenedPage,
  { name, data }: { name: EventName; data: Record<string, unknown> },
): Promise<void> {
  if (isReplay) return;
  await inTransaction(db, (tx) =>
    recordEvent(toCtx({ tx, actor, now: now(), requestId, network }), {
      name,
      documentId: organizationId,
      data,
    }),
  );
}
