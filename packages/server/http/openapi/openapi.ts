import swagger from "@fastify/swagger";
import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../http.ts";
import { registerReference } from "./reference.ts";
import { finishDocument } from "./openapi-document.ts";
import { ProblemOut } from "../errors/problems.ts";

const tags = [
  { name: "auth", description: "Accounts, sign-in and access tokens." },
  { name: "vault", description: "Every configuration: a document store with rights and versions." },
  { name: "publish", description: "Packages a project's configurations and puts them live." },
  { name: "assets", description: "Keeps uploaded files, and makes pictures of them." },
  { name: "app", description: "Collects consents from visitors, and lists them." },
  {
    name: "client",
    description: "Reads projects, tokens, consent states and histories; crawlable.",
  },
  { name: "webhooks", description: "Tells other systems what happens, signed and at least once." },
  { name: "billing", description: "Plans and subscriptions." },
  { name: "service", description: "The service itself." },
];

/**
 * Makes the OpenAPI 3.1 document and its reference page from the routes' own schemas. To be
 * registered before the routes. Every route gets its security and its problems from here.
 */
export async function registerOpenApi(
  http: Http,
  { publicUrl, version }: { publicUrl: string; version: string },
): Promise<void> {
  http.addHook("onRoute", (route) => {
    if (!route.url.startsWith("/v1") || !route.schema) return;
    const { access } = route.config?.rights ?? { access: "user" };
    const withToken = [{ bearer: [] }, { query: [] }];
    // An empty one says that none is needed.
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
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: publicUrl }],
      tags,
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "The token of a sign-in." },
          query: { type: "apiKey", in: "query", name: "access_token" },
          operator: { type: "http", scheme: "bearer", description: "The token of OPERATOR_TOKEN." },
        },
      },
    },
    hideUntagged: true,
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
        summary: "This interface as an OpenAPI 3.1 document",
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

/** The answers that a route declares; a list is answered as what it streams, too. */
function toAnswers(declared: unknown, streamed: readonly string[] | undefined): object {
  const answers = (declared ?? {}) as { 200?: object };
  // A route that answers HEAD too comes here twice, with the same schema.
  if (!streamed || (answers[200] && "content" in answers[200])) return answers;
  const contents = streamed.map((type) => [type.split(";", 1)[0], { schema: Type.String() }]);
  const json = answers[200] ? { "application/json": { schema: answers[200] } } : {};
  return { ...answers, 200: { content: { ...json, ...Object.fromEntries(contents) } } };
}
