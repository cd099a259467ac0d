import type { IncomingHttpHeaders } from "node:http";
import { type Actor, toScope } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { getProject } from "../../vault/documents/access.ts";

/** The sender of consents, as far as it is kept or counts for them. */
export interface Sender {
  /** The family of the browser or client. */
  userAgent: string;
  /** Whether it asks not to be tracked or sold: `Sec-GPC: 1` (Global Privacy Control). */
  gpc: boolean;
  /**
   * The origin that a display ticket has to be of (RFC 6454). A browser sends one with every POST; a sender without is
   * no page of a website (''). Undefined, any: a server may pass tickets on.
   */
  ticketOrigin: string | undefined;
  /** Whether it is authenticated, and may add consents to the project. */
  isServer: boolean;
}

export function toSender(headers: IncomingHttpHeaders, isServer: boolean): Sender {
  return {
    userAgent: toUserAgentFamily(headers["user-agent"]),
    gpc: headers["sec-gpc"] === "1",
    ticketOrigin: headers.origin ?? (isServer ? undefined : ""),
    isServer,
  };
}

/**
 * Rejects an access token that may not add consents to the project: the level of a record cannot be raised later.
 * @throws Fault not-found, forbidden
 */
export async function assertMayAddConsents(db: Db, actor: Actor, projectId: string): Promise<void> {
  await getProject(db, toScope(actor), projectId);
}
