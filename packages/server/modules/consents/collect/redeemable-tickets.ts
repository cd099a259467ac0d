import { hash } from "node:crypto";
import type { LiveOffers } from "../offers/live-offers.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { ConsentsPorts, Impression } from "../ports.ts";

/** A valid ticket; whether it was used before is checked when the consent is written. */
export interface Redeemable {
  /** 16 bytes in hexadecimal. */
  hash: string;
  displayedAt: Date;
  expiresAt: Date;
  /** The configuration in the ticket's version. */
  displayed: OfferedConfiguration;
  /** The counted impression; undefined: its display was not counted. */
  shown: Impression | undefined;
}

/** The display of an answer: a valid ticket, or the reason why it was rejected and the version from the request. */
export interface ReadTicket {
  ticket: Redeemable | undefined;
  ticketFault: string | undefined;
  /** The configuration in the earlier version that the client says it displayed. */
  shown: OfferedConfiguration | undefined;
}

export const noTicket: ReadTicket = { ticket: undefined, ticketFault: undefined, shown: undefined };
export const USED_TICKET = "was used before";

const HASH_DIGITS = 32;

interface TicketsApp extends Pick<ConsentsPorts, "tickets" | "now"> {
  live: Pick<LiveOffers, "findDisplayed">;
}

interface TicketContext {
  projectId: string;
  /** Undefined: any origin. */
  origin: string | undefined;
  /** The live configuration that was answered. */
  answered: OfferedConfiguration;
}

/**
 * Reads the display of an answer: its ticket, or else the earlier version that the client names. A version needs no
 * proof: the answer then applies to that version, and to nothing that was added later.
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
 * Validates the ticket of an answer. Queries the database only if another version is live now: the answer is to
 * the displayed version.
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
      ticketFault: `is for version ${version}, which does not contain this configuration`,
    };
  const digits = hash("sha256", `ticket ${id}`, "hex").slice(0, HASH_DIGITS);
  return { ...noTicket, ticket: { hash: digits, displayedAt, expiresAt, displayed, shown } };
}
