import type { JsonObject } from "@avow/contract/json";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Ctx } from "../../../kernel/ctx.ts";
import { answerWrite } from "../../../http/write.ts";
import { type Document, toDocument, toEtag } from "./documents.ts";
import type { Resource } from "../schemas/resources.ts";
import { ServiceFields } from "@avow/contract/document";
import { findTierOf } from "./tiers.ts";
import type { VaultApp, Written } from "./vault.ts";

export const DocumentParams = Type.Object({
  documentId: Type.String({ maxLength: 64 }),
});
/** A document of this resource as it is answered: its own fields, and the service's. */
export function documentOut(resource: Resource) {
  const own = Type.Partial(resource.schema).properties;
  return Type.Object(
    { ...own, ...ServiceFields.properties },
    { additionalProperties: true, title: resource.type },
  );
}

/**
 * Documents are answered as they were stored, fields that no schema knows included, so nothing is
 * gained by serialising them through one: `toDocument` alone decides what is in them.
 */
export const asStored = { serializerCompiler: () => (data: unknown) => JSON.stringify(data) };

/** A document of this resource as it is sent. */
export function documentIn({ schema, type }: Resource) {
  return { ...schema, title: `${type}In` };
}

/** The parts of a route's documentation that all operations on a resource share; `_` stands for its type. */
export function describe({ type }: Resource, operation: string, summary: string) {
  const spoken = summary.replace(/\ba (?=[aeio])/, "an ");
  return { tags: ["vault"], operationId: operation.replace("_", type), summary: spoken };
}

/** The answer to a write: the document, and what was changed of it. */
export async function answerDocument(
  app: VaultApp,
  { req, reply, status = 200 }: { req: FastifyRequest; reply: FastifyReply; status?: number },
  write: (ctx: Ctx) => Promise<Written>,
): Promise<Document> {
  let etag = "";
  return answerWrite<Document>(
    {
      db: app.db,
      now: app.now,
      req,
      reply,
      status,
      headers: (document) => ({
        etag,
        ...(status === 201 ? { location: document.links["self"] ?? "" } : {}),
      }),
    },
    async (ctx) => {
      const { row, warnings } = await write(ctx);
      const tier = await findTierOf(ctx.tx, app, row, ctx.now);
      etag = toEtag(row, tier);
      return toDocument(row, { publicUrl: app.publicUrl, tier, warnings });
    },
  );
}

/** The body of a write, which its schema has shown to be an object. */
export function bodyOf(req: FastifyRequest): JsonObject {
  return req.body as JsonObject;
}
