import type { createApiKey } from "@avow/client/operations";

export type Scope = NonNullable<typeof createApiKey.input>["body"]["scopes"][number];

/** Each scope of the interface, and whether it is about projects: one that is missing here is an error of types. */
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

/** What keys may be made for. */
export const scopes = Object.keys(known) as Scope[];

/** Whether a key of one project may have the scope: what belongs to a person or an organization is not the project's. */
export function isOfProject(scope: Scope): boolean {
  return known[scope];
}
