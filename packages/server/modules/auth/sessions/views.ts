import { hrefOf, paths } from "@avow/contract/urls";
import type { Actor } from "../../../kernel/actor.ts";
import { toIdentityId } from "../identities/identities.ts";
import type { Me } from "../accounts/me.ts";
import type { LogoutOut, MeOut, SessionOut, TokenOut } from "../users/schema.ts";
import type { Session } from "./sessions.ts";
import type { AccessToken } from "./store.ts";

/** Where a signed-in user goes from here. */
export function toLinks(publicUrl: string): SessionOut["links"] {
  return {
    self: hrefOf(publicUrl, paths.me, {}),
    logout: hrefOf(publicUrl, paths.logout, {}),
    tokens: hrefOf(publicUrl, paths.accessTokens, {}),
    projects: hrefOf(publicUrl, paths.clientProjects, {}),
    vault: hrefOf(publicUrl, paths.documents, { resource: "projects" }),
  };
}

export function toSessionOut({ token, expiresAt }: Session, publicUrl: string): SessionOut {
  return { token, expiresAt: expiresAt.toISOString(), links: toLinks(publicUrl) };
}

/** The signed-in user, as `actor` is told. */
export function toMeOut(me: Me, publicUrl: string, actor: Actor): MeOut {
  return {
    _id: me.id,
    id: me.id,
    username: me.username,
    email: me.email,
    emailConfirmed: me.email_verified_at !== null,
    displayName: me.display_name,
    firstName: me.first_name,
    lastName: me.last_name,
    identities: me.identities.map((identity) => {
      const id = toIdentityId(identity);
      return {
        id,
        provider: identity.provider,
        label: identity.label,
        createdAt: identity.created_at.toISOString(),
        links: { self: hrefOf(publicUrl, paths.identity, { id }) },
      };
    }),
    secondFactor: me.factor
      ? {
          addedAt: (me.factor.confirmed_at ?? me.factor.created_at).toISOString(),
          recoveryCodesLeft: me.factor.codesLeft,
        }
      : null,
    createdAt: me.created_at.toISOString(),
    lastSeenAt: me.last_seen_at.toISOString(),
    needsSecondFactor: actor.kind === "user" && actor.lacksFactor === true,
    links: toLinks(publicUrl),
  };
}

export function toLogoutOut(publicUrl: string): LogoutOut {
  return { success: true, links: { signin: hrefOf(publicUrl, paths.signin, {}) } };
}

export function toTokenOut(
  token: AccessToken,
  { publicUrl, currentId }: { publicUrl: string; currentId: string },
): TokenOut {
  return {
    _id: token.id,
    id: token.id,
    label: token.label,
    current: token.id === currentId,
    createdAt: token.created_at.toISOString(),
    lastUsedAt: token.last_used_at.toISOString(),
    expiresAt: token.expires_at?.toISOString() ?? null,
    scopes: token.scopes,
    projectId: token.project_id,
    links: {
      self: hrefOf(publicUrl, paths.accessToken, { id: token.id }),
      user: hrefOf(publicUrl, paths.me, {}),
    },
  };
}
