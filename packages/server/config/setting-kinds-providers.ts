import { type JsonObject, isObject } from "@avow/contract/json";
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

/** Those whom people sign in with, as JSON by their names. */
export const providers: Kind<readonly ProviderSettings[]> = {
  expected:
    'a JSON object such as {"google": {"clientId": "…", "clientSecret": "…"}, "company": {"issuer": "https://…", "title": "…", "clientId": "…", "clientSecret": "…"}}',
  read: (value) => {
    const parsed = value.length <= LENGTH_MAX ? parse(value) : undefined;
    if (!isObject(parsed)) return undefined;
    const entries = Object.entries(parsed);
    if (entries.length > PROVIDERS_MAX) return undefined;
    const read = entries.map(([name, fields]) => toProvider(name, fields));
    return read.every((provider) => provider !== undefined) ? read : undefined;
  },
};

function toProvider(name: string, fields: unknown): ProviderSettings | undefined {
  if (!/^[a-z][a-z0-9-]{1,30}$/.test(name) || reserved.has(name) || !isObject(fields))
    return undefined;
  const preset = presets[name];
  const clientId = readField(fields, "clientId");
  const secret = toSecret(fields);
  const issuer = toIssuer(name, fields);
  if (clientId === undefined || !secret || issuer === undefined) return undefined;
  const kind = preset?.kind ?? "oidc";
  const [site, api] = ["url", "apiUrl"].map((field) => addressOf(fields, field));
  if ((fields["url"] !== undefined && !site) || (fields["apiUrl"] !== undefined && !api))
    return undefined;
  return {
    name,
    title: readField(fields, "title") ?? preset?.title ?? name,
    kind,
    issuer,
    clientId,
    secret,
    scope: readField(fields, "scope") ?? preset?.scope ?? "openid email profile",
    answersByPost: preset?.answersByPost ?? false,
    endpoints: toEndpoints(kind, { site, api }),
  };
}

/** Microsoft's says which accounts may come in: `tenant` is a company's, or everybody's (common). */
function toIssuer(name: string, fields: JsonObject): string | undefined {
  const given = addressOf(fields, "issuer");
  if (fields["issuer"] !== undefined) return given;
  const issuer = presets[name]?.issuer;
  if (name !== "microsoft") return issuer;
  const tenant = readField(fields, "tenant") ?? "common";
  return /^[\w.-]{1,100}$/.test(tenant) ? `${issuer}/${tenant}/v2.0` : undefined;
}

function toSecret(fields: JsonObject): ClientSecret | undefined {
  const text = readField(fields, "clientSecret");
  if (text !== undefined) return { kind: "text", text };
  const [teamId, keyId, privateKey] = ["teamId", "keyId", "privateKey"].map((field) =>
    readField(fields, field),
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

function addressOf(fields: JsonObject, name: string): string | undefined {
  const text = readField(fields, name);
  const address = text === undefined ? undefined : authorityAddress.read(text);
  // Compared to the letter with what the provider says of itself, so without the slash that was added.
  return text !== undefined && !text.endsWith("/") ? address?.replace(/\/$/, "") : address;
}

function readField(fields: JsonObject, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" && value.length <= TEXT_LENGTH_MAX
    ? value
    : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
