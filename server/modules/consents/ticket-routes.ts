import { Type } from "typebox";
import { paths } from "../../paths.ts";
import type { Http } from "../../platform/http/http.ts";
import type { ConsentsApp } from "./consents.ts";
import { TicketOut, TicketQueryIn } from "./schema.ts";
import { toDevice } from "./stats/device.ts";
import { issueTicket } from "./tickets.ts";

/** Nothing is asked for in it. */
const BODY_BYTES_MAX = 1_024;

/** Registers display tickets: what a page asks for when it shows what is published. */
export function registerTicketRoute(
  http: Http,
  app: Pick<ConsentsApp, "db" | "tickets" | "steps" | "displays" | "now">,
): void {
  http.post(
    paths.tickets,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["app"],
        operationId: "issueTicket",
        summary: "Ask for a display ticket",
        description:
          "For the version that is live now and the origin of the page. Where it says what is shown, that is counted, by nobody's name. Sent back in `ticket` with an answer, within half an hour, from a page of that origin and once, it gives the record the grade `ticketed`.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        querystring: TicketQueryIn,
        response: { 200: TicketOut },
      },
      // Nothing is written but sums.
      config: { cors: "any", log: "failures", room: "spared" },
    },
    async (req, reply) => {
      void reply.header("cache-control", "no-store");
      const { headers, params, query } = req;
      const device = toDevice(headers);
      const { identifier, step } = query;
      const asked = { ...params, identifier, step, origin: headers.origin, device };
      const issued = await issueTicket(app, asked);
      return { ...issued, expiresAt: issued.expiresAt.toISOString() };
    },
  );
}
