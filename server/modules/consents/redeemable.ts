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

/** What reading tickets needs. */
interface TicketsApp {
  live: Pick<LiveOffers, "findDisplayed">;
  tickets: Tickets;
  now: () => Date;
}

/** What a ticket came with. */
interface Asked {
  projectId: string;
  /** Undefined: it may be of any. */
  origin: string | undefined;
  /** The configuration that was answered, as it is live now. */
  answered: OfferedConfiguration;
}

/**
 * What a ticket counts for that came with an answer. Asks the database only where another version is
 * live by now: what is answered then is the version that was displayed.
 */
export async function readTicket(
  { live, tickets, now }: TicketsApp,
  ticket: string,
  { projectId, origin, answered }: Asked,
): Promise<ReadTicket> {
  const display = await tickets.check(ticket, { projectId, origin, now: now() });
  if (typeof display === "string") return { ...noTicket, ticketFault: display };
  const { id, version, displayedAt, expiresAt } = display;
  const displayed =
    answered.version === version
      ? answered
      : await live.findDisplayed(projectId, answered.identifier, version);
  if (displayed?.collection !== answered.collection)
    return {
      ...noTicket,
      ticketFault: `is for version ${version}, which does not have this configuration`,
    };
  const digits = hash("sha256", `ticket ${id}`, "hex").slice(0, HASH_DIGITS);
  return { ...noTicket, ticket: { hash: digits, displayedAt, expiresAt, displayed } };
}
