import type { FastifyReply, FastifyRequest } from "fastify";
import { paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import { idempotencyKeyOf } from "../../http/write.ts";
import { toShortNetwork } from "../../platform/networks.ts";
import type { OpenedPage } from "../../platform/payments/payments.ts";
import type { BillingApp } from "./app.ts";
import { openCheckout, openPortal } from "./checkout.ts";
import { CheckoutIn, OpenedPageOut, PortalIn } from "./schema.ts";

const tags = ["billing"];

/** Registers the routes to buy a plan and to manage a subscription (wire section 8). */
export function registerCheckoutRoutes(http: Http, app: BillingApp): void {
  http.post(
    paths.checkout,
    {
      schema: {
        tags,
        operationId: "openCheckout",
        summary: "Open the page to buy a plan",
        description:
          "The return addresses must be on the service's origin, or match one of REDIRECT_URLS.",
        body: CheckoutIn,
        response: { 200: OpenedPageOut },
      },
    },
    async (req, reply) =>
      answerOpened(reply, await openCheckout(app, { ...req.body, ...toPageRequest(req) })),
  );
  http.post(
    paths.portal,
    {
      schema: {
        tags,
        operationId: "openPortal",
        summary: "Open the page to manage a subscription",
        description: "Returns a URL of Stripe that is valid for a few minutes. For owners.",
        body: PortalIn,
        response: { 200: OpenedPageOut },
      },
    },
    async (req, reply) =>
      answerOpened(reply, await openPortal(app, { ...req.body, ...toPageRequest(req) })),
  );
}

function toPageRequest(req: FastifyRequest) {
  const network = toShortNetwork(req.ip);
  return { actor: req.actor, requestId: req.id, network, key: idempotencyKeyOf(req) };
}

function answerOpened(reply: FastifyReply, { url, isReplay }: OpenedPage): OpenedPageOut {
  if (isReplay) void reply.header("idempotency-replayed", "true");
  return { url };
}
