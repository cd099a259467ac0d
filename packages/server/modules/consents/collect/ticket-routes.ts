import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../../../http/http.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { openRate } from "../../../platform/queues/rate.ts";
import type { ConsentsApp } from "./collect.ts";
import { TicketOut, TicketQueryIn } from "@avow/contract/consents";
import { toDevice } from "../device.ts";
import { issueTicket } from "../displays/tickets.ts";

/** Nothing is asked for in it. */
const BODY_BYTES_MAX = 1_024;

/**
 * Displays of one project that count from one network in a minute, on each node: more than visitors of an office or of
 * a provider's shared address make, and too few to make numbers with. Beyond it tickets are given all the same.
 */
const DISPLAYS_PER_MINUTE_MAX = 300;

/** Registers display tickets: what a page asks for when it shows what is published. */
export function registerTicketRoute(
  http: Http,
  app: Pick<ConsentsApp, "db" | "tickets" | "steps" | "displays" | "now">,
): void {
  const rate = openRate(DISPLAYS_PER_MINUTE_MAX);
  http.post(
    paths.tickets,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["app"],
        operationId: "issueTicket",
        summary: "Ask for a display ticket",
        description:
          "For the version that is live now and the origin of the page. Where it says what is shown, that is counted, by nobody's name, 300 times a minute from one network. Sent back in `ticket` with an answer, within half an hour, from a page of that origin and once, it gives the record the grade `ticketed`.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        querystring: TicketQueryIn,
        response: { 200: TicketOut },
      },
      // Nothing is written but sums.
      config: { cors: "any", log: "failures", diskSpace: "exempt" },
    },
    async (req, reply) => {
      void reply.header("cache-control", "no-store");
      const { headers, params, query } = req;
      const device = toDevice(headers);
      const { step } = query;
      const isCounted =
        query.identifier !== undefined &&
        rate.take(`${params.projectId} ${toShortNetwork(req.ip) ?? ""}`);
      const identifier = isCounted ? query.identifier : undefined;
      const asked = { ...params, identifier, step, origin: headers.origin, device };
      const issued = await issueTicket(app, asked);
      return { ...issued, expiresAt: issued.expiresAt.toISOString() };
    },
  );
}
