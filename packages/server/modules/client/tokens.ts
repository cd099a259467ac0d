import { hrefOf, paths } from "@avow/contract/urls";
import { expiryOf } from "../consents/states/states.ts";
import type { StateEntry } from "../consents/states/token-state.ts";
import { type SeenToken, toAcceptedName } from "../consents/states/tokens.ts";
import type { Static } from "typebox";
import type { StateOut, TokenOut } from "./schema.ts";

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

/** CSV columns of a token. */
export const tokenColumns: Record<string, (seen: SeenToken) => string> = {
  token: ({ token }) => token,
  firstSeenAt: ({ firstSeenAt }) => firstSeenAt.toISOString(),
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt.toISOString(),
  consents: ({ consents }) => String(consents),
};

/** One entry of a token's state (wire section 5); its links keep `at`. */
export function toStateOut(
  entry: StateEntry,
  of: { projectId: string; token: string; publicUrl: string; at: string | undefined },
): StateOut {
  const { projectId, token, publicUrl, at } = of;
  const { collection, status, name, state } = entry;
  const identifier = toAcceptedName(entry);
  const latest = { token, service: collection, identifier: entry.identifier };
  const expiry = state ? expiryOf(state) : null;
  return {
    collection,
    identifier,
    name,
    status,
    accept: status === "accepted",
    since: state?.since.toISOString() ?? null,
    ...(expiry ? { expiresAt: expiry.toISOString() } : {}),
    ...(state ? { consentId: state.consentId } : {}),
    ...(state?.version ? { version: state.version } : {}),
    links: {
      accepted: hrefOf(publicUrl, paths.clientAcceptedItem, { id: projectId, identifier }, { at }),
      latest: hrefOf(publicUrl, paths.latestConsent, { projectId }, latest),
    },
  };
}
