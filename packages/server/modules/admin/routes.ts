import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Config } from "../../config/config.ts";
import { paths } from "@avow/contract/urls";
import { preferCoding } from "../../http/files/codings.ts";
import { isUnchanged } from "../../http/files/etags.ts";
import type { Http } from "../../http/http.ts";
import type { BrowserFiles } from "../../platform/browser-files.ts";
import { type AdminFile, toAdminFiles } from "./files.ts";

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

const pageHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
};
const partHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin",
};
/** The preview has an opaque origin, so its files are cross-origin. */
const previewPartHeaders = { ...partHeaders, "cross-origin-resource-policy": "cross-origin" };
const previewPart = /^preview-/;

/**
 * Serves the admin app: one page for every address below `/admin`, its files as immutable, and the preview page,
 * which shows drafts with the real widget.
 */
export function registerAdminRoutes(
  http: Http,
  app: { publicUrl: string; config: Pick<Config, "cdnUrl">; files: BrowserFiles },
): void {
  const { publicUrl, config, files } = app;
  const base = new URL(publicUrl).pathname.replace(/\/$/, "");
  const { page, preview, parts } = toAdminFiles(files, base);
  for (const path of [paths.admin, paths.adminScreen])
    http.get(path, route, (req, reply) => answer(req, reply.headers(pageHeaders), page));
  const previewHeaders = toPreviewHeaders(new URL(config.cdnUrl).origin);
  http.get(paths.preview, route, (req, reply) =>
    answer(req, reply.headers(previewHeaders), preview),
  );
  http.get(
    paths.adminFile,
    { schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
    (req, reply) => {
      const part = parts.get(req.params.name);
      if (!part) return reply.callNotFound();
      const headers = previewPart.test(req.params.name) ? previewPartHeaders : partHeaders;
      return answer(req, reply.headers(headers), part);
    },
  );
}

/**
 * Headers of the preview page, which gets drafts from the app that frames it. Its opaque origin gives it no cookies and
 * no storage, and it loads only the widget and images of this service.
 */
function toPreviewHeaders(cdn: string): Record<string, string> {
  return {
    "cache-control": "no-cache",
    "content-security-policy": [
      "default-src 'none'",
      `script-src 'self' ${cdn}`,
      "style-src 'self'",
      `img-src 'self' ${cdn}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types avow",
      "sandbox allow-scripts",
    ].join("; "),
    "cross-origin-resource-policy": "same-origin",
  };
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
