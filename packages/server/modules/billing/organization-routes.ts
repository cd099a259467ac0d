import { Type } from "typebox";
import { toInstants } from "@avow/contract/instants";
import { paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerWrite } from "../../http/write.ts";
import type { BillingApp } from "./app.ts";
import { setSubscription } from "./billing.ts";
import { readInvoices, readOrganizationBilling, toOrganizationBilling } from "./organizations.ts";
import {
  InvoiceOut,
  OrganizationBillingOut,
  OrganizationParams,
  SubscriptionIn,
} from "./schema.ts";

const tags = ["billing"];
/** The providers' limit of a page. */
const INVOICES_MAX = 100;
const InvoicesQueryIn = Type.Object({
  ...CursorQueryIn.properties,
  limit: Type.Integer({ minimum: 1, maximum: INVOICES_MAX, default: INVOICES_MAX }),
});

/** Registers the routes for owners to read, and for the operator to set, a subscription. */
export function registerOrganizationRoutes(http: Http, app: BillingApp): void {
  const { db, now } = app;
  http.get(
    paths.organizationBilling,
    {
      schema: {
        tags,
        operationId: "getOrganizationBilling",
        summary: "Get an organization's subscription",
        description: "With the plan, its limits and their use.",
        params: OrganizationParams,
        response: { 200: OrganizationBillingOut },
      },
    },
    async (req) => {
      const { organizationId } = req.params;
      await app.getOwnOrganization(db, toScope(req.actor), organizationId);
      return readOrganizationBilling(app, organizationId);
    },
  );
  http.get(
    paths.invoices,
    {
      schema: {
        tags,
        operationId: "listInvoices",
        summary: "List an organization's invoices, the newest first",
        description: "Read from Stripe, with links to the page and the PDF of each.",
        params: OrganizationParams,
        querystring: InvoicesQueryIn,
        response: { 200: cursorListOf(InvoiceOut) },
      },
    },
    async (req) => {
      const { organizationId } = req.params;
      await app.getOwnOrganization(db, toScope(req.actor), organizationId);
      return readInvoices(app, organizationId, req.query);
    },
  );
  http.put(
    paths.organizationBilling,
    {
      schema: {
        tags,
        operationId: "setSubscription",
        summary: "Set an organization's subscription",
        description: "For the operator, without a payment provider.",
        params: OrganizationParams,
        body: SubscriptionIn,
        response: { 200: OrganizationBillingOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply }, async (ctx) => {
        const { organizationId } = req.params;
        const { plan, status = "active", currentPeriodEnd } = req.body;
        const set = await setSubscription(ctx, app, {
          organizationId,
          plan,
          status,
          currentPeriodEnd: currentPeriodEnd ? toInstants(currentPeriodEnd).last : null,
        });
        const usage = await app.countUse(ctx.tx, organizationId);
        return toOrganizationBilling(app, organizationId, { subscription: set, usage });
      }),
  );
}
