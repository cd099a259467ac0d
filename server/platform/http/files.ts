import type { Http } from "./http.ts";
import { isUnchanged } from "./etags.ts";
import { type Objects, isObjectKey } from "../objects/objects.ts";

export interface PublishedFilesOptions {
  objects: Pick<Objects, "findObject">;
  /** The path that the files answer under, with both slashes: `/cdn/`. */
  prefix: string;
}

/**
 * Serves published objects, for every origin, as a content network would: with the content type and
 * the cache control that they were put with. Only object keys are looked up, so hidden and
 * temporary files, folders and paths that lead out are not found. An object is read whole before it
 * is answered: what looks at a file's size first and reads it later (as static file servers do) cuts
 * a file short that is replaced in between.
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
      });
    });
    scope.get<{ Params: { "*": string } }>(
      `${prefix}*`,
      { config: { access: "public", cors: "any" }, schema: { hide: true } },
      async (request, reply) => {
        const key = request.params["*"];
        const object = isObjectKey(key) ? await objects.findObject(key) : undefined;
        if (!object) return reply.callNotFound();
        void reply.header("cache-control", object.cacheControl);
        if (isUnchanged(request, reply, object.etag)) return reply.code(304).send();
        return reply.type(object.contentType).send(object.bytes);
      },
    );
  });
}
