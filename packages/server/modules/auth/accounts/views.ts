import { hrefOf, paths } from "@avow/contract/urls";
import type { Actor } from "../../../kernel/actor.ts";
import { toIdentityId } from "../identities/identities.ts";
import { toLinks } from "../sessions/views.ts";
import type { Me } from "./me.ts";
import type { MeOut } from "./schema.ts";

/** The signed-in user, as shown to `actor`. */
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
    operator: me.operator_at !== null,
    createdAt: me.created_at.toISOString(),
    lastSeenAt: me.last_seen_at.toISOString(),
    needsSecondFactor: actor.kind === "user" && actor.lacksFactor === true,
    links: toLinks(publicUrl),
  };
}
