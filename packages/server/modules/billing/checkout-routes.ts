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

/** Where owners buy a plan, and change what they bought (wire section 8). */
export function registerCheckoutRoutes(http: Http, app: BillingApp): void {
  http.post(
    paths.checkout,
    {
      schema: {
        tags,
        operationId: "openCheckout",
        summary: "Open the page where a plan is bought",
        description:
          "People come back to addresses on the service's origin, or at one of REDIRECT_URLS.",
        body: CheckoutIn,
        response: { 200: OpenedPageOut },
      },
    },
    async (req, reply) =>
      answerOpened(reply, await openCheckout(app, { ...req.body, ...toAsking(req) })),
  );
  http.post(
    paths.portal,
    {
      schema: {
        tags,
        operationId: "openPortal",
        summary: "Open the page where what was bought is changed",
        body: PortalIn,
        response: { 200: OpenedPageOut },
      },
    },
    async (req, reply) =>
      answerOpened(reply, await openPortal(app, { ...req.body, ...toAsking(req) })),
  );
}

function toAsking(req: FastifyRequest) {
  const network = toShortNetwork(req.ip);
  return { actor: req.actor, requestId: req.id, network, key: idempotencyKeyOf(req) };
}

function answerOpened(reply: FastifyReply, { url, isReplay }: OpenedPage): OpenedPageOut {
  if (isReplay) void reply.header("idempotency-replayed", "true");
  return { url };
}
