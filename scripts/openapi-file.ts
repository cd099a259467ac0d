import { join } from "node:path";

/** The interface as it is committed, for readers and for clients that are made from it. */
export const openApiFile = join(import.meta.dirname, "../docs/reference/openapi.json");

/** The address that the committed document names: where `npm start` serves. */
export const openApiServer = "http://127.0.0.1:8080";

/** The text of `openApiFile` for a document that a service answered, wherever that one listens. */
export function toOpenApiText(document: object): string {
  return `${JSON.stringify({ ...document, servers: [{ url: openApiServer }] }, undefined, 2)}\n`;
}
