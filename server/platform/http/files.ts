import type { Http } from "./http.ts";
import type { Coding } from "../encode.ts";
import { openCompressor, preferCoding } from "./codings.ts";
import { isUnchanged } from "./etags.ts";
import { type Objects, type StoredObject, isObjectKey } from "../objects/objects.ts";

export interface PublishedFilesOptions {
  objects: Pick<Objects, "findObject">;
  /** The path that the files answer under, with both slashes: `/cdn/`. */
  prefix: string;
}

/** Of what is compressed already, or so short that a packet holds it, nothing is gained. */
const compressiblePattern = /^(?:text\/|application\/(?:json|javascript))/;
const COMPRESSED_BYTES_MIN = 1_024;

/**
 * Serves published objects, for every origin, as a content network would: with the content type and
 * the cache control that they were put with, texts compressed as the caller understands it. Only object
 * keys are looked up, so hidden and temporary files, folders and paths that lead out are not found. An
 * object is read whole before it is answered: what looks at a file's size first and reads it later (as
 * static file servers do) cuts a file short that is replaced in between.
 */
export function registerPublishedFiles(
  http: Http,
  { objects, prefix }: PublishedFilesOptions,
): void {
  const compressor = openCompressor();
  void http.register(async (scope) => {
    scope.addHook("onRequest", async (_request, reply) => {
      void reply.headers({
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
      });
    });
    scope.get<{ Params: { "*": string } }>(
      `${prefix}*`,
      { config: { access: "public", cors: "any" }, schema: { hide: true } },
      async (request, reply) => {
        const key = request.params["*"];
        const object = isObjectKey(key) ? await objects.findObject(key) : undefined;
        if (!object) return reply.callNotFound();
        void reply.headers({ "cache-control": object.cacheControl, vary: "accept-encoding" });
        const coding = isCompressible(object) ? preferCoding(request) : "identity";
        if (isUnchanged(request, reply, toCodedEtag(object.etag, coding)))
          return reply.code(304).send();
        if (coding !== "identity") void reply.header("content-encoding", coding);
        return reply.type(object.contentType).send(await compressor.compress(object, coding));
      },
    );
  });
}

function isCompressible({ bytes, contentType }: StoredObject): boolean {
  return bytes.length >= COMPRESSED_BYTES_MIN && compressiblePattern.test(contentType);
}

/** Strong tags tell codings apart (RFC 9110, 8.8.1). */
function toCodedEtag(etag: string, coding: Coding): string {
  return coding === "identity" ? etag : etag.replace(/"$/, `-${coding}"`);
}
