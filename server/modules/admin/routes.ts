import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { paths } from "../../paths.ts";
import { preferCoding } from "../../platform/http/codings.ts";
import { isUnchanged } from "../../platform/http/etags.ts";
import type { Http } from "../../platform/http/http.ts";
import { type AdminFile, readAdminFiles } from "./files.ts";

const route = { schema: { hide: true } } as const;
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Of the page, whatever the screen: addresses of screens may hold what was mailed to somebody. */
const pageHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
};
const partHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin",
};

/** Serves the admin app: one page at every address below `/admin`, and its files, each for ever. */
export async function registerAdminRoutes(
  http: Http,
  { publicUrl }: { publicUrl: string },
): Promise<void> {
  const { page, parts } = await readAdminFiles(new URL(publicUrl).pathname.replace(/\/$/, ""));
  for (const path of [paths.admin, paths.adminScreen])
    http.get(path, route, (req, reply) => answer(req, reply.headers(pageHeaders), page));
  http.get(
    paths.adminFile,
    { schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
    (req, reply) => {
      const part = parts.get(req.params.name);
      return part ? answer(req, reply.headers(partHeaders), part) : reply.callNotFound();
    },
  );
}

async function answer(
  req: FastifyRequest,
  reply: FastifyReply,
  { type, etag, read }: AdminFile,
): Promise<FastifyReply> {
  const coding = preferCoding(req);
  void reply.header("vary", "accept-encoding");
  if (coding !== "identity") void reply.header("content-encoding", coding);
  if (isUnchanged(req, reply, `"${etag}-${coding}"`)) return reply.code(304).send();
  return reply.type(type).send(await read(coding));
}
