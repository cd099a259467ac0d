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
import { goesOn } from "./billing.ts";
import { isGone } from "./store.ts";

const unseen = { path: "/organizationId", message: "names nothing that you may see" };

/** Who asks for a page of the provider's, and for which organization. */
interface Asking {
  actor: Actor;
  requestId: string;
  network: string | undefined;
  /** The caller's `Idempotency-Key`. */
  key: string | undefined;
  organizationId: string;
}

/**
 * Opens the provider's page where an owner buys a plan for their organization. The provider itself keeps what an
 * `Idempotency-Key` stands for, so that no transaction waits for it.
 * @throws Fault impossible (an organization that the caller does not see, a plan that cannot be bought), forbidden, invalid
 *   (an address elsewhere), conflict (no provider; a subscription is there, or one whose first bill waits), busy (the
 *   provider does not know the price), PaymentsError
 */
export async function openCheckout(
  app: BillingApp,
  asked: Asking & { plan: string; successUrl?: string; cancelUrl?: string },
): Promise<OpenedPage> {
  const { organizationId, plan, successUrl, cancelUrl } = asked;
  const title = await getTitle(app, asked);
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
  if (goesOn(present))
    throw new Fault(
      "conflict",
      `The organization has a subscription (${present.status}): it is changed in the portal.`,
    );
  const unfinished = await ask(() => charging.findUnfinished(organizationId));
  if (unfinished) refuseSecond(unfinished);
  const key = toProviderKey(asked, "checkout");
  const page = await ask(() =>
    charging.openCheckout({ organizationId, title, plan, key, ...addresses }),
  );
  await assertStillThere(app, charging, organizationId);
  await recordOpened(app, asked, page, { name: "checkout.opened", data: { plan } });
  return page;
}

/**
 * An organization that was deleted while its page was opened has none: what its deletion closed came before. One that is
 * deleted after this look finds the page, and closes it.
 */
async function assertStillThere(
  { db }: BillingApp,
  charging: Charging,
  organizationId: string,
): Promise<void> {
  if (!(await isGone(db, organizationId))) return;
  await charging.closeCheckouts(organizationId);
  assertNoFaults([unseen], "impossible");
}

/** Both could be paid. @throws Fault conflict, with where the first goes on */
function refuseSecond({ plan, url }: Unfinished): never {
  const where = url === null ? "in the portal" : `at ${url}`;
  throw new Fault(
    "conflict",
    `The plan ${plan} was bought, and its first bill is not paid yet: pay it ${where}, or wait a day until it ends by itself.`,
  );
}

/**
 * Opens the provider's page where an owner changes what was bought, how it is paid, and finds invoices.
 * @throws Fault as `openCheckout`, and conflict where nothing was ever bought
 */
export async function openPortal(
  app: BillingApp,
  asked: Asking & { returnUrl?: string },
): Promise<OpenedPage> {
  const { organizationId } = asked;
  await getTitle(app, asked);
  const charging = getCharging(app);
  const returnUrl = toAddress(app, "/returnUrl", asked.returnUrl);
  const key = toProviderKey(asked, "portal");
  const page = await ask(() => charging.openPortal({ organizationId, returnUrl, key }));
  if (!page)
    throw new Fault("conflict", "The organization never bought anything: begin with a checkout.");
  await recordOpened(app, asked, page, { name: "portal.opened", data: {} });
  return page;
}

/** An organization that a body names and its sender does not see is a fault of the body (wire section 0). */
async function getTitle(
  { db, getOwnOrganization }: BillingApp,
  { actor, organizationId }: Asking,
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

/** Without an address people come back to the service itself. */
function toAddress({ config }: BillingApp, path: string, given: string | undefined): string {
  const { publicUrl } = config.http;
  return given === undefined ? `${publicUrl}/` : toAllowedUrl(config.http, { path, given }).href;
}

function getCharging({ payments }: BillingApp): Charging {
  if (payments.charging) return payments.charging;
  throw new Fault(
    "conflict",
    "Nobody pays through this service: its operator says what organizations have subscribed to.",
  );
}

/** One caller's key never meets another's, nor another page's. */
function toProviderKey({ actor, key }: Asking, page: string): string | undefined {
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
        "The payment provider does not know what this plan is sold as: whoever runs this service has to set its price.",
        { cause: error, retryAfterSeconds: 3_600 },
      );
    throw error;
  }
}

async function recordOpened(
  { db, now }: BillingApp,
  { actor, requestId, network, organizationId }: Asking,
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
