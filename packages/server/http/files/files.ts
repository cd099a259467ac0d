import type { FastifyRequest } from "fastify";
import type { Http } from "../http.ts";
import type { Coding } from "../../platform/text/encode.ts";
import { preferCoding } from "./codings.ts";
import { isUnchanged } from "./etags.ts";
import { mayBeCoded, toCodedKey } from "../../platform/objects/coded.ts";
import { type Objects, isObjectKey } from "../../platform/objects/objects.ts";

export interface PublishedFilesOptions {
  objects: Pick<Objects, "findObject" | "openObject">;
  /** The path that the files answer under, with both slashes: `/cdn/`. */
  prefix: string;
  /** What the keys begin with of what lies in the same storage and is not answered here. */
  hidden?: string;
}

/**
 * Serves published objects, for every origin, as a content network would: with the content type and
 * the cache control that they were put with, in the coding that the caller understands where one was
 * prepared (see `putCoded`). Of a file that the caller has, only the facts are read. Only object keys are looked up, so hidden and temporary files, folders and
 * paths that lead out are not found. What is answered is read as it was when it was opened, also when it
 * is replaced meanwhile.
 */
export function registerPublishedFiles(
  http: Http,
  { objects, prefix, hidden }: PublishedFilesOptions,
): void {
  void http.register(async (scope) => {
    scope.addHook("onRequest", async (_request, reply) => {
      void reply.headers({
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
        "content-security-policy": filePolicy,
      });
    });
    scope.get<{ Params: { "*": string } }>(
      `${prefix}*`,
      { config: { cors: "any" }, schema: { hide: true } },
      async (request, reply) => {
        const key = request.params["*"];
        if (!isObjectKey(key) || (hidden && key.startsWith(hidden))) return reply.callNotFound();
        const keys = listPreferred(request, key);
        if (request.headers["if-none-match"] !== undefined) {
          const known = await findFirst(keys, (one) => objects.findObject(one));
          if (known && isUnchanged(request, reply, known.etag))
            return reply
              .headers({ "cache-control": known.cacheControl, vary: "accept-encoding" })
              .code(304)
              .send();
        }
        const object = await findFirst(keys, (one) => objects.openObject(one));
        if (!object) return reply.callNotFound();
        const { etag, contentEncoding, contentType, cacheControl, sizeBytes, body } = object;
        void reply.headers({ etag, "cache-control": cacheControl, vary: "accept-encoding" });
        if (contentEncoding) void reply.header("content-encoding", contentEncoding);
        return reply.header("content-length", sizeBytes).type(contentType).send(body);
      },
    );
  });
}

/** Of what opens as a page of its own, which is a vector image or a PDF, nothing runs. */
export const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Where to look: for the coding that the caller wants most, then for the file as it is. */
function listPreferred(request: FastifyRequest, key: string): string[] {
  const coding: Coding = mayBeCoded(key) ? preferCoding(request) : "identity";
  return [...(coding === "identity" ? [] : [toCodedKey(key, coding)]), key].filter(isObjectKey);
}

async function findFirst<T>(
  keys: readonly string[],
  find: (key: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const key of keys) {
    const found = await find(key);
    if (found) return found;
  }
  return undefined;
}
