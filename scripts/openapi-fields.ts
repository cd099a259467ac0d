import { join } from "node:path";

/** The schemas of documents' fields for the admin app's forms. */
export const fieldsFile = join(import.meta.dirname, "../packages/admin/api/fields.ts");

type Schema = Record<string, unknown>;

const header = `// Written by npm run openapi from docs/reference/openapi.json: change the vault's schemas instead.

import type { FieldSchema } from "./field-schema.ts";

/** Documents that have forms, by the vault's resource. */
`;

const documents = {
  projects: "ProjectIn",
  cookies: "CookieConfigurationIn",
  processings: "ProcessingIn",
  contracts: "ContractIn",
};

/** TypeScript with the schemas of the documents that the admin app has forms for, without references. */
export function toFieldsText({ components }: { components: { schemas: object } }): string {
  const schemas = components.schemas as Record<string, Schema>;
  const writeOut = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(writeOut);
    if (typeof value !== "object" || value === null) return value;
    const { $ref } = value as Schema;
    if (typeof $ref === "string") return writeOut(schemas[$ref.slice($ref.lastIndexOf("/") + 1)]);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, writeOut(one)]));
  };
  const all = Object.entries(documents).map(([name, type]) => [name, writeOut(schemas[type])]);
  const text = JSON.stringify(Object.fromEntries(all));
  return `${header}export const fields: Readonly<Record<${Object.keys(documents)
    .map((name) => JSON.stringify(name))
    .join(" | ")}, FieldSchema>> = ${text};
`;
}
