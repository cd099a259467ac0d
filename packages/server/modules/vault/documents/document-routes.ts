import type { JsonObject } from "@avow/contract/json";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Ctx } from "../../../kernel/ctx.ts";
import { answerWrite } from "../../../http/write.ts";
import { type Document, toDocument, toEtag } from "./documents.ts";
import type { Resource } from "../schemas/resources.ts";
import { ServiceFields } from "@avow/contract/document";
import { findTierOf } from "./tiers.ts";
import type { VaultApp, WriteResult } from "./vault.ts";

export const DocumentParams = Type.Object({
  documentId: Type.String({ maxLength: 64 }),
});
/** The schema of a document in responses: its own fields and the service's. */
export function documentOut(resource: Resource) {
  const own = Type.Partial(resource.schema).properties;
  return Type.Object(
    { ...own, ...ServiceFields.properties },
    { additionalProperties: true, title: resource.type },
  );
}

/**
 * Documents are returned as stored, including fields without a schema, so serializing by a schema would gain
 * nothing. `toDocument` alone decides their content.
 */
export const asStored = { serializerCompiler: () => (data: unknown) => JSON.stringify(data) };

/** The schema of a document in requests. */
export function documentIn({ schema, type }: Resource) {
  return { ...schema, title: `${type}In` };
}

/** The common documentation of a route; `_` in the operation stands for the resource's type. */
export function describe(
  { type }: Resource,
  { operation, summary, description }: Record<"operation" | "summary" | "description", string>,
) {
  const corrected = summary.replace(/\ba (?=[aeio])/, "an ");
  const operationId = operation.replace("_", type);
  return { tags: ["vault"], operationId, summary: corrected, description };
}

/** Runs a write and returns the document with its warnings. */
export async function answerDocument(
  app: VaultApp,
  { req, reply, status = 200 }: { req: FastifyRequest; reply: FastifyReply; status?: number },
  write: (ctx: Ctx) => Promise<WriteResult>,
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

/** The body of a write. Its schema has already validated that it is an object. */
export function bodyOf(req: FastifyRequest): JsonObject {
  return req.body as JsonObject;
}
