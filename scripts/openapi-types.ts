import { join } from "node:path";

/** The operations of `@avow/client`: their types, methods and paths. */
export const operationsFile = join(import.meta.dirname, "../packages/client/operations.ts");

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  description?: string;
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

interface OperationObject {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** The parts of an OpenAPI document that this file uses. */
export interface Document {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

const header = `// Written by npm run openapi from docs/reference/openapi.json: change the routes' schemas instead.

/** An operation: its method and path, and in its type its input and output. */
export type Operation<Input, Output> = readonly [method: string, path: string] & {
  readonly input?: Input;
  readonly output?: Output;
};
`;

/**
 * TypeScript for an OpenAPI 3.1 document: a type for each named schema, and a constant for each operation,
 * which bundlers can tree-shake. Throws on an unknown construct rather than generate a type that is too
 * narrow.
 */
export function toOperationsText({ paths, components }: Document): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${toType(schema)};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => toOperation(method, path, declared)),
  );
  return [header, ...types, ...operations.toSorted()].join("\n");
}

function toOperation(method: string, path: string, declared: OperationObject): string {
  const { operationId, summary, parameters = [], requestBody, responses } = declared;
  const parts = (["path", "query"] as const).flatMap((place) => {
    const own = parameters.filter((one) => one.in === place);
    if (own.length === 0) return [];
    const isNeeded = own.some(({ required }) => required);
    const fields = own.map(
      ({ name, required, schema }) => `${toKey(name)}${required ? "" : "?"}: ${toType(schema)}`,
    );
    return [`${place}${isNeeded ? "" : "?"}: { ${fields.join("; ")} }`];
  });
  const bodies = Object.entries(requestBody?.content ?? {});
  const json = bodies.find(([type]) => type === "application/json")?.[1].schema;
  const body = json ? toType(json) : "Blob | FormData | ReadableStream<Uint8Array>";
  if (bodies.length > 0) parts.push(`body${requestBody?.required ? "" : "?"}: ${body}`);
  const given = parts.length > 0 ? `{ ${parts.join("; ")} }` : "undefined";
  const answers = Object.entries(responses)
    // A GET that is 202 has no result yet: the client throws.
    .filter(([status]) => /^2\d\d$/.test(status) && !(method === "get" && status === "202"))
    .flatMap(([, { content }]) => content?.["application/json"]?.schema ?? []);
  const output = [...new Set(answers.map(toType))].join(" | ") || "null";
  const target = `["${method.toUpperCase()}", "${path}"]`;
  return `/** ${summary}. */\nexport const ${operationId}: Operation<${given}, ${output}> = ${target};\n`;
}

function toType(schema: Schema): string {
  const { $ref, enum: values, anyOf, type } = schema;
  if ($ref !== undefined) return toName($ref);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf) return anyOf.map(toType).join(" | ");
  if (type === undefined && !schema.properties) return "unknown";
  return [type ?? "object"]
    .flat()
    .map((one) => toTypeOf(one, schema))
    .join(" | ");
}

function toTypeOf(type: string, schema: Schema): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${schema.items ? toType(schema.items) : "unknown"})[]`;
    case "object":
      return toObject(schema);
    default:
      throw new Error(`Unknown JSON Schema type: ${type}`);
  }
}

function toObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description ? `/** ${toComment(schema.description)} */ ` : "";
    return `${comment}${toKey(name)}${required.includes(name) ? "" : "?"}: ${toType(schema)}`;
  });
  const own = `{ ${fields.join("; ")} }`;
  if (additionalProperties === undefined || additionalProperties === false)
    return fields.length > 0 ? own : "object";
  const rest = additionalProperties === true ? "unknown" : toType(additionalProperties);
  const record = `{ [name: string]: ${rest} }`;
  if (fields.length === 0) return record;
  // An index signature of any other type would contradict the fields.
  return rest === "unknown" ? `${own} & ${record}` : own;
}

function toName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function toKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function toComment(text: string): string {
  return text.replaceAll("*/", "*\\/").replaceAll("\n", " ");
}
