import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { Fault } from "../../platform/errors.ts";
import type { Http } from "../../http/http.ts";
import type { BillingApp } from "./app.ts";
import { receiveEvent } from "./refresh.ts";

const BODY_BYTES_MAX = 512 * 1024;

/** Registers the webhook of the payment provider, which is answered at once; a job does the work. */
export function registerWebhookRoute(http: Http, app: BillingApp): void {
  void http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    // The signature covers the raw bytes.
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_req, body, done) => done(null, body));
    scope.post(
      paths.paymentEvents,
      {
        bodyLimit: BODY_BYTES_MAX,
        config: { malformedBody: "route", diskSpace: "exempt" },
        schema: {
          tags: ["billing"],
          operationId: "receivePaymentEvent",
          summary: "Receive an event of the payment provider",
          description: "A Stripe event with its header `Stripe-Signature`. Duplicates are ignored.",
          consumes: ["application/json; charset=utf-8"],
          body: Type.Unsafe<Buffer | null>({ description: "The event, as Stripe signed it." }),
          response: { 204: Type.Null() },
        },
      },
      async (req, reply) => {
        const { charging } = app.payments;
        if (!charging) throw new Fault("not-found", "This service has no payment provider.");
        const given = req.headers["stripe-signature"];
        const signature = typeof given === "string" ? given : undefined;
        await receiveEvent(app, charging, { body: req.body ?? Buffer.alloc(0), signature });
        return reply.code(204).send(null);
      },
    );
  });
}
