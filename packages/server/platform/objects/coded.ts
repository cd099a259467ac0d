import { decode, encode } from "../text/encode.ts";
import type { ObjectIn, Objects } from "./objects.ts";

type PreparedCoding = "br" | "gzip";

const extensions: Record<PreparedCoding, string> = { br: "br", gzip: "gz" };
/** Texts that are published; pictures and documents are compressed in themselves. */
const codedPattern = /\.js(?:on)?$/;
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

/** Whether something may lie beside an object in a content coding, which its key tells. */
export function mayBeCoded(key: string): boolean {
  return codedPattern.test(key);
}

/** Every key that `putCoded` may put something under, the one of the text as it is first. */
export function listCodedKeys(key: string): string[] {
  return [key, ...prepared.map((coding) => toCodedKey(key, coding))];
}

/** A text as it is put: in its codings, none where it is short, and as it is. */
export interface CodedObject {
  plain: ObjectIn;
  coded: ObjectIn[];
}

/** Compresses a text by brotli and gzip, so that it can be put at once. */
export async function toCoded(plain: ObjectIn): Promise<CodedObject> {
  const { key, bytes } = plain;
  if (bytes.length < CODED_BYTES_MIN) return { plain, coded: [] };
  const quality = bytes.length <= BEST_BYTES_MAX ? QUALITY_BEST : undefined;
  const coded = prepared.map(async (coding) => ({
    ...plain,
    key: toCodedKey(key, coding),
    bytes: await encode(Buffer.from(bytes), coding, quality),
    contentEncoding: coding,
  }));
  return { plain, coded: await Promise.all(coded) };
}

/**
 * Puts a text, compressed by brotli and gzip first and as it is last, each under a key of its own, so that
 * nobody compresses it again. Whoever goes on asking for one coding never sees an older one after a newer.
 */
export async function putCoded(
  objects: Pick<Objects, "putObject" | "deleteObject">,
  object: ObjectIn,
): Promise<void> {
  await putPrepared(objects, await toCoded(object));
}

/** The same, of what is compressed already. */
export async function putPrepared(
  objects: Pick<Objects, "putObject" | "deleteObject">,
  { plain, coded }: CodedObject,
): Promise<void> {
  if (!mayBeCoded(plain.key)) throw new Error(`nobody would look for ${plain.key} in a coding`);
  const made = new Set(coded.map(({ key }) => key));
  const [, ...others] = listCodedKeys(plain.key);
  await Promise.all([
    ...coded.map((one) => objects.putObject(one)),
    ...others.filter((key) => !made.has(key)).map((key) => objects.deleteObject(key)),
  ]);
  await objects.putObject(plain);
}

/**
 * Tells whether a text is there as `putCoded` puts it: as it is and in each coding, decoded, the same bytes,
 * told to be what they are; and in no coding where it is too short for one.
 */
export async function isCodedThere(
  objects: Pick<Objects, "openObject">,
  object: ObjectIn,
): Promise<boolean> {
  const isShort = object.bytes.length < CODED_BYTES_MIN;
  const found = await Promise.all([
    isThere(objects, object, undefined),
    ...prepared.map(async (coding) =>
      isShort
        ? !(await isTaken(objects, toCodedKey(object.key, coding)))
        : isThere(objects, object, coding),
    ),
  ]);
  return found.every(Boolean);
}

async function isTaken(objects: Pick<Objects, "openObject">, key: string): Promise<boolean> {
  const opened = await objects.openObject(key);
  opened?.body.destroy();
  return opened !== undefined;
}

async function isThere(
  objects: Pick<Objects, "openObject">,
  { key, bytes, contentType }: ObjectIn,
  coding: PreparedCoding | undefined,
): Promise<boolean> {
  const opened = await objects.openObject(coding ? toCodedKey(key, coding) : key);
  if (!opened) return false;
  const isTold = opened.contentEncoding === coding && opened.contentType === contentType;
  // What somebody else put there may be of any size; a coding is hardly longer than the text.
  if (!isTold || opened.sizeBytes > bytes.length + CODED_BYTES_MIN) {
    opened.body.destroy();
    return false;
  }
  const stored = Buffer.concat(await opened.body.toArray());
  const text = coding ? await decode(stored, coding, bytes.length).catch(() => undefined) : stored;
  return text?.equals(bytes) ?? false;
}

/** Deletes what `putCoded` put: as it is first, then what is compressed. */
export async function deleteCoded(
  objects: Pick<Objects, "deleteObject">,
  key: string,
): Promise<void> {
  for (const one of listCodedKeys(key)) await objects.deleteObject(one);
}
