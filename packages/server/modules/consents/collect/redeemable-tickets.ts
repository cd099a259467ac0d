import { hash } from "node:crypto";
import type { LiveOffers } from "../offers/live-offers.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { Shown } from "../displays/displays.ts";
import type { Tickets } from "../displays/tickets.ts";

/** A ticket that counts, if it was not used before. */
export interface Redeemable {
  /** 16 bytes in hexadecimal digits. */
  hash: string;
  displayedAt: Date;
  expiresAt: Date;
  /** What the version of the ticket asked for. */
  displayed: OfferedConfiguration;
  /** What of its display was counted, where it was. */
  shown: Shown | undefined;
}

/** What a ticket counts for, or why it does not; and what is answered where it does not count. */
export interface ReadTicket {
  ticket: Redeemable | undefined;
  ticketFault: string | undefined;
  /** What an earlier version asked for, which the client says was shown. */
  shown: OfferedConfiguration | undefined;
}

export const noTicket: ReadTicket = { ticket: undefined, ticketFault: undefined, shown: undefined };
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
 * What comes with an answer: its ticket, and what was shown where a client says that an earlier version
 * was. Nobody has to prove that: who says so has agreed to that version, and to nothing that came later.
 */
export async function readDisplay(
  app: TicketsApp,
  given: { ticket?: string | undefined; version?: unknown },
  asked: Asked,
): Promise<ReadTicket> {
  const { ticket, version } = given;
  const read = ticket === undefined ? noTicket : await readTicket(app, ticket, asked);
  const live = asked.answered.version;
  if (read.ticket || typeof version !== "number" || live === null) return read;
  if (!Number.isInteger(version) || version < 1 || version >= live) return read;
  const { projectId, answered } = asked;
  const shown = await app.live.findDisplayed(projectId, answered.identifier, version);
  return shown?.collection === answered.collection ? { ...read, shown } : read;
}

/**
 * What a ticket counts for that came with an answer. Asks the database only where another version is
 * live by now: what is answered then is the version that was displayed.
 */
async function readTicket(
  { live, tickets, now }: TicketsApp,
  ticket: string,
  { projectId, origin, answered }: Asked,
): Promise<ReadTicket> {
  const display = await tickets.check(ticket, { projectId, origin, now: now() });
  if (typeof display === "string") return { ...noTicket, ticketFault: display };
  const { id, version, displayedAt, expiresAt, shown } = display;
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
  return { ...noTicket, ticket: { hash: digits, displayedAt, expiresAt, displayed, shown } };
}
