import { join } from "node:path";

/** The committed OpenAPI document, for readers and for generated clients. */
export const openApiFile = join(import.meta.dirname, "../docs/reference/openapi.json");

/** The server address in the committed document: the default of `npm start`. */
export const openApiServer = "http://127.0.0.1:8080";

/** The text of `openApiFile` for a document of a running service, whatever its address. */
export function toOpenApiText(document: object): string {
  return `${JSON.stringify({ ...document, servers: [{ url: openApiServer }] }, undefined, 2)}\n`;
}
