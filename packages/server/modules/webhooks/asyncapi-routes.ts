import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import { toAsyncApi } from "./asyncapi.ts";

/** Registers the description of what webhooks tell. */
export function registerAsyncApiRoute(http: Http, publicUrl: string): void {
  const document = toAsyncApi(publicUrl);
  http.get(
    paths.asyncapi,
    {
      config: { cors: "any" },
      schema: {
        tags: ["webhooks"],
        operationId: "getAsyncapi",
        summary: "What webhooks tell, as an AsyncAPI 3 document",
        response: { 200: Type.Object({}, { additionalProperties: true }) },
      },
    },
    async (_req, reply) => {
      void reply.header("cache-control", "public, max-age=300");
      return { ...document };
    },
  );
}
