import swagger from "@fastify/swagger";
import { type TSchema, Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../http.ts";
import { registerReference } from "./reference.ts";
import { finishDocument } from "./openapi-document.ts";
import { ProblemOut } from "../errors/problems.ts";

const tags = [
  { name: "auth", description: "Accounts, sign-in and access tokens." },
  { name: "vault", description: "Stores configurations as documents, with rights and versions." },
  { name: "publish", description: "Packages and publishes a project's configurations." },
  { name: "move-in", description: "Reads the public configuration of another consent product." },
  { name: "reviews", description: "Comments on a draft, and its approval before publication." },
  { name: "assets", description: "Stores uploaded files, and renders images from them." },
  { name: "app", description: "Collects consents from visitors, and lists them." },
  {
    name: "client",
    description: "Reads projects, tokens, consent states and histories; crawlable.",
  },
  { name: "webhooks", description: "Notifies other systems of events, signed and at least once." },
  { name: "log", description: "The public transparency log (C2SP tlog-tiles)." },
  { name: "files", description: "Files that browsers and auditors load." },
  { name: "billing", description: "Plans and subscriptions." },
  { name: "service", description: "The service itself." },
];

/**
 * Generates the OpenAPI 3.1 document and its reference page from the routes' schemas, and adds security and
 * problems to each route. Register it before the routes.
 */
export async function registerOpenApi(
  http: Http,
  { publicUrl, version }: { publicUrl: string; version: string },
): Promise<void> {
  http.addHook("onRoute", (route) => {
    if (!route.schema?.tags) return;
    const { access } = route.config?.rights ?? { access: "public" };
    const withToken = [{ bearer: [] }, { query: [] }];
    // `{}`: no token is required.
    route.schema.security ??= {
      public: [],
      optional: [{}, ...withToken],
      user: withToken,
      operator: [{ operator: [] }],
    }[access];
    const problem = {
      description: "A problem (RFC 9457).",
      content: { "application/problem+json": { schema: ProblemOut } },
    };
    route.schema.response = {
      ...toAnswers(route.schema.response, route.config?.streamed),
      "4xx": problem,
      "5xx": problem,
    };
  });
  await http.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Avow",
        version,
        description: "Consent you can prove: configure, publish, collect, read back.",
        contact: { name: "The operator of this service" },
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: publicUrl }],
      tags,
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "The access token of a sign-in." },
          query: { type: "apiKey", in: "query", name: "access_token" },
          metrics: { type: "http", scheme: "bearer", description: "The token of METRICS_TOKEN." },
          operator: {
            type: "http",
            scheme: "bearer",
            description: "The token of OPERATOR_TOKEN, or of a session of an operator's account.",
          },
        },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const { documented } = route.config ?? {};
      return documented
        ? { schema: { ...schema, params: documented.params }, url: documented.url }
        : { schema, url };
    },
    transformObject: (document) => {
      if (!("openapiObject" in document)) return document.swaggerObject;
      finishDocument(document.openapiObject);
      return document.openapiObject;
    },
  });
  http.get(
    paths.openapi,
    {
      config: { cors: "any" },
      schema: {
        tags: ["service"],
        operationId: "getOpenapi",
        summary: "Get this interface as an OpenAPI 3.1 document",
        description: "Generated from the routes; `/docs` shows it as a page.",
        response: { 200: Type.Object({}, { additionalProperties: true }) },
      },
    },
    async (_req, reply) => {
      void reply.header("cache-control", "public, max-age=300");
      return { ...http.swagger() };
    },
  );
  await registerReference(http);
}

/** The declared responses of a route, including the types that a list is streamed in. */
function toAnswers(declared: unknown, streamed: readonly string[] | undefined): object {
  const answers = (declared ?? {}) as { 200?: object };
  // A route that also answers HEAD is passed here twice, with the same schema.
  if (!streamed || (answers[200] && "content" in answers[200])) return answers;
  const contents = streamed.map((contentType) => {
    const [type = ""] = contentType.split(";", 1);
    return [type, { schema: toStreamed(type) }];
  });
  const json = answers[200] ? { "application/json": { schema: answers[200] } } : {};
  return { ...answers, 200: { content: { ...json, ...Object.fromEntries(contents) } } };
}

/** The schema of a streamed type: JSON-LD is one object, NDJSON is text. */
function toStreamed(type: string): TSchema {
  if (type.endsWith("+json")) return Type.Object({}, { additionalProperties: true });
  const isText = /^text\/|json$/.test(type);
  return Type.String(isText ? {} : { format: "binary" });
}
