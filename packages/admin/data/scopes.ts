import type { createApiKey } from "@avow/client/operations";

export type Scope = NonNullable<typeof createApiKey.input>["body"]["scopes"][number];

/** All scopes, each with whether it applies to projects. A missing scope is a type error. */
const known = {
  "vault:read": true,
  "vault:write": true,
  "publish:read": true,
  "publish:write": true,
  "consents:read": true,
  "consents:write": true,
  "consents:erase": true,
  "proofs:read": true,
  "trail:read": true,
  "stats:read": true,
  "assets:read": false,
  "assets:write": false,
  "webhooks:read": false,
  "webhooks:write": false,
  "billing:read": false,
} satisfies Record<Scope, boolean>;

/** The scopes of API keys. */
export const scopes = Object.keys(known) as Scope[];

/** Whether a key that is limited to a project may have the scope. Scopes of users and organizations may not. */
export function isOfProject(scope: Scope): boolean {
  return known[scope];
}
