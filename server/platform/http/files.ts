import fastifyStatic from "@fastify/static";
import { isObjectKey } from "../objects/objects.ts";
import type { Http } from "./http.ts";

/** A name that is the hash of the content: it can be kept for ever. */
const hashedPattern = /\/[0-9a-f]{64}\.[a-z0-9]+$/;
const hashedCacheControl = "public, max-age=31536000, immutable";
const pointerCacheControl = "public, max-age=60, stale-while-revalidate=600";

export interface PublishedFilesOptions {
  /** The folder of the objects' folder driver. */
  root: string;
  /** The path that the files answer under, with both slashes: `/cdn/`. */
  prefix: string;
}

/**
 * Serves published objects from their folder, for every origin, as a content network would
 * (wire section 3: immutable under the hash, a short life at `{projectId}.json`). Only object keys
 * are looked up, so hidden and temporary files, folders and paths that lead out are not found.
 */
export function registerPublishedFiles(http: Http, { root, prefix }: PublishedFilesOptions): void {
  void http.register(async (scope) => {
    await scope.register(fastifyStatic, { root, serve: false, index: false });
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
      (request, reply) => {
        const key = request.params["*"];
        if (!isObjectKey(key)) return reply.callNotFound();
        void reply.header(
          "cache-control",
          hashedPattern.test(key) ? hashedCacheControl : pointerCacheControl,
        );
        return reply.sendFile(key, { cacheControl: false });
      },
    );
  });
}
