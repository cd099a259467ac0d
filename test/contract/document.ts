import { readFile, writeFile } from "node:fs/promises";
import { openApiFile } from "../../scripts/openapi-file.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

interface Content {
  schema?: object;
  example?: unknown;
}

interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  example?: unknown;
}

export interface DocumentedOperation {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

/** A path that the service answers and the document does not have; the control of the proxy. */
export const controlPath = "/v1/";
/** A member that no answer has. */
export const controlMember = "contractControl";

export async function readOpenApi(): Promise<OpenApi> {
  return JSON.parse(await readFile(openApiFile, "utf8")) as OpenApi;
}

/** Every operation as "GET /v1/path". */
export function listOperations({ paths }: OpenApi): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    methods.filter((method) => operations[method]).map((method) => toKey(method, path)),
  );
}

function toKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`;
}

export function getOperation({ paths }: OpenApi, key: string): DocumentedOperation {
  const [method = "", path = ""] = key.split(" ");
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document has no operation ${key}.`);
  return operation;
}

/** Writes the document with one operation whose answers cannot match, to see that the proxy validates. */
export async function writeWithControl(openApi: OpenApi, file: string): Promise<void> {
  const schema = { type: "object", required: [controlMember] };
  const responses = {
    200: { description: "The control.", content: { "application/json": { schema } } },
  };
  const paths = { ...openApi.paths, [controlPath]: { get: { operationId: "control", responses } } };
  await writeFile(file, JSON.stringify({ ...openApi, paths }));
}
