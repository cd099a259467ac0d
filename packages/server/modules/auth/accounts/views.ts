import { hrefOf, paths } from "@avow/contract/urls";
import type { Actor } from "../../../kernel/actor.ts";
import { toIdentityId } from "../identities/identities.ts";
import { toLinks } from "../sessions/views.ts";
import type { Me } from "./me.ts";
import type { MeOut } from "./schema.ts";

const addressPattern = /^[^\s@]+@[^\s@]+$/;

/**
 * The identities by provider (wire section 9). A provider's label is an address or a name, and its subject is stored
 * after its issuer and a bar.
 */
function toIdentities({ identities, username, email }: Me): MeOut["identities"] {
  // Reversed, so that the first of a provider is kept.
  const entries = identities.toReversed().map(({ provider, subject, label }) => {
    if (provider === "local") return [provider, { username, email }] as const;
    const address = label !== null && addressPattern.test(label) ? label : null;
    return [
      provider,
      { subject: subject.slice(subject.indexOf("|") + 1), email: address },
    ] as const;
  });
  return Object.fromEntries(entries);
}

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
    identities: toIdentities(me),
    signInMethods: me.identities.map((identity) => {
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
