import { hash } from "node:crypto";
import type { LiveOffers } from "../offers/live-offers.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { ConsentsPorts, Impression } from "../ports.ts";

/** A valid ticket, which may have been used before. */
export interface Redeemable {
  /** 16 bytes in hexadecimal digits. */
  hash: string;
  displayedAt: Date;
  expiresAt: Date;
  /** The configuration in the version of the ticket. */
  displayed: OfferedConfiguration;
  /** The counted part of its display; undefined: it was not counted. */
  shown: Impression | undefined;
}

/** A ticket, or the reason that it does not count; and the version that is answered where it does not. */
export interface ReadTicket {
  ticket: Redeemable | undefined;
  ticketFault: string | undefined;
  /** The configuration in an earlier version that was shown, as the client says. */
  shown: OfferedConfiguration | undefined;
}

export const noTicket: ReadTicket = { ticket: undefined, ticketFault: undefined, shown: undefined };
export const USED_TICKET = "was used before";

const HASH_DIGITS = 32;

interface TicketsApp extends Pick<ConsentsPorts, "tickets" | "now"> {
  live: Pick<LiveOffers, "findDisplayed">;
}

/** The request that a ticket came with. */
interface TicketContext {
  projectId: string;
  /** Undefined: any. */
  origin: string | undefined;
  /** The live configuration that was answered. */
  answered: OfferedConfiguration;
}

/**
 * Reads the display of an answer: its ticket, and the version that was shown where the client names an earlier one.
 * That needs no proof: the answer is to that version, and to nothing that came later.
 */
export async function readDisplay(
  app: TicketsApp,
  given: { ticket?: string | undefined; version?: unknown },
  context: TicketContext,
): Promise<ReadTicket> {
  const { ticket, version } = given;
  const read = ticket === undefined ? noTicket : await readTicket(app, ticket, context);
  const live = context.answered.version;
  if (read.ticket || typeof version !== "number" || live === null) return read;
  if (!Number.isInteger(version) || version < 1 || version >= live) return read;
  const { projectId, answered } = context;
  const shown = await app.live.findDisplayed(projectId, answered.identifier, version);
  return shown?.collection === answered.collection ? { ...read, shown } : read;
}

/**
 * Reads the ticket of an answer. Queries the database only where another version is live by now: the answer is to
 * the version that was displayed.
 */
async function readTicket(
  { live, tickets, now }: TicketsApp,
  ticket: string,
  { projectId, origin, answered }: TicketContext,
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
