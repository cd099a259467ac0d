/** Roles of a user on a document, its project or its organization, from the highest down (wire section 2). */
export const roles = ["owner", "editor", "viewer", "auditor"] as const;
export type Role = (typeof roles)[number];

/**
 * The roles that give each right. An auditor reads proofs, the consents that they prove, the audit trail and
 * counts of consents; no configuration, user or version, and writes nothing.
 */
const rolesWith = {
  read: ["owner", "editor", "viewer"],
  write: ["owner", "editor"],
  delete: ["owner", "editor"],
  own: ["owner"],
  leave: ["owner", "editor", "viewer", "auditor"],
  publish: ["owner", "editor"],
  comment: ["owner", "editor", "viewer"],
  approve: ["owner", "editor"],
  importConsents: ["owner", "editor"],
  readConsents: ["owner", "editor", "viewer", "auditor"],
  receiveEvents: ["owner", "editor"],
  readProofs: ["owner", "editor", "viewer", "auditor"],
  readTrail: ["owner", "auditor"],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rolesWith;

export function rolesFor(right: Right): readonly Role[] {
  return rolesWith[right];
}

/** Whether one of the roles `held` gives `right`. */
export function isAllowed(held: readonly string[], right: Right): boolean {
  return rolesWith[right].some((role) => held.includes(role));
}

/** The roles up to the highest of `held`; none if none is held. */
export function rolesUpTo(held: readonly string[]): readonly Role[] {
  const highest = roles.findIndex((role) => held.includes(role));
  return highest === -1 ? [] : roles.slice(highest);
}

/** Scopes of API keys. */
export const scopeNames = [
  "vault:read",
  "vault:write",
  "publish:read",
  "publish:write",
  "consents:read",
  "consents:write",
  "consents:erase",
  "proofs:read",
  "trail:read",
  "stats:read",
  "assets:read",
  "assets:write",
  "webhooks:read",
  "webhooks:write",
  "billing:read",
] as const;
export type ScopeName = (typeof scopeNames)[number];

/** Scopes of things outside projects: a key of one project cannot have them. */
export const userScopes: readonly ScopeName[] = [
  "assets:read",
  "assets:write",
  "webhooks:read",
  "webhooks:write",
  "billing:read",
];

/** The rights that routes require. */
export interface RouteRights {
  /**
   * `public`: tokens are ignored. `optional`: a caller without a token is a visitor; a token that is sent must be
   * valid. `user`: signed-in users and their keys. `operator`: the service's own token, and sessions of operators'
   * accounts; to change something, such a session must be recent.
   */
  access: "public" | "optional" | "user" | "operator";
  /** The right that the caller needs on the request's document; undefined: the route is about the caller's own things. */
  right?: Right;
  /** The scope that an API key needs; `any`: every key may call; undefined: sessions only. */
  scope?: ScopeName | "any";
  /** A second scope that an API key needs. */
  andScope?: ScopeName;
  /** Open to sessions that lack the second factor that the operator requires. */
  withoutFactor?: true;
}

interface Row extends RouteRights {
  /** Patterns as registered: `*` is one segment, `**` any rest. */
  routes: readonly string[];
}

/**
 * The rights of all routes. The edge looks a route up when it is registered and does not start if it is missing;
 * verbs compare the caller's roles with the row's right. The first row that matches a route applies.
 */
export const routeRights: readonly Row[] = [
  {
    access: "public",
    routes: [
      // CORS preflight.
      "OPTIONS *",
      "GET /",
      "GET /health/*",
      "GET /metrics",
      "GET /problems/*",
      "GET /docs",
      "GET /docs/**",
      "GET /demo",
      "GET /demo/**",
      "GET /admin",
      "GET /admin/**",
      "GET /preview",
      "GET /c/**",
      "POST /c/**",
      "GET /review/*",
      "POST /review/*",
      "GET /account/**",
      "POST /account/**",
      "GET /cdn/**",
      "GET /widget.js",
      "GET /verify",
      "GET /verify/**",
      "GET /log/**",
      "GET /v1",
      "GET /v1/openapi.json",
      "GET /v1/webhooks/asyncapi.json",
      "POST /v1/auth/local/signup",
      "POST /v1/auth/local/signin",
      "POST /v1/auth/session",
      "POST /v1/auth/session/signup",
      "POST /v1/auth/session/reset",
      "POST /v1/auth/local/reset-password-token",
      "POST /v1/auth/local/reset-password",
      "GET /v1/auth/local/validate",
      "GET /v1/auth/local/password-rule",
      "GET /v1/auth/signups",
      "GET /v1/auth/providers",
      "GET /v1/auth/invitations/*",
      "GET /v1/vault/transfers/*",
      "GET /v1/auth/*/callback",
      "POST /v1/auth/*/callback",
      "GET /v1/assets/*",
      "GET /v1/assets/*/metadata",
      "GET /v1/app/consent/*",
      "POST /v1/app/tickets/*",
      "GET /v1/client/region",
      "GET /v1/domains",
      "POST /v1/domains/challenge",
      "GET /v1/app/proofs/*/consistency",
      "GET /v1/billing/plans",
      "POST /v1/billing/webhook",
    ],
  },
  {
    access: "user",
    scope: "any",
    withoutFactor: true,
    routes: ["GET /v1/auth/me", "GET /v1/auth/logout", "POST /v1/auth/logout"],
  },
  {
    access: "user",
    withoutFactor: true,
    routes: [
      "PATCH /v1/auth/me",
      "POST /v1/auth/me/deletion",
      "GET /v1/auth/tokens",
      "GET /v1/auth/tokens/*",
      "DELETE /v1/auth/tokens",
      "DELETE /v1/auth/tokens/*",
      "PUT /v1/auth/local/update-password",
      "POST /v1/auth/local/validate",
      "DELETE /v1/auth/invitations/*",
      "DELETE /v1/auth/identities/*",
      "POST /v1/auth/factor",
      "POST /v1/auth/factor/confirm",
      "POST /v1/auth/factor/recovery-codes",
      "DELETE /v1/auth/factor",
      "POST /v1/auth/confirm",
      "POST /v1/auth/claim",
    ],
  },
  // Notifications are of a person, not of a program.
  {
    access: "user",
    routes: [
      "GET /v1/notifications",
      "GET /v1/notifications/count",
      "POST /v1/notifications/reads",
      "GET /v1/notifications/settings",
      "PUT /v1/notifications/settings",
    ],
  },
  { access: "user", routes: ["POST /v1/auth/tokens", "POST /v1/auth/invitations/*"] },
  {
    access: "user",
    right: "own",
    routes: ["GET /v1/auth/invitations", "POST /v1/auth/invitations"],
  },
  {
    access: "operator",
    routes: [
      "PUT /v1/billing/organizations/*",
      "DELETE /v1/auth/users/*/tokens",
      "PUT /v1/auth/users/*/disabled",
      "DELETE /v1/auth/users/*/disabled",
      "DELETE /v1/auth/users/*/factor",
      "PUT /v1/auth/signups",
      "GET /v1/auth/operators",
      "GET /v1/auth/operators/*",
      "POST /v1/auth/operators",
      "DELETE /v1/auth/operators/*",
      "GET /v1/instance/status",
    ],
  },
  // With a session, the identity or the one-time code is its user's.
  {
    access: "optional",
    withoutFactor: true,
    routes: ["GET /v1/auth/*", "POST /v1/auth/exchange", "POST /v1/auth/session/exchange"],
  },
  // Also removes the cookie of a session that has ended.
  { access: "optional", withoutFactor: true, routes: ["DELETE /v1/auth/session"] },
  // A transfer changes the rights on a project, as API keys cannot.
  {
    access: "user",
    right: "own",
    routes: [
      "GET /v1/vault/projects/*/transfer",
      "POST /v1/vault/projects/*/transfer",
      "DELETE /v1/vault/projects/*/transfer",
    ],
  },
  // Links that give access to answers and drafts start with it.
  {
    access: "user",
    right: "own",
    routes: [
      "GET /v1/vault/organizations/*/domain",
      "PUT /v1/vault/organizations/*/domain",
      "DELETE /v1/vault/organizations/*/domain",
    ],
  },
  {
    access: "user",
    routes: [
      "GET /v1/vault/transfers",
      "POST /v1/vault/transfers/*",
      "DELETE /v1/vault/transfers/*",
    ],
  },
  {
    access: "user",
    right: "own",
    scope: "vault:write",
    routes: ["DELETE /v1/vault/projects/*", "DELETE /v1/vault/organizations/*"],
  },
  {
    access: "user",
    right: "delete",
    scope: "vault:write",
    routes: ["DELETE /v1/vault/*/*", "DELETE /v1/content/contracts/*"],
  },
  {
    access: "user",
    right: "own",
    routes: ["POST /v1/vault/*/*/users", "POST /v1/content/contracts/*/users"],
  },
  // Users may remove themselves; to remove another, the verb requires `own`.
  {
    access: "user",
    right: "leave",
    routes: ["DELETE /v1/vault/*/*/users/*", "DELETE /v1/content/contracts/*/users/*"],
  },
  { access: "user", right: "readTrail", scope: "trail:read", routes: ["GET /v1/vault/audit"] },
  { access: "user", scope: "vault:read", routes: ["GET /v1/vault/additions"] },
  {
    access: "user",
    right: "read",
    scope: "vault:read",
    routes: ["GET /v1/vault/**", "GET /v1/content/contracts", "GET /v1/content/contracts/**"],
  },
  // Creating a document requires the right on its parent.
  {
    access: "user",
    right: "write",
    scope: "vault:write",
    routes: [
      "POST /v1/vault/*",
      "PUT /v1/vault/*/*",
      "PATCH /v1/vault/*/*",
      "POST /v1/vault/*/*/versions/*/restore",
      "POST /v1/vault/*/*/duplicate",
      "POST /v1/vault/projects/*/inheritance/*/reset",
      "POST /v1/content/contracts",
      "PUT /v1/content/contracts/*",
      "PATCH /v1/content/contracts/*",
      "POST /v1/content/contracts/*/versions/*/restore",
      "POST /v1/content/contracts/*/duplicate",
      "POST /v1/client",
      "PUT /v1/client/*",
      "PATCH /v1/client/*",
      "POST /v1/client/*/forms",
    ],
  },
  // For a project that the caller is about to create: every user may. The verb refuses keys of one project.
  { access: "user", scope: "vault:write", routes: ["POST /v1/move-in/files"] },
  // Auditors see only the fields that identify the project.
  {
    access: "user",
    right: "readConsents",
    scope: "vault:read",
    routes: ["GET /v1/client", "GET /v1/client/*"],
  },
  {
    access: "user",
    right: "read",
    scope: "publish:read",
    routes: ["GET /v1/publish/**", "POST /v1/publish/projects/*/preview"],
  },
  // To publish despite errors of the check (`force`), the verb requires `own`.
  {
    access: "user",
    right: "publish",
    scope: "publish:write",
    routes: ["POST /v1/publish/**", "DELETE /v1/publish/**"],
  },
  // Sessions only: the number of approvals, and a link that can approve, are decisions of people.
  { access: "user", right: "own", routes: ["PUT /v1/reviews/*/settings"] },
  {
    access: "user",
    right: "write",
    routes: ["GET /v1/reviews/*/links", "POST /v1/reviews/*/links", "DELETE /v1/reviews/*/links/*"],
  },
  // An approval counts only while its author has the role that the project's settings name.
  {
    access: "user",
    right: "approve",
    routes: ["POST /v1/reviews/*/decisions", "DELETE /v1/reviews/*/decisions/*"],
  },
  { access: "user", right: "read", scope: "vault:read", routes: ["GET /v1/reviews/**"] },
  {
    access: "user",
    right: "write",
    scope: "vault:write",
    routes: ["POST /v1/reviews/*/requests"],
  },
  // Viewers comment, too. To change a comment of another, the verb requires `own`.
  {
    access: "user",
    right: "comment",
    scope: "vault:write",
    routes: [
      "POST /v1/reviews/*/comments",
      "POST /v1/reviews/*/comments/*/replies",
      "PATCH /v1/reviews/*/comments/*",
      "DELETE /v1/reviews/*/comments/*",
    ],
  },
  {
    access: "user",
    right: "readConsents",
    scope: "consents:read",
    routes: [
      "GET /v1/app/consents/*",
      "GET /v1/app/exports/**",
      "GET /v1/app/imports/**",
      "GET /v1/client/*/tokens",
      "GET /v1/client/*/tokens/**",
      "GET /v1/client/*/consents/*",
      "GET /v1/client/*/links",
      "GET /v1/client/*/erasure-requests",
      "GET /v1/client/*/erasure-proposals",
      "GET /v1/client/*/erasure-rule",
    ],
  },
  {
    access: "user",
    right: "readConsents",
    scope: "stats:read",
    routes: ["GET /v1/app/stats", "GET /v1/app/stats/*", "GET /v1/app/stats/*/versions/*"],
  },
  // The visitor's token authorizes; it is in the body, so that no log of URLs contains it.
  {
    access: "optional",
    right: "readConsents",
    scope: "consents:read",
    routes: ["POST /v1/client/*/answers"],
  },
  // A caller with a token vouches for the visitors' answers.
  {
    access: "optional",
    right: "importConsents",
    scope: "consents:write",
    routes: ["POST /v1/app/consents/**"],
  },
  // The returned link lets its holder read and change the visitor's answers.
  {
    access: "optional",
    right: "importConsents",
    scope: "consents:write",
    andScope: "consents:read",
    routes: ["POST /v1/client/*/links"],
  },
  {
    access: "user",
    right: "importConsents",
    scope: "consents:write",
    routes: ["POST /v1/app/imports/*", "DELETE /v1/app/imports/*/*", "DELETE /v1/client/*/links/*"],
  },
  {
    access: "user",
    right: "own",
    scope: "consents:erase",
    routes: ["DELETE /v1/app/tokens/*/*", "DELETE /v1/client/*/erasure-requests/*"],
  },
  // Sessions only: a key cannot stand for the second person, nor switch the rule off.
  {
    access: "user",
    right: "own",
    routes: [
      "PUT /v1/client/*/erasure-rule",
      "POST /v1/client/*/erasure-proposals/*/confirmation",
      "DELETE /v1/client/*/erasure-proposals/*",
    ],
  },
  // The record's token authorizes.
  {
    access: "optional",
    right: "readProofs",
    scope: "proofs:read",
    routes: ["GET /v1/app/proofs/*"],
  },
  {
    access: "user",
    right: "readProofs",
    scope: "proofs:read",
    routes: ["GET /v1/app/proofs", "GET /v1/app/dossiers/*", "GET /v1/app/erasures/**"],
  },
  { access: "user", scope: "assets:read", routes: ["GET /v1/assets"] },
  {
    // Uses of a file prevent its deletion.
    access: "user",
    scope: "assets:write",
    routes: ["POST /v1/assets", "DELETE /v1/assets/*", "GET /v1/assets/*/uses"],
  },
  {
    access: "user",
    scope: "webhooks:read",
    routes: ["GET /v1/webhooks", "GET /v1/webhooks/**"],
  },
  {
    access: "user",
    right: "receiveEvents",
    scope: "webhooks:write",
    routes: ["POST /v1/webhooks"],
  },
  {
    access: "user",
    scope: "webhooks:write",
    routes: ["POST /v1/webhooks/**", "PATCH /v1/webhooks/*", "DELETE /v1/webhooks/*"],
  },
  {
    access: "user",
    right: "own",
    scope: "billing:read",
    routes: ["GET /v1/billing/organizations/**"],
  },
  {
    access: "user",
    right: "own",
    routes: ["POST /v1/billing/checkout", "POST /v1/billing/portal"],
  },
];

const patterns = routeRights.flatMap((row) =>
  row.routes.map((route) => ({ row, pattern: toPattern(route) })),
);

function toPattern(route: string): RegExp {
  const source = route
    .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**", "\0")
    .replaceAll("*", "[^/]+")
    .replaceAll("\0", ".+");
  return new RegExp(`^${source}$`);
}

/**
 * The rights of a route, by its method and registered pattern; undefined if the table lacks it.
 */
export function findRouteRights(method: string, url: string): RouteRights | undefined {
  // HEAD has the rights of GET, and a trailing slash is ignored (wire section 0).
  const path = url.length > 1 && url.endsWith("/") ? url.slice(0, -1) : url;
  const route = `${method === "HEAD" ? "GET" : method} ${path}`;
  return patterns.find(({ pattern }) => pattern.test(route))?.row;
}
