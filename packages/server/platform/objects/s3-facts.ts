import type { ObjectFacts, ObjectMetadata } from "./objects.ts";

/** The metadata of an object as the SDK returns it. */
interface S3Facts {
  ContentType?: string | undefined;
  CacheControl?: string | undefined;
  ContentEncoding?: string | undefined;
  ContentLength?: number | undefined;
  ETag?: string | undefined;
}

/**
 * Converts the SDK's metadata. An object that was uploaded by hand may lack a type or a cache control, which
 * default to bytes and no caching, as in a folder.
 */
export function toFacts(key: string, found: S3Facts): ObjectFacts {
  const { ContentType, CacheControl, ContentEncoding, ContentLength, ETag } = found;
  if (ContentLength === undefined || !ETag)
    throw new Error(`the storage returned no size or no entity tag of ${key}`);
  const coding = toCoding(key, ContentEncoding);
  return {
    contentType: ContentType ?? "application/octet-stream",
    cacheControl: CacheControl ?? "no-cache",
    ...(coding && { contentEncoding: coding }),
    sizeBytes: ContentLength,
    etag: ETag,
  };
}

/** Some storage keeps `aws-chunked`, which describes the upload, with the object. */
const ignoredCodings = new Set(["", "identity", "aws-chunked"]);

function toCoding(key: string, header: string | undefined): ObjectMetadata["contentEncoding"] {
  const codings = (header ?? "").split(",").map((one) => one.trim().toLowerCase());
  const [coding, ...more] = codings.filter((one) => !ignoredCodings.has(one));
  if (coding === undefined) return undefined;
  if (more.length === 0 && (coding === "br" || coding === "gzip")) return coding;
  throw new Error(`${key} has the unsupported content coding ${header}`);
}
