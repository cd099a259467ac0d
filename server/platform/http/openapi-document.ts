/** The parts of an OpenAPI 3.1 document that are finished here. */
interface Document {
  paths?: unknown;
  components?: object;
}

interface Operation {
  responses?: Record<string, unknown>;
  parameters?: { required?: boolean; schema?: object }[];
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
  const responses = { Problem: shareProblem(operations) };
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

/** The problems of all operations are one and the same. */
function shareProblem(operations: readonly Operation[]): unknown {
  let problem: unknown;
  for (const { responses = {} } of operations)
    for (const status of ["4XX", "5XX"].filter((name) => name in responses)) {
      problem ??= responses[status];
      responses[status] = { $ref: "#/components/responses/Problem" };
    }
  return problem;
}

/** Moves each schema that has a title to `schemas`, inner ones first, and refers to it there. */
function nameSchemas(node: unknown, schemas: Json): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    nameSchemas(child, schemas);
    const title = titleOf(child);
    if (title === undefined) continue;
    const known = schemas[title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(child))
      throw new Error(`two schemas have the title ${title}`);
    schemas[title] = child;
    (node as Json)[key] = { $ref: `#/components/schemas/${title}` };
  }
}

function titleOf(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null || !("title" in node)) return undefined;
  const isSchema = "type" in node && typeof node.type === "string";
  return isSchema && typeof node.title === "string" ? node.title : undefined;
}
