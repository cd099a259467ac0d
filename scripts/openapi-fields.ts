import { join } from "node:path";

/** What forms of the admin app know of the fields of documents. */
export const fieldsFile = join(import.meta.dirname, "../admin/api/fields.ts");

type Schema = Record<string, unknown>;

const header = `// Written by npm run openapi from docs/openapi.json: change the vault's schemas instead.

/** A value as its schema (JSON Schema) declares it, as far as forms need it. */
export interface FieldSchema {
  type?: string;
  enum?: readonly string[];
  anyOf?: readonly FieldSchema[];
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  items?: FieldSchema;
  additionalProperties?: boolean | FieldSchema;
  description?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxItems?: number;
  /** Layouts of steps that alone have it. */
  "x-layouts"?: readonly string[];
  title?: string;
}

/** Documents that have forms, by the vault's resource. */
`;

const documents = {
  projects: "ProjectIn",
  cookies: "CookieConfigurationIn",
  processings: "ProcessingIn",
  contracts: "ContractIn",
};

/** TypeScript with the schemas of the documents that the admin app has forms for, each written out whole. */
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
