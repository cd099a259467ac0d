// Pages of the operations of each service, written from openapi.json when the site is built.
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  $ref?: string;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
    example?: unknown;
  }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}

export interface OpenApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

const file = join(import.meta.dirname, "../openapi.json");
const BASE = "https://consent.example";

export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
}

export default {
  watch: ["../openapi.json"],
  paths: () => {
    const document = readDocument();
    return document.tags.map(({ name, description }) => ({
      params: { tag: name },
      content: toPage(document, name, description),
    }));
  },
};

function toPage({ paths }: OpenApiDocument, tag: string, description: string): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const own = routes.filter(({ operation }) => operation.tags.includes(tag));
  return [
    `# Operations of ${tag}`,
    `${description} Each example follows the schema of its operation; [conventions](../api-conventions.md) apply to all.`,
    ...own.map(toSection),
  ].join("\n\n");
}

function toSection(route: Route): string {
  const { method, path, operation } = route;
  const { operationId, summary, description = "", parameters = [] } = operation;
  return [
    `## ${summary}`,
    `<a id="${operationId}"></a>\`${method.toUpperCase()} ${path}\` · \`${operationId}\` · ${toAccess(operation)}`,
    escape(description),
    toParameterTable(parameters),
    fence("sh", toCurl(route)),
    toResponse(operation),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function toAccess({ security = [] }: Operation): string {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.length === 0) return "public";
  if (schemes.includes("operator")) return "operator's token";
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  return isOptional ? "access token optional" : "access token";
}

function toParameterTable(parameters: NonNullable<Operation["parameters"]>): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    ({ name, in: location, required, description = "", schema }) =>
      `| \`${name}\` | ${location}${required ? ", required" : ""} | ${toType(schema)} | ${escape(description).replaceAll("\n", " ")} |`,
  );
  return ["| Parameter | In | Type | Meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function toType({ type, enum: values, $ref }: Schema): string {
  if (values) return values.map((value) => `\`${String(value)}\``).join(", ");
  return [type].flat().join(" or ") || ($ref?.split("/").at(-1) ?? "any");
}

function toCurl({ method, path, operation }: Route): string {
  const { parameters = [], requestBody, security = [] } = operation;
  const url = parameters
    .filter((one) => one.in === "path")
    .reduce(
      (text, { name, example }) =>
        text.replace(
          `{${name}}`,
          encodeURIComponent(
            typeof example === "string" || typeof example === "number" ? example : name,
          ),
        ),
      path,
    );
  const query = parameters
    .filter((one) => one.in === "query" && one.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const address = `${BASE}${url}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const lines = [`curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${address}"`];
  if (security.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"');
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type) lines.push(`-H "Content-Type: ${type}"`);
  if (body?.example !== undefined)
    lines.push(`-d '${JSON.stringify(body.example, null, 2).replaceAll("'", "'\\''")}'`);
  else if (type) lines.push("--data-binary @file");
  return lines.join(" \\\n  ");
}

function toResponse({ responses }: Operation): string {
  const [status, response] =
    Object.entries(responses).find(([code]) => /^[23]\d\d$/.test(code)) ?? [];
  const [type, content] = Object.entries(response?.content ?? {})[0] ?? [];
  if (!type) return `Response: ${status ?? "204"} without a body.`;
  if (content?.example === undefined) return `Response: ${status}, \`${type}\`.`;
  return `Response: ${status}\n\n${fence("json", JSON.stringify(content.example, null, 2))}`;
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Texts of the document are Markdown with `code`; braces and angle brackets outside of code are not Vue's. */
function escape(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part.replaceAll("<", "&lt;").replaceAll("{", "&#123;").replaceAll("|", "\\|"),
    )
    .join("");
}
