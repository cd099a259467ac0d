import { decode, encode } from "../text/encode.ts";
import type { ObjectIn, Objects } from "./objects.ts";

type PreparedCoding = "br" | "gzip";

const extensions: Record<PreparedCoding, string> = { br: "br", gzip: "gz" };
/** Published texts. Images and documents are already compressed. */
const codedPattern = /\.js(?:on)?$/;
const prepared = Object.keys(extensions) as PreparedCoding[];
/** Content that fits into one packet gains nothing from compression. */
const CODED_BYTES_MIN = 1_024;
/** Brotli's maximum quality takes a second for this size. */
const BEST_BYTES_MAX = 512 * 1024;
const QUALITY_BEST = 11;

/** The key of an object in a content coding: beside it, as web servers look up precompressed files. */
export function toCodedKey(key: string, coding: PreparedCoding): string {
  return `${key}.${extensions[coding]}`;
}

/** Whether an object may have content codings, by its key. */
export function mayBeCoded(key: string): boolean {
  return codedPattern.test(key);
}

/** All keys that `putCoded` may write, the plain one first. */
export function listCodedKeys(key: string): string[] {
  return [key, ...prepared.map((coding) => toCodedKey(key, coding))];
}

/** A text with its codings, which a short text has none of. */
export interface CodedObject {
  plain: ObjectIn;
  coded: ObjectIn[];
}

/** Compresses a text with brotli and gzip. */
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
 * Stores a text compressed with brotli and gzip and then plain, each under its own key, so that it is compressed
 * once. A client that keeps requesting one coding never gets an older version after a newer one.
 */
export async function putCoded(
  objects: Pick<Objects, "putObject" | "deleteObject">,
  object: ObjectIn,
): Promise<void> {
  await putPrepared(objects, await toCoded(object));
}

/** As `putCoded`, for a text that is already compressed. */
export async function putPrepared(
  objects: Pick<Objects, "putObject" | "deleteObject">,
  { plain, coded }: CodedObject,
): Promise<void> {
  if (!mayBeCoded(plain.key)) throw new Error(`${plain.key} cannot have content codings`);
  const made = new Set(coded.map(({ key }) => key));
  const [, ...others] = listCodedKeys(plain.key);
  await Promise.all([
    ...coded.map((one) => objects.putObject(one)),
    ...others.filter((key) => !made.has(key)).map((key) => objects.deleteObject(key)),
  ]);
  await objects.putObject(plain);
}

/**
 * Whether a text is stored as `putCoded` stores it: plain and in each coding with the same decoded bytes and the
 * right metadata, or without codings when it is short.
 */
export async function isCodedStored(
  objects: Pick<Objects, "openObject">,
  object: ObjectIn,
): Promise<boolean> {
  const isShort = object.bytes.length < CODED_BYTES_MIN;
  const found = await Promise.all([
    isStored(objects, object, undefined),
    ...prepared.map(async (coding) =>
      isShort
        ? !(await exists(objects, toCodedKey(object.key, coding)))
        : isStored(objects, object, coding),
    ),
  ]);
  return found.every(Boolean);
}

async function exists(objects: Pick<Objects, "openObject">, key: string): Promise<boolean> {
  const opened = await objects.openObject(key);
  opened?.body.destroy();
  return opened !== undefined;
}

async function isStored(
  objects: Pick<Objects, "openObject">,
  { key, bytes, contentType }: ObjectIn,
  coding: PreparedCoding | undefined,
): Promise<boolean> {
  const opened = await objects.openObject(coding ? toCodedKey(key, coding) : key);
  if (!opened) return false;
  const hasMetadata = opened.contentEncoding === coding && opened.contentType === contentType;
  // An object from elsewhere may have any size; a coding is hardly longer than the text.
  if (!hasMetadata || opened.sizeBytes > bytes.length + CODED_BYTES_MIN) {
    opened.body.destroy();
    return false;
  }
  const stored = Buffer.concat(await opened.body.toArray());
  const text = coding ? await decode(stored, coding, bytes.length).catch(() => undefined) : stored;
  return text?.equals(bytes) ?? false;
}

/** Deletes the plain text, then its codings. */
export async function deleteCoded(
  objects: Pick<Objects, "deleteObject">,
  key: string,
): Promise<void> {
  for (const one of listCodedKeys(key)) await objects.deleteObject(one);
}
