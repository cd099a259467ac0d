import { paths } from "../../paths.ts";
import { toScope } from "../../platform/actor.ts";
import type { Http } from "../../platform/http/http.ts";
import { answerWrite } from "../../platform/http/write.ts";
import type { BillingApp } from "./app.ts";
import { setSubscription } from "./billing.ts";
import { toOrganizationBilling } from "./organizations.ts";
import { OrganizationBillingOut, OrganizationParams, SubscriptionIn } from "./schema.ts";

const tags = ["billing"];

/** What an organization has subscribed to: for its owners to read, for the operator to set. */
export function registerOrganizationRoutes(http: Http, app: BillingApp): void {
  const { db, now } = app;
  http.get(
    paths.organizationBilling,
    {
      schema: {
        tags,
        operationId: "getOrganizationBilling",
        summary: "What an organization has subscribed to",
        params: OrganizationParams,
        response: { 200: OrganizationBillingOut },
      },
    },
    async (req) => {
      const { organizationId } = req.params;
      await app.getOwnOrganization(db, toScope(req.actor), organizationId);
      const subscription = await app.payments.findSubscription(organizationId);
      return toOrganizationBilling(app, organizationId, subscription);
    },
  );
  http.put(
    paths.organizationBilling,
    {
      config: { access: "operator" },
      schema: {
        tags,
        operationId: "setSubscription",
        summary: "Set what an organization has subscribed to",
        description: "For the operator, where there is no payment provider.",
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
          currentPeriodEnd: currentPeriodEnd ? new Date(currentPeriodEnd) : null,
        });
        return toOrganizationBilling(app, organizationId, set);
      }),
  );
}
