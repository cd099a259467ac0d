/** The parts of an OpenAPI 3.1 document that are finished here. */
interface Document {
  paths?: unknown;
  components?: object;
}

interface Operation {
  responses?: Record<string, unknown>;
  parameters?: { in?: string; name?: string; required?: boolean; schema?: object }[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: { type?: unknown } }> };
}

type Json = Record<string, unknown>;

/**
 * Finishes the document that the routes' schemas made, in place: what may be left out is said, the
 * problems are written once, and so is every schema with a title, as a component of that name.
 */
export function finishDocument(document: Document): void {
  const methods = (document.paths ?? {}) as Record<string, Record<string, Operation>>;
  const operations = Object.values(methods).flatMap((path) => Object.values(path));
  operations.forEach(tellOptional);
  for (const [path, declared] of Object.entries(methods))
    for (const [method, operation] of Object.entries(declared))
      tellHeaders(method, path, operation);
  const problem = shareProblem(operations);
  const headers = { ...requestId, "Retry-After": text("Seconds to wait, with 429 and 503.") };
  const responses = { Problem: Object.assign(problem, { headers }) };
  const schemas: Json = {};
  nameSchemas(methods, schemas);
  nameSchemas(responses, schemas);
  document.components = { ...document.components, schemas, responses };
}

/** What has a default may be left out, and so may a body that may be null. */
function tellOptional({ parameters = [], requestBody }: Operation): void {
  for (const parameter of parameters)
    if (parameter.schema && "default" in parameter.schema) parameter.required = false;
  const bodies = Object.values(requestBody?.content ?? {});
  const isOptional = bodies.some(({ schema }) => [schema?.type].flat().includes("null"));
  if (requestBody && isOptional) requestBody.required = false;
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
const pageHeaders = {
  "X-Total-Count": count("Items of the whole list."),
  "X-Page": count("1-based."),
  "X-Per-Page": count("Items on a page."),
  "X-Last-Page": count("1 for an empty list."),
  Link: text("RFC 8288: first, prev, next, last."),
};
const etag = { ETag: text("The version of what is answered.") };

/** What the shared mechanisms take and answer in headers (wire section 0), by where they are used. */
function tellHeaders(method: string, path: string, operation: Operation): void {
  const parameters = (operation.parameters ??= []);
  // They make something new each time, and keep nothing that could be answered again.
  const isKeyless = /\/(signin|logout|billing\/webhook|tickets\/\{projectId\})$/.test(path);
  const isVersioned =
    /\{(documentId|id)\}(\/versions\/\{version\}\/restore)?\/?$/.test(path) &&
    /^\/v1\/(vault|content|client)\//.test(path);
  if (method === "post" && !isKeyless)
    parameters.push(
      header("Idempotency-Key", "The same key and body give the first answer again."),
    );
  if (isVersioned && method === "get")
    parameters.push(header("If-None-Match", "304 when this is still the version."));
  if (isVersioned && method !== "get")
    parameters.push(header("If-Match", "412 when this is not the version any more."));
  const isPaged = parameters.some(({ in: place, name }) => place === "query" && name === "page");
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (!status.startsWith("2") || typeof response !== "object" || response === null) continue;
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
  return named[status] ?? "The answer.";
}

/** The problems of all operations are one and the same. */
function shareProblem(operations: readonly Operation[]): object {
  let problem: object | undefined;
  for (const { responses = {} } of operations)
    for (const status of ["4XX", "5XX"].filter((name) => name in responses)) {
      problem ??= responses[status] as object;
      responses[status] = { $ref: "#/components/responses/Problem" };
    }
  return problem ?? {};
}

/** Moves each schema that has a title to `schemas`, inner ones first, and refers to it there. */
function nameSchemas(node: unknown, schemas: Json): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    nameSchemas(child, schemas);
    const title = toSchemaTitle(child);
    if (title === undefined) continue;
    const known = schemas[title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(child))
      throw new Error(`two schemas have the title ${title}`);
    schemas[title] = child;
    (node as Json)[key] = { $ref: `#/components/schemas/${title}` };
  }
}

function toSchemaTitle(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null || !("title" in node)) return undefined;
  const isSchema = "type" in node && typeof node.type === "string";
  return isSchema && typeof node.title === "string" ? node.title : undefined;
}
