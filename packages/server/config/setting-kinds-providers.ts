import { createPrivateKey } from "node:crypto";
import {
  type ClientSecret,
  type ProviderSettings,
  presets,
  toEndpoints,
} from "../platform/providers/presets.ts";
import { type Kind, authorityAddress } from "./setting-kinds.ts";

const PROVIDERS_MAX = 20;
const LENGTH_MAX = 65_536;
const TEXT_LENGTH_MAX = 4_096;
/** Names that other addresses under /v1/auth have. */
const reserved = new Set([
  "local",
  "me",
  "logout",
  "tokens",
  "providers",
  "invitations",
  "exchange",
  "identities",
  "factor",
  "confirm",
]);

type Fields = Readonly<Record<string, unknown>>;

/** Those whom people sign in with, as JSON by their names. */
export const providers: Kind<readonly ProviderSettings[]> = {
  expected:
    'a JSON object such as {"google": {"clientId": "…", "clientSecret": "…"}, "company": {"issuer": "https://…", "title": "…", "clientId": "…", "clientSecret": "…"}}',
  read: (value) => {
    const parsed = value.length <= LENGTH_MAX ? parse(value) : undefined;
    if (!isFields(parsed)) return undefined;
    const entries = Object.entries(parsed);
    if (entries.length > PROVIDERS_MAX) return undefined;
    const read = entries.map(([name, fields]) => toProvider(name, fields));
    return read.every((provider) => provider !== undefined) ? read : undefined;
  },
};

function toProvider(name: string, fields: unknown): ProviderSettings | undefined {
  if (!/^[a-z][a-z0-9-]{1,30}$/.test(name) || reserved.has(name) || !isFields(fields))
    return undefined;
  const preset = presets[name];
  const clientId = textOf(fields, "clientId");
  const secret = toSecret(fields);
  const issuer = toIssuer(name, fields);
  if (clientId === undefined || !secret || issuer === undefined) return undefined;
  const kind = preset?.kind ?? "oidc";
  const [site, api] = ["url", "apiUrl"].map((field) => addressOf(fields, field));
  if ((fields["url"] !== undefined && !site) || (fields["apiUrl"] !== undefined && !api))
    return undefined;
  return {
    name,
    title: textOf(fields, "title") ?? preset?.title ?? name,
    kind,
    issuer,
    clientId,
    secret,
    scope: textOf(fields, "scope") ?? preset?.scope ?? "openid email profile",
    answersByPost: preset?.answersByPost ?? false,
    endpoints: toEndpoints(kind, { site, api }),
  };
}

/** Microsoft's says which accounts may come in: `tenant` is a company's, or everybody's (common). */
function toIssuer(name: string, fields: Fields): string | undefined {
  const given = addressOf(fields, "issuer");
  if (fields["issuer"] !== undefined) return given;
  const issuer = presets[name]?.issuer;
  if (name !== "microsoft") return issuer;
  const tenant = textOf(fields, "tenant") ?? "common";
  return /^[\w.-]{1,100}$/.test(tenant) ? `${issuer}/${tenant}/v2.0` : undefined;
}

function toSecret(fields: Fields): ClientSecret | undefined {
  const text = textOf(fields, "clientSecret");
  if (text !== undefined) return { kind: "text", text };
  const [teamId, keyId, privateKey] = ["teamId", "keyId", "privateKey"].map((field) =>
    textOf(fields, field),
  );
  if (teamId === undefined || keyId === undefined || privateKey === undefined) return undefined;
  return isEcKey(privateKey) ? { kind: "key", teamId, keyId, privateKey } : undefined;
}

function isEcKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "ec";
  } catch {
    return false;
  }
}

function addressOf(fields: Fields, name: string): string | undefined {
  const text = textOf(fields, name);
  const address = text === undefined ? undefined : authorityAddress.read(text);
  // Compared to the letter with what the provider says of itself, so without the slash that was added.
  return text !== undefined && !text.endsWith("/") ? address?.replace(/\/$/, "") : address;
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" && value.length <= TEXT_LENGTH_MAX
    ? value
    : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
