import { hrefOf, paths } from "../../paths.ts";
import { type StateEntry, toAcceptedName } from "../consents/tokens.ts";
import type { TokenRow } from "../consents/tokens-store.ts";
import type { Static } from "typebox";
import type { StateOut, TokenOut } from "./schema.ts";

/** A token as it is listed. */
export function toTokenOut(row: TokenRow, publicUrl: string): Static<typeof TokenOut> {
  const params = { id: row.project_id, token: row.token };
  return {
    token: row.token,
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    consents: row.consents,
    links: {
      consents: hrefOf(publicUrl, paths.clientConsents, params),
      project: hrefOf(publicUrl, paths.clientProject, { id: row.project_id }),
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
