/**
 * The one table of what an API key may call: each scope's routes, as they are registered. `*` stands for
 * one segment, `**` for any rest. A route that no row names is for people's sessions alone.
 */
export const scopeRoutes = {
  "vault:read": [
    "GET /v1/vault/**",
    "GET /v1/content/contracts",
    "GET /v1/content/contracts/**",
    "GET /v1/client/",
    "GET /v1/client/*",
  ],
  "vault:write": [
    "POST /v1/vault/*",
    "PUT /v1/vault/*/*",
    "PATCH /v1/vault/*/*",
    "DELETE /v1/vault/*/*",
    "POST /v1/vault/*/*/versions/*/restore",
    "POST /v1/content/contracts",
    "PUT /v1/content/contracts/*",
    "PATCH /v1/content/contracts/*",
    "DELETE /v1/content/contracts/*",
    "POST /v1/content/contracts/*/versions/*/restore",
    "POST /v1/client/",
    "PUT /v1/client/*",
    "PATCH /v1/client/*",
    "POST /v1/client/*/forms",
  ],
  "publish:read": ["GET /v1/publish/**"],
  "publish:write": ["POST /v1/publish/**", "DELETE /v1/publish/**"],
  "consents:read": [
    "GET /v1/app/consents/*",
    "GET /v1/app/exports/**",
    "GET /v1/app/imports/**",
    "GET /v1/client/*/tokens",
    "GET /v1/client/*/tokens/**",
    "GET /v1/client/*/consents/*",
  ],
  "consents:write": [
    "POST /v1/app/consents/**",
    "POST /v1/app/imports/*",
    "DELETE /v1/app/imports/*/*",
  ],
  "consents:erase": ["DELETE /v1/app/tokens/*/*"],
  "proofs:read": [
    "GET /v1/app/proofs",
    "GET /v1/app/proofs/**",
    "GET /v1/app/dossiers/*",
    "GET /v1/app/erasures/**",
  ],
  "assets:read": ["GET /v1/assets"],
  "assets:write": ["POST /v1/assets", "DELETE /v1/assets/*"],
  "webhooks:read": ["GET /v1/webhooks", "GET /v1/webhooks/**"],
  "webhooks:write": [
    "POST /v1/webhooks",
    "POST /v1/webhooks/**",
    "PATCH /v1/webhooks/*",
    "DELETE /v1/webhooks/*",
  ],
  "billing:read": ["GET /v1/billing/**"],
} as const satisfies Record<string, readonly string[]>;

export type ScopeName = keyof typeof scopeRoutes;
export const scopeNames = Object.keys(scopeRoutes) as ScopeName[];

/** What every key may call: whose it is, and its own end. */
const routesOfAnyKey = ["GET /v1/auth/me", "GET /v1/auth/logout", "POST /v1/auth/logout"];

/** Scopes of what belongs to a user or an organization and to no project: a key of one project cannot have them. */
export const userScopes: readonly ScopeName[] = [
  "assets:read",
  "assets:write",
  "webhooks:read",
  "webhooks:write",
  "billing:read",
];

const patterns = scopeNames.map((name) => ({ name, of: scopeRoutes[name].map(toPattern) }));
const patternsOfAnyKey = routesOfAnyKey.map(toPattern);

function toPattern(row: string): RegExp {
  const source = row
    .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**", "\0")
    .replaceAll("*", "[^/]+")
    .replaceAll("\0", ".+");
  return new RegExp(`^${source}$`);
}

/** The scopes that allow a route, by its method and the pattern that it is registered with. */
export function scopesOfRoute(method: string, url: string): ScopeName[] {
  // What can be read can be asked for its head.
  const route = `${method === "HEAD" ? "GET" : method} ${url}`;
  return patterns.filter(({ of }) => of.some((p) => p.test(route))).map(({ name }) => name);
}

/** Whether every key may call a route. */
export function isForAnyKey(method: string, url: string): boolean {
  return patternsOfAnyKey.some((pattern) => pattern.test(`${method} ${url}`));
}
