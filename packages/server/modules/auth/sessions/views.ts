import { hrefOf, paths } from "@avow/contract/urls";
import type { LogoutOut, SessionOut, TokenOut } from "./schema.ts";
import type { Session } from "./sessions.ts";
import type { AccessToken } from "./store.ts";

/** Links for a signed-in user. */
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
