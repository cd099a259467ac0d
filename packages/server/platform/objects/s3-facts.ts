import type { ObjectFacts, ObjectMetadata } from "./objects.ts";

/** What S3 answers of an object, in the SDK's words. */
interface S3Facts {
  ContentType?: string | undefined;
  CacheControl?: string | undefined;
  ContentEncoding?: string | undefined;
  ContentLength?: number | undefined;
  ETag?: string | undefined;
}

/**
 * The facts of an object as the port tells them. What was put there by hand may lack a type or a cache
 * control: it is then bytes, and not kept, as in a folder.
 */
export function toFacts(key: string, found: S3Facts): ObjectFacts {
  const { ContentType, CacheControl, ContentEncoding, ContentLength, ETag } = found;
  if (ContentLength === undefined || !ETag)
    throw new Error(`the storage tells no size or no entity tag of ${key}`);
  const coding = toCoding(key, ContentEncoding);
  return {
    contentType: ContentType ?? "application/octet-stream",
    cacheControl: CacheControl ?? "no-cache",
    ...(coding && { contentEncoding: coding }),
    sizeBytes: ContentLength,
    etag: ETag,
  };
}

/** Some keep `aws-chunked`, which is about how it was sent, with the object. */
const nothing = new Set(["", "identity", "aws-chunked"]);

function toCoding(key: string, header: string | undefined): ObjectMetadata["contentEncoding"] {
  const codings = (header ?? "").split(",").map((one) => one.trim().toLowerCase());
  const [coding, ...more] = codings.filter((one) => !nothing.has(one));
  if (coding === undefined) return undefined;
  if (more.length === 0 && (coding === "br" || coding === "gzip")) return coding;
  throw new Error(`${key} has the content coding ${header}, which nobody of us put`);
}
