import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import type { Pending } from "../../platform/errors.ts";

/** The answer to a request for something that is still being made (wire section 9). */
export const PendingOut = Type.Object(
  {
    status: Type.Enum(["pending"]),
    detail: Type.String({
      examples: ["The consent is not in the log yet. Retry in a few seconds."],
    }),
    links: Type.Object({
      self: Type.String({
        description: "The same request.",
        examples: ["https://consent.example/v1/app/proofs/0195510a-4b40-7000-8000-000000000001"],
      }),
    }),
  },
  { title: "Pending", description: "Still being made: repeat the request after `Retry-After`." },
);
export type PendingOut = Static<typeof PendingOut>;

/** Answers with 202 and the address to ask again, which has no access token. */
export function answerPending(
  { message, retryAfterSeconds }: Pending,
  { req, reply, publicUrl }: { req: FastifyRequest; reply: FastifyReply; publicUrl: string },
): FastifyReply {
  const [path = "", search] = req.url.split("?", 2);
  const query = new URLSearchParams(search);
  query.delete("access_token");
  const self = `${publicUrl}${path}${query.size > 0 ? `?${query.toString()}` : ""}`;
  const pending: PendingOut = { status: "pending", detail: message, links: { self } };
  return reply
    .code(202)
    .type("application/json; charset=utf-8")
    .headers({ "retry-after": String(retryAfterSeconds), "cache-control": "no-store" })
    .serializer(JSON.stringify)
    .send(pending);
}
