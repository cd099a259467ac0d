import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Http } from "../http.ts";
import { openCodings } from "./codings.ts";
import { isUnchanged } from "./etags.ts";
import type { CachedObjects } from "../../platform/objects/cached.ts";
import { mayBeCoded, toCodedKey } from "../../platform/objects/coded.ts";
import { type ObjectFacts, type Objects, isObjectKey } from "../../platform/objects/objects.ts";

const PublishedParams = Type.Object({ projectId: Type.String() });

export interface PublishedFilesOptions {
  objects: Pick<Objects, "findObject" | "openObject">;
  readFirst: CachedObjects["readFirst"];
  /** The path of the files, with both slashes: `/cdn/`. */
  prefix: string;
  /** The prefix of keys in the same storage that are not served. */
  hidden?: string;
}

/**
 * Serves published objects to every origin as a CDN would: with the stored content type and cache control, and
 * in a content coding that the client accepts, where one was prepared (see `putCoded`). Small objects are served from
 * memory; of others, a conditional request reads only the metadata. Only object keys are looked up, so hidden and temporary files, folders and path
 * traversals are not found. An object that is replaced during a response is sent as it was opened.
 */
export function registerPublishedFiles(
  http: Http,
  { objects, readFirst, prefix, hidden }: PublishedFilesOptions,
): void {
  const preferCoding = openCodings();
  /** The keys to look up: of the preferred content coding, then of the file without coding. */
  const listPreferred = (request: FastifyRequest, key: string): string[] => {
    const coding = mayBeCoded(key) ? preferCoding(request) : "identity";
    return coding === "identity" ? [key] : [toCodedKey(key, coding), key].filter(isObjectKey);
  };
  void http.register(async (scope) => {
    scope.addHook("onRequest", (_request, reply, done) => {
      void reply.headers(fileHeaders);
      done();
    });
    scope.get<{ Params: { "*": string } }>(
      `${prefix}*`,
      {
        config: {
          cors: "any",
          log: "failures",
          documented: { url: `${prefix}:projectId.json`, params: PublishedParams },
        },
        schema: {
          tags: ["files"],
          operationId: "getPublishedFile",
          summary: "Get the live configuration of a project",
          description:
            "The newest publication, cached for a minute. `{projectId}/{hash}.json` is a version that never changes; `staging/` is the prefix of staging.",
          response: { 200: Type.Object({}, { additionalProperties: true }) },
        },
      },
      async (request, reply) => {
        const key = request.params["*"];
        if (!isObjectKey(key) || (hidden && key.startsWith(hidden))) return reply.callNotFound();
        const keys = listPreferred(request, key);
        const cached = await readFirst(keys);
        if (!cached) return reply.callNotFound();
        const isConditional = request.headers["if-none-match"] !== undefined;
        if (cached !== "uncached") {
          const isKnown = isConditional && isUnchanged(request, reply, cached.etag);
          return isKnown ? answerKnown(reply, cached) : answerFile(reply, cached, cached.bytes);
        }
        if (isConditional) {
          const known = await findFirst(keys, (one) => objects.findObject(one));
          if (known && isUnchanged(request, reply, known.etag)) return answerKnown(reply, known);
        }
        const object = await findFirst(keys, (one) => objects.openObject(one));
        return object ? answerFile(reply, object, object.body) : reply.callNotFound();
      },
    );
  });
}

/**
 * Prevents scripts and styles in files that browsers open as documents, which are SVG and PDF. Pictures in pages keep
 * their styles.
 */
export const filePolicy = "default-src 'none'; sandbox";

const fileHeaders = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
  "content-security-policy": filePolicy,
};

/** Answers a client that has the file. */
function answerKnown(reply: FastifyReply, { cacheControl }: ObjectFacts): FastifyReply {
  return reply.headers({ "cache-control": cacheControl, vary: "accept-encoding" }).code(304).send();
}

function answerFile(
  reply: FastifyReply,
  { etag, contentEncoding, contentType, cacheControl, sizeBytes }: ObjectFacts,
  body: Buffer | Readable,
): FastifyReply {
  void reply.headers({ etag, "cache-control": cacheControl, vary: "accept-encoding" });
  if (contentEncoding) void reply.header("content-encoding", contentEncoding);
  return reply.header("content-length", sizeBytes).type(contentType).send(body);
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
