import { hrefOf, paths } from "../../paths.ts";
import type { StateEntry } from "../consents/token-state.ts";
import { type SeenToken, toAcceptedName } from "../consents/tokens.ts";
import type { Static } from "typebox";
import type { StateOut, TokenOut } from "./schema.ts";

/** A token as it is listed. */
export function toTokenOut(seen: SeenToken, publicUrl: string): Static<typeof TokenOut> {
  const { projectId: id, token, consents } = seen;
  return {
    token,
    firstSeenAt: seen.firstSeenAt.toISOString(),
    lastSeenAt: seen.lastSeenAt.toISOString(),
    consents,
    links: {
      consents: hrefOf(publicUrl, paths.clientConsents, { id, token }),
      project: hrefOf(publicUrl, paths.clientProject, { id }),
    },
  };
}

/** One entry of a token's state as it is answered (wire section 5). */
export function toStateOut(
  entry: StateEntry,
  { projectId, token, publicUrl }: { projectId: string; token: string; publicUrl: string },
): StateOut {
  const { collection, status, name, state } = entry;
  const identifier = toAcceptedName(entry);
  const latest = { token, service: collection, identifier: entry.identifier };
  return {
    collection,
    identifier,
    name,
    status,
    accept: status === "accepted",
    since: state?.since.toISOString() ?? null,
    ...(state?.expires_at ? { expiresAt: state.expires_at.toISOString() } : {}),
    ...(state ? { consentId: state.consent_id } : {}),
    ...(state?.version ? { version: state.version } : {}),
    links: {
      accepted: hrefOf(publicUrl, paths.clientAcceptedItem, { id: projectId, identifier }),
      latest: hrefOf(publicUrl, paths.latestConsent, { projectId }, latest),
    },
  };
}
