import { INSTANT_FORMAT } from "@avow/contract/instants";

/** The parts of a JSON schema that an example depends on. */
export interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  minLength?: number;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

/** The parts of an operation that are completed here. */
export interface DocumentedOperation {
  parameters?: {
    in?: string;
    name?: string;
    required?: boolean;
    schema?: Schema;
    example?: unknown;
  }[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses?: Record<string, { $ref?: string; content?: Record<string, Content> }>;
}

const ID = "64f0c1a2b3c4d5e6f7a8b9c0";
const DEPTH_MAX = 6;
/** Example values by the name of a property or parameter. */
const values: Readonly<Record<string, unknown>> = {
  address: "1 High Street, Paris",
  accept: true,
  alt: "A blue bicycle",
  code: "492039",
  country: "FR",
  createdBy: ID,
  currency: "eur",
  cursor: "eyJpZCI6IjY0ZjAifQ",
  displayName: "Ada Lovelace",
  domain: "matomo.org",
  email: "ada@example.org",
  event: "consent.created",
  events: ["consent.created"],
  file: "https://shop.example/terms.pdf",
  firstName: "Ada",
  fullname: "Ada Lovelace",
  identifier: ID,
  invitationToken: "9Qm3bYt6vKzL0wXc",
  label: "Nightly export",
  language: "en",
  languages: ["en"],
  lastName: "Lovelace",
  locales: ["en"],
  message: "<p>May we count visits?</p>",
  name: "matomo",
  organization: "My Shop Ltd",
  origin: "consent.example/log",
  password: "correct horse battery staple",
  path: "/title",
  personalDataTypes: ["e-mail address"],
  phone: "+33 1 23 45 67 89",
  plan: "pro",
  policyUrl: "https://matomo.org/privacy-policy/",
  preferences: { vendors: { matomo: true } },
  provider: "google",
  purpose: "Sending our monthly newsletter",
  redirectURI: "https://app.example/signed-in",
  resetUrl: "https://app.example/reset",
  scopes: ["consents:read"],
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  status: "accepted",
  storageDuration: 36,
  title: "My shop",
  token: "visitor-1",
  uri: "https://crm.example/avow",
  url: "https://crm.example/avow",
  username: "ada@example.org",
  websiteURL: "https://shop.example",
};

/**
 * Adds an example to each parameter, JSON request body and JSON response of `operations`, in place. Examples are made
 * from the schemas and from values by name, so that they stay valid when a schema changes; a test validates them.
 */
export function addExamples(operations: readonly DocumentedOperation[], schemas: object): void {
  const named = schemas as Record<string, Schema>;
  for (const { parameters = [], requestBody, responses = {} } of operations) {
    for (const parameter of parameters)
      if (parameter.schema) parameter.example ??= toExample(parameter.schema, parameter.name ?? "");
    const contents = [requestBody, ...Object.values(responses)].map((one) => one?.content ?? {});
    for (const { "application/json": json } of contents)
      if (json?.schema) json.example = toExample(json.schema, "");
  }

  function toExample(schema: Schema, name: string, depth = 0): unknown {
    const { $ref, anyOf = [], type } = schema;
    if ($ref) return toExample(named[$ref.split("/").at(-1) ?? ""] ?? {}, name, depth);
    if ("const" in schema) return schema.const;
    if (schema.examples) return schema.examples[0];
    if (schema.enum) return schema.enum.includes(values[name]) ? values[name] : schema.enum[0];
    if (schema.default !== undefined) return schema.default;
    const form = anyOf.find((one) => one.type !== "null") ?? anyOf[0];
    if (form && !schema.properties) return toExample(form, name, depth);
    switch ([type].flat()[0]) {
      case "object":
        return toObject(schema, depth);
      case "array":
        return toArray(schema, name, depth);
      case "string":
        return toText(schema, name);
      case "integer":
      case "number":
        return typeof values[name] === "number" ? values[name] : Math.max(schema.minimum ?? 1, 1);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return values[name] ?? {};
    }
  }

  function toObject({ properties = {}, anyOf = [], ...own }: Schema, depth: number): object {
    const required = new Set([...(own.required ?? []), ...(anyOf[0]?.required ?? [])]);
    const entries = Object.entries(properties).filter(
      ([name]) => required.has(name) || (depth < DEPTH_MAX && name in values),
    );
    return Object.fromEntries(
      entries.map(([name, one]) => [name, toExample(one, name, depth + 1)]),
    );
  }

  function toArray({ items, minItems = 0 }: Schema, name: string, depth: number): unknown[] {
    if (Array.isArray(values[name])) return values[name];
    if (!items || (depth >= DEPTH_MAX && minItems === 0)) return [];
    return [toExample(items, name, depth + 1)];
  }

  function toText({ format, pattern, minLength = 0 }: Schema, name: string): string {
    if (format === "date-time") return "2026-03-01T09:30:00.000Z";
    if (format === INSTANT_FORMAT) return "2026-01-31";
    if (format === "uuid") return "0195510a-4b40-7000-8000-000000000001";
    if (pattern === "^[0-9a-f]{24}$" || /^_?id$|Id$/.test(name)) return ID;
    const value = values[name];
    if (typeof value === "string") return value;
    if (pattern?.includes("http")) return "https://shop.example/";
    return name.padEnd(minLength, "x") || "text";
  }
}
