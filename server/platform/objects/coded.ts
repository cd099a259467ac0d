import { encode } from "../encode.ts";
import type { ObjectIn, Objects } from "./objects.ts";

type PreparedCoding = "br" | "gzip";

const extensions: Record<PreparedCoding, string> = { br: "br", gzip: "gz" };
const prepared = Object.keys(extensions) as PreparedCoding[];
/** What a packet holds gains nothing. */
const CODED_BYTES_MIN = 1_024;
/** Brotli's best takes a second for each of so many bytes. */
const BEST_BYTES_MAX = 512 * 1024;
const QUALITY_BEST = 11;

/** Where an object lies in a content coding: beside it, as web servers look for files that are compressed already. */
export function toCodedKey(key: string, coding: PreparedCoding): string {
  return `${key}.${extensions[coding]}`;
}

/** Every key that `putCoded` may put something under, the one of the text as it is first. */
export function listCodedKeys(key: string): string[] {
  return [key, ...prepared.map((coding) => toCodedKey(key, coding))];
}

/**
 * Puts a text, compressed by brotli and gzip first and as it is last, each under a key of its own, so that
 * nobody compresses it again. Whoever goes on asking for one coding never sees an older one after a newer.
 */
export async function putCoded(
  objects: Pick<Objects, "putObject" | "deleteObject">,
  object: ObjectIn,
): Promise<void> {
  const { key, bytes } = object;
  const isShort = bytes.length < CODED_BYTES_MIN;
  const quality = bytes.length <= BEST_BYTES_MAX ? QUALITY_BEST : undefined;
  await Promise.all(
    prepared.map(async (coding) => {
      const codedKey = toCodedKey(key, coding);
      if (isShort) return objects.deleteObject(codedKey);
      const coded = await encode(Buffer.from(bytes), coding, quality);
      return objects.putObject({
        ...object,
        key: codedKey,
        bytes: coded,
        contentEncoding: coding,
      });
    }),
  );
  await objects.putObject(object);
}

/** Deletes what `putCoded` put: as it is first, then what is compressed. */
export async function deleteCoded(
  objects: Pick<Objects, "deleteObject">,
  key: string,
): Promise<void> {
  for (const one of listCodedKeys(key)) await objects.deleteObject(one);
}
