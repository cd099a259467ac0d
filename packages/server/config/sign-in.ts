import { createPrivateKey } from "node:crypto";
import { isObject } from "@avow/contract/json";
import { type ProviderSettings, presets, toEndpoints } from "../platform/providers/presets.ts";
import {
  type Kind,
  authorityUrl,
  duration,
  flag,
  integer,
  oneOf,
  path,
  record,
  someOf,
} from "./kinds.ts";
import { setting } from "./schema.ts";

const PROVIDERS_MAX = 20;
const LENGTH_MAX = 65_536;
const TEXT_LENGTH_MAX = 4_096;
/** Names of other routes under /v1/auth. */
const reserved = new Set(
  "local me logout tokens providers invitations exchange identities factor confirm signups claim operators".split(
    " ",
  ),
);

const providersByName = record(
  'a JSON object such as {"google": {"clientId": "…", "clientSecret": "…"}, "company": {"issuer": "https://…", "title": "…", "clientId": "…", "clientSecret": "…"}}',
  PROVIDERS_MAX,
  parseProvider,
);
const providers: Kind<readonly ProviderSettings[]> = {
  ...providersByName,
  parse: (json) => {
    const byName = json.length > LENGTH_MAX ? undefined : providersByName.parse(json);
    return byName && Object.values(byName);
  },
};

/** How accounts are created: by everyone, with an invitation, or not at all. */
export const signupModes = ["open", "invitation", "closed"] as const;
export type SignupMode = (typeof signupModes)[number];

/** Accounts, passwords and sessions. */
export const signIn = {
  SIGNUPS: setting(oneOf(signupModes), {
    path: "signups",
    defaultShown: "as set on the screen Instance, at first open",
    description:
      "Sign-ups for everyone (open), with an invitation only (invitation), or for nobody (closed); fixes the choice for the screen too (docs/guides/restrict-sign-ups.md).",
  }),
  SIGN_IN_PROVIDERS: setting(providers, {
    path: "providers",
    description:
      "Identity providers by name: google, microsoft, github, facebook, apple, or any other name with an OpenID Connect issuer (docs/guides/secure-sign-in.md).",
    secret: true,
  }),
  SIGNUPS_PER_HOUR_MAX: setting(integer(1, 1_000_000_000), {
    path: "signupsPerHourMax",
    default: "2000",
    description:
      "Maximum number of sign-ups an hour from one network (an IPv4 address or an IPv6 /64); further ones are answered 429.",
  }),
  PASSWORD_RULE: setting(flag("everywhere", "screens"), {
    path: "passwords.isRuleEverywhere",
    default: "screens",
    description:
      "Scope of the rule of eight characters and no common or breached password: the service's own screens (screens), or the interface as well (everywhere).",
  }),
  PASSWORD_LENGTH_MIN: setting(integer(1, 64, "characters"), {
    path: "passwords.lengthMin",
    default: "1",
    description:
      "Minimum length of a new password on the interface; the screens require at least 8. NIST recommends 15, ASVS 8.",
  }),
  PASSWORDS_REFUSED: setting(someOf(["common", "context"]), {
    path: "passwords.refused",
    default: "",
    description:
      "Kinds of new passwords to reject: common (the 49,000 most used, also with a few digits or signs around them, which the screens always reject) and context (little more than names of the person, the service or its host).",
  }),
  PASSWORDS_BREACHED: setting(path("a file"), {
    path: "passwords.breachedFile",
    description:
      "File of breached passwords to reject, in the format of Pwned Passwords: sorted SHA-1 hashes, one a line (docs/guides/secure-sign-in.md).",
  }),
  RESET_LINK_MINUTES: setting(duration(1, 60, "minutes"), {
    path: "passwords.resetMs",
    default: "60",
    description: "Validity of mailed links that set a new password; ASVS recommends 10 minutes.",
  }),
  SECOND_FACTOR: setting(flag("required", "optional"), {
    path: "passwords.isFactorRequired",
    default: "optional",
    description:
      "Second factor at sign-in; if required, an account without one can only add one, and API keys are exempt.",
  }),
  SESSION_IDLE_HOURS: setting(duration(1, 360, "hours"), {
    path: "sessionIdleMs",
    description:
      "Idle timeout of sessions, which expire after 15 days in any case; API keys are exempt.",
  }),
};

function parseProvider(name: string, fields: unknown): ProviderSettings | undefined {
  if (!/^[a-z][a-z0-9-]{1,30}$/.test(name) || reserved.has(name) || !isObject(fields))
    return undefined;
  const textOf = (field: string): string | undefined => {
    const value = fields[field];
    const isText = typeof value === "string" && value !== "" && value.length <= TEXT_LENGTH_MAX;
    return isText ? value : undefined;
  };
  const urlOf = (field: string): string | undefined => {
    const value = textOf(field) ?? "";
    // An issuer must equal the `issuer` in the provider's metadata, so the slash that a URL adds is removed.
    return authorityUrl.parse(value)?.replace(value.endsWith("/") ? "" : /\/$/, "");
  };
  const preset: Partial<(typeof presets)[string]> = presets[name] ?? {};
  const { kind = "oidc", scope = "openid email profile", answersByPost = false } = preset;
  const clientId = textOf("clientId");
  const secret = parseSecret(textOf);
  const tenant = textOf("tenant") ?? "common";
  const issuer = fields["issuer"] === undefined ? toPresetIssuer(name, tenant) : urlOf("issuer");
  const [site, api] = [urlOf("url"), urlOf("apiUrl")];
  if (clientId === undefined || !secret || issuer === undefined) return undefined;
  if ((fields["url"] !== undefined && !site) || (fields["apiUrl"] !== undefined && !api))
    return undefined;
  return {
    name,
    title: textOf("title") ?? preset.title ?? name,
    kind,
    issuer,
    clientId,
    secret,
    scope: textOf("scope") ?? scope,
    answersByPost,
    endpoints: toEndpoints(kind, { site, api }),
  };
}

/** Microsoft's issuer names the accounts that can sign in: those of the company `tenant`, or all (common). */
function toPresetIssuer(name: string, tenant: string): string | undefined {
  const issuer = presets[name]?.issuer;
  if (name !== "microsoft") return issuer;
  return /^[\w.-]{1,100}$/.test(tenant) ? `${issuer}/${tenant}/v2.0` : undefined;
}

function parseSecret(
  textOf: (field: string) => string | undefined,
): ProviderSettings["secret"] | undefined {
  const text = textOf("clientSecret");
  if (text !== undefined) return { kind: "text", text };
  const [teamId, keyId, privateKey] = [textOf("teamId"), textOf("keyId"), textOf("privateKey")];
  if (!teamId || !keyId || !privateKey || !isEcKey(privateKey)) return undefined;
  return { kind: "key", teamId, keyId, privateKey };
}

function isEcKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "ec";
  } catch {
    return false;
  }
}
