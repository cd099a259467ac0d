import type { IncomingHttpHeaders } from "node:http";
import { type Actor, toScope } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { getProject } from "../../vault/access.ts";

/** Who sends consents, as far as it is kept or counts for them. */
export interface Sender {
  /** The family of the browser or client. */
  userAgent: string;
  /** Whether it asks not to be tracked or sold: `Sec-GPC: 1` (Global Privacy Control). */
  gpc: boolean;
  /** The site that a browser says the page is of (RFC 6454). */
  origin: string | undefined;
  /** Whether somebody vouches for the answers who may bring in the project's consents. */
  isServer: boolean;
}

export function toSender(headers: IncomingHttpHeaders, isServer: boolean): Sender {
  return {
    userAgent: toUserAgentFamily(headers["user-agent"]),
    gpc: headers["sec-gpc"] === "1",
    origin: headers.origin,
    isServer,
  };
}

/**
 * The origin that a display ticket has to be of. A browser says it with every POST; what says none is no
 * page of a website (''). Undefined: of any, where somebody vouches for the answers who passes tickets on.
 */
export function toTicketOrigin({ origin, isServer }: Sender): string | undefined {
  return origin ?? (isServer ? undefined : "");
}

/**
 * Refuses who sends an access token that does not allow it: a grade cannot be mended later, and whoever
 * vouches for answers has to hear that it does not count.
 * @throws Fault not-found, forbidden
 */
export async function assertMayVouch(db: Db, actor: Actor, projectId: string): Promise<void> {
  await getProject(db, toScope(actor), projectId);
}
