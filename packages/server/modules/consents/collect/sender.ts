import type { IncomingHttpHeaders } from "node:http";
import type { Region } from "@avow/contract/regions";
import { type Actor, toScope } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { getProject } from "../../vault/documents/access.ts";

/** The sender of a consent. */
export interface Sender {
  /** The family of the user agent. */
  userAgent: string;
  /** Whether it sent `Sec-GPC: 1` (Global Privacy Control). */
  gpc: boolean;
  /** Its country (ISO 3166-1 alpha-2); null if unknown, and for servers, which answer from elsewhere. */
  country: string | null;
  /**
   * The origin for which a display ticket must have been issued (RFC 6454). Browsers send it with every POST; without
   * it the sender is not a web page (''). Undefined: any, because a server may forward tickets.
   */
  ticketOrigin: string | undefined;
  /** Whether it is authenticated and may add consents to the project. */
  isServer: boolean;
}

/** `region`: the region of the request (ISO 3166-2), if known. */
export function toSender(
  headers: IncomingHttpHeaders,
  isServer: boolean,
  region: Region | undefined,
): Sender {
  return {
    userAgent: toUserAgentFamily(headers["user-agent"]),
    gpc: headers["sec-gpc"] === "1",
    country: (!isServer && region?.slice(0, 2)) || null,
    ticketOrigin: headers.origin ?? (isServer ? undefined : ""),
    isServer,
  };
}

/**
 * Rejects an access token that may not add consents to the project, because the assurance level of a record cannot be
 * raised later.
 * @throws Fault not-found, forbidden
 */
export async function assertMayAddConsents(db: Db, actor: Actor, projectId: string): Promise<void> {
  await getProject(db, toScope(actor), projectId);
}
