import { DocumentedInstant } from "@avow/contract/instants";
import { type DocumentedOperation, type Schema, addExamples } from "./examples.ts";

/** The parts of an OpenAPI 3.1 document that `finishDocument` changes. */
interface Document {
  paths?: unknown;
  components?: object;
}

type Operation = DocumentedOperation;

type Json = Record<string, unknown>;

/**
 * Completes the document generated from the routes' schemas, in place: marks optional parameters and bodies,
 * describes headers, and moves the problem and every schema with a title to the components.
 */
export function finishDocument(document: Document): void {
  const methods = (document.paths ?? {}) as Record<string, Record<string, Operation>>;
  const operations = Object.values(methods).flatMap((path) => Object.values(path));
  operations.forEach(markOptional);
  for (const [path, declared] of Object.entries(methods))
    for (const [method, operation] of Object.entries(declared))
      describeHeaders(method, path, operation);
  const problem = shareProblem(operations);
  const headers = { ...requestId, "Retry-After": text("Seconds to wait, with 429 and 503.") };
  const responses = { Problem: Object.assign(problem, { headers }) };
  const schemas: Json = { Instant: { ...DocumentedInstant } };
  nameSchemas(methods, schemas);
  nameSchemas(responses, schemas);
  addExamples(operations, schemas);
  document.components = { ...document.components, schemas, responses };
}

/** A parameter with a default is optional, and so is a body that may be null: a missing one is validated as null. */
function markOptional({ parameters = [], requestBody }: Operation): void {
  for (const parameter of parameters)
    if (parameter.schema && "default" in parameter.schema) parameter.required = false;
  for (const content of Object.values(requestBody?.content ?? {})) {
    const given = content.schema && withoutNull(content.schema);
    if (!given || !requestBody) continue;
    content.schema = given;
    requestBody.required = false;
  }
}

/** The other type of a schema that may be null; undefined for any other schema. */
function withoutNull(schema: Schema): Schema | undefined {
  const [form, ...others] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (schema.anyOf?.length === 2 && others.length === 0) return form;
  const [type, ...types] = [schema.type ?? []].flat().filter((one) => one !== "null");
  const isNullable = types.length === 0 && Array.isArray(schema.type) && schema.type.length === 2;
  return isNullable && type !== undefined ? { ...schema, type } : undefined;
}

const text = (description: string) => ({ description, schema: { type: "string" } });
const header = (name: string, description: string) => ({
  in: "header",
  name,
  required: false,
  ...text(description),
});
const count = (description: string) => ({ description, schema: { type: "integer" } });

const requestId = { "X-Request-Id": text("The id of this request in the service's log.") };
const retryAfter = { "Retry-After": count("Seconds to wait.") };
const pageHeaders = {
  "X-Total-Count": count("Number of items of the whole list."),
  "X-Page": count("1-based."),
  "X-Per-Page": count("Maximum number of items on a page."),
  "X-Last-Page": count("1 for an empty list."),
  Link: text("RFC 8288: first, prev, next, last."),
};
const etag = { ETag: text("The version of the resource.") };

/** Adds the headers of the shared mechanisms (wire section 0) to the operations that use them. */
function describeHeaders(method: string, path: string, operation: Operation): void {
  const parameters = (operation.parameters ??= []);
  // Operations without idempotency: their answers are not stored.
  const isKeyless = /\/(signin|logout|billing\/webhook|tickets\/\{projectId\})$/.test(path);
  const isVersioned =
    /\{(documentId|id)\}(\/versions\/\{version\}\/restore)?\/?$/.test(path) &&
    /^\/v1\/(vault|content|client)\//.test(path);
  if (method === "post" && !isKeyless)
    parameters.push(
      header("Idempotency-Key", "A retry with the same key and body gets the first answer."),
    );
  if (isVersioned && method === "get")
    parameters.push(header("If-None-Match", "Answers 304 when this is the current version."));
  if (isVersioned && method !== "get")
    parameters.push(header("If-Match", "Answers 412 when this is not the current version."));
  const isPaged = parameters.some(({ in: place, name }) => place === "query" && name === "page");
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (!status.startsWith("2") || typeof response !== "object" || response === null) continue;
    if (status === "202" && method === "get") {
      const description = "Still being made: repeat the request after `Retry-After`.";
      Object.assign(response, { headers: { ...requestId, ...retryAfter }, description });
      continue;
    }
    const headers = {
      ...requestId,
      ...(isPaged ? pageHeaders : {}),
      ...(isVersioned && method !== "delete" ? etag : {}),
    };
    Object.assign(response, { headers, description: descriptionOf(status) });
  }
}

function descriptionOf(status: string): string {
  const named: Record<string, string> = { 201: "Created.", 202: "Accepted.", 204: "Done." };
  return named[status] ?? "Success.";
}

/** Replaces the problem of each operation by a reference to one shared response. */
function shareProblem(operations: readonly Operation[]): object {
  let problem: object | undefined;
  for (const { responses = {} } of operations)
    for (const status of ["4XX", "5XX"].filter((name) => name in responses)) {
      problem ??= responses[status] as object;
      responses[status] = { $ref: "#/components/responses/Problem" };
    }
  return problem ?? {};
}

/**
 * Moves each schema with a title to `schemas`, inner ones first, and replaces it by a reference. A description that differs
 * from the named schema's stays beside the reference.
 */
function nameSchemas(node: unknown, schemas: Json): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    nameSchemas(child, schemas);
    const title = toSchemaTitle(child);
    if (title === undefined) continue;
    const { description, ...shape } = child as Json;
    const { description: named, ...known } = (schemas[title] ??= child) as Json;
    if (JSON.stringify(known) !== JSON.stringify(shape))
      throw new Error(`two schemas have the title ${title}`);
    const own = description === undefined || description === named ? {} : { description };
    (node as Json)[key] = { $ref: `#/components/schemas/${title}`, ...own };
  }
}

function toSchemaTitle(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null || !("title" in node)) return undefined;
  const isSchema = "type" in node && typeof node.type === "string";
  return isSchema && typeof node.title === "string" ? node.title : undefined;
}
