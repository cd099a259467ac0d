import type { Readable } from "node:stream";

/** How an object is answered to whoever reads it. */
export interface ObjectMetadata {
  contentType: string;
  cacheControl: string;
  /** Of bytes that are compressed already (RFC 9110, 8.4). */
  contentEncoding?: "br" | "gzip";
}

/** What is told of an object without its bytes. */
export interface ObjectFacts extends ObjectMetadata {
  sizeBytes: number;
  /** A strong entity tag, quotes included (RFC 9110): other bytes have another one. */
  etag: string;
}

/** An object that is being read; the `body` is to be read to its end, or destroyed. */
export interface OpenedObject extends ObjectFacts {
  body: Readable;
}

export interface ObjectIn extends ObjectMetadata {
  key: string;
  bytes: Uint8Array;
}

/** An object whose bytes are a file of this machine, which is read while it is put and stays as it is. */
export interface FileIn extends Pick<ObjectMetadata, "contentType" | "cacheControl"> {
  key: string;
  path: string;
  sizeBytes: number;
}

/**
 * Storage of what is published and of assets. Every driver passes `test/conformance/objects.test.ts`:
 * a put replaces the object in one step and is durable when it resolves; a reader sees the old
 * object or the new one, never a part, also when it is replaced while it is read; deleting what is
 * not there is no error. All throw `ObjectKeyError` on a key that is not one; storage on other machines throws
 * `StorageError`, and so does a body that is read, where that does not answer.
 */
export interface Objects {
  putObject(object: ObjectIn): Promise<void>;
  /** Puts without ever having the whole in memory. */
  putFile(file: FileIn): Promise<void>;
  findObject(key: string): Promise<ObjectFacts | undefined>;
  openObject(key: string): Promise<OpenedObject | undefined>;
  deleteObject(key: string): Promise<void>;
}

/** The bytes of an object that is known to be small; undefined when there is none. */
export async function readObject(
  objects: Pick<Objects, "openObject">,
  key: string,
): Promise<Buffer | undefined> {
  const opened = await objects.openObject(key);
  return opened && Buffer.concat(await opened.body.toArray());
}

export class ObjectKeyError extends Error {
  override readonly name = "ObjectKeyError";
}

interface StorageErrorOptions {
  /** Whether trying again may help. */
  isAway: boolean;
  cause: unknown;
}

/** An object that could not be read or written: which one, and why, in words that a log may hold. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly isAway: boolean;

  constructor(message: string, { isAway, cause }: StorageErrorOptions) {
    super(message, { cause });
    this.isAway = isAway;
  }
}

const keyLengthMax = 512;
const keyPattern =
  /^(?:[a-z0-9_-]{1,128}\/){0,8}(?=[a-z0-9_.-]{1,200}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/**
 * Tells whether text is an object's key: segments of `a-z 0-9 _ -` between slashes, the last with
 * an extension. As folders have no dot and objects have one, no key is a folder of another, and
 * keys map one to one to files; none is hidden, and none leads out.
 */
export function isObjectKey(key: string): boolean {
  return key.length <= keyLengthMax && keyPattern.test(key);
}

/** Throws `ObjectKeyError` for text that is not an object's key. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) {
    throw new ObjectKeyError(`${JSON.stringify(key.slice(0, 100))} is not an object key.`);
  }
}
