import { hash } from "node:crypto";
import type { LiveOffers } from "./live-offers.ts";
import type { OfferedConfiguration } from "./offered.ts";
import type { Tickets } from "./tickets.ts";

/** A ticket that counts, if it was not used before. */
export interface Redeemable {
  /** 16 bytes in hexadecimal digits. */
  hash: string;
  displayedAt: Date;
  expiresAt: Date;
  /** What the version of the ticket asked for. */
  displayed: OfferedConfiguration;
}

/** What a ticket counts for, or why it does not. */
export interface ReadTicket {
  ticket: Redeemable | undefined;
  ticketFault: string | undefined;
}

export const noTicket: ReadTicket = { ticket: undefined, ticketFault: undefined };
export const USED_TICKET = "was used before";

const HASH_DIGITS = 32;

/**
 * What a ticket counts for that came with an answer to `live`. Asks the database only where another
 * version is live by now: what is answered then is the version that was displayed.
 */
export async function readTicket(
  {
    live: offers,
    tickets,
    now,
  }: { live: Pick<LiveOffers, "findDisplayed">; tickets: Tickets; now: () => Date },
  ticket: string,
  {
    projectId,
    origin,
    live,
  }: { projectId: string; origin: string | undefined; live: OfferedConfiguration },
): Promise<ReadTicket> {
  const display = await tickets.check(ticket, { projectId, origin, now: now() });
  if (typeof display === "string") return { ...noTicket, ticketFault: display };
  const { id, version, displayedAt, expiresAt } = display;
  const displayed =
    live.version === version
      ? live
      : await offers.findDisplayed(projectId, live.identifier, version);
  if (displayed?.collection !== live.collection)
    return {
      ...noTicket,
      ticketFault: `is for version ${version}, which does not have this configuration`,
    };
  const digits = hash("sha256", `ticket ${id}`, "hex").slice(0, HASH_DIGITS);
  return { ...noTicket, ticket: { hash: digits, displayedAt, expiresAt, displayed } };
}
