import type { FastifyRequest } from "fastify";
import type { Http } from "./http.ts";
import type { Coding } from "../encode.ts";
import { preferCoding } from "./codings.ts";
import { isUnchanged } from "./etags.ts";
import { toCodedKey } from "../objects/coded.ts";
import { type Objects, type OpenedObject, isObjectKey } from "../objects/objects.ts";

export interface PublishedFilesOptions {
  objects: Pick<Objects, "openObject">;
  /** The path that the files answer under, with both slashes: `/cdn/`. */
  prefix: string;
}

/**
 * Serves published objects, for every origin, as a content network would: with the content type and
 * the cache control that they were put with, in the coding that the caller understands where one was
 * prepared (see `putCoded`). Only object keys are looked up, so hidden and temporary files, folders and
 * paths that lead out are not found. What is answered is read as it was when it was opened, also when it
 * is replaced meanwhile.
 */
export function registerPublishedFiles(
  http: Http,
  { objects, prefix }: PublishedFilesOptions,
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
      { config: { access: "public", cors: "any" }, schema: { hide: true } },
      async (request, reply) => {
        const object = await openPreferred(objects, request);
        if (!object) return reply.callNotFound();
        const { etag, contentEncoding, contentType, cacheControl, sizeBytes, body } = object;
        void reply.headers({
          "cache-control": cacheControl,
          vary: "accept-encoding",
        });
        if (isUnchanged(request, reply, etag)) {
          body.destroy();
          return reply.code(304).send();
        }
        if (contentEncoding) void reply.header("content-encoding", contentEncoding);
        return reply.header("content-length", sizeBytes).type(contentType).send(body);
      },
    );
  });
}

/** Of what opens as a page of its own, which is a vector image or a PDF, nothing runs. */
export const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The object in the coding that the caller wants most, or as it is where that was not prepared. */
async function openPreferred(
  objects: Pick<Objects, "openObject">,
  request: FastifyRequest<{ Params: { "*": string } }>,
): Promise<OpenedObject | undefined> {
  const key = request.params["*"];
  if (!isObjectKey(key)) return undefined;
  const coding: Coding = preferCoding(request);
  const codedKey = coding === "identity" ? undefined : toCodedKey(key, coding);
  const coded = codedKey && isObjectKey(codedKey) && (await objects.openObject(codedKey));
  return coded || objects.openObject(key);
}
