import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../../../http/http.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import type { ConsentsApp } from "./collect.ts";
import { TicketOut, TicketQueryIn } from "@avow/contract/consents";
import { toDevice } from "../device.ts";
import { issueTicket } from "../displays/tickets.ts";

/** The body has no fields. */
const BODY_BYTES_MAX = 16 * 1_024;

/**
 * Limit of counted displays of a project from one network in a minute, per node: above the traffic of an office or of
 * a provider's shared address, and too low to distort statistics. Tickets are issued beyond it, too.
 */
const DISPLAYS_PER_MINUTE_MAX = 300;

/** Registers display tickets, which a page requests when it displays a banner or form. */
export function registerTicketRoute(
  http: Http,
  app: Pick<ConsentsApp, "db" | "buckets" | "tickets" | "steps" | "displays" | "now" | "openRate">,
): void {
  const rate = app.openRate("displays", DISPLAYS_PER_MINUTE_MAX);
  http.post(
    paths.tickets,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["app"],
        operationId: "issueTicket",
        summary: "Request a display ticket",
        description:
          "Issues a ticket for the live version and the origin of the page. With `identifier`, the display is counted, without any identifier of the visitor and up to 300 times a minute from one network. An answer that returns the ticket in `ticket`, once, within half an hour and from a page of the same origin, gets the assurance level `ticketed`.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        querystring: TicketQueryIn,
        response: { 200: TicketOut },
      },
      // Writes counts only, which may be dropped on a full disk.
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
      const request = { ...params, identifier, step, origin: headers.origin, device };
      const issued = await issueTicket(app, request);
      return { ...issued, expiresAt: issued.expiresAt.toISOString() };
    },
  );
}
