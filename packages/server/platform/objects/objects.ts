import type { Readable } from "node:stream";

/** The headers that an object is served with. */
export interface ObjectMetadata {
  contentType: string;
  cacheControl: string;
  /** Set for compressed bytes (RFC 9110, 8.4). */
  contentEncoding?: "br" | "gzip";
}

/** The metadata of a stored object. */
export interface ObjectFacts extends ObjectMetadata {
  sizeBytes: number;
  /** A strong entity tag, including quotes (RFC 9110). */
  etag: string;
}

/** An open object. The caller reads the `body` to its end or destroys it. */
export interface OpenedObject extends ObjectFacts {
  body: Readable;
}

export interface ByteRange {
  start: number;
  length: number;
}

export interface ObjectIn extends ObjectMetadata {
  key: string;
  bytes: Uint8Array;
}

/** An object whose bytes are read from a local file, which must not change during the put. */
export interface FileIn extends Pick<ObjectMetadata, "contentType" | "cacheControl"> {
  key: string;
  path: string;
  sizeBytes: number;
}

/**
 * Storage of published files and assets. Every driver passes `test/ports/objects.test.ts`: a put is atomic, and
 * durable when it resolves; a reader gets the old object or the new one, never a part, also when it is replaced
 * while being read; deleting a missing object is not an error. All methods throw `ObjectKeyError` for an invalid
 * key. Remote storage throws `StorageError`, also from a body that is being read.
 */
export interface Objects {
  putObject(object: ObjectIn): Promise<void>;
  /** Streams the file, without having all of it in memory. */
  putFile(file: FileIn): Promise<void>;
  findObject(key: string): Promise<ObjectFacts | undefined>;
  openObject(key: string): Promise<OpenedObject | undefined>;
  /**
   * Reads `length` bytes of an object, at least one, from byte `start` on: fewer if the object ends before, none if
   * it ends before `start`.
   */
  readRange(key: string, range: ByteRange): Promise<Buffer | undefined>;
  deleteObject(key: string): Promise<void>;
  /** Lists the keys that begin with `prefix`, in no order, without holding them all in memory. */
  listKeys(prefix?: string): AsyncIterable<string>;
}

/** Reads a small object. */
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
  /** Whether a retry may succeed. */
  isUnavailable: boolean;
  cause: unknown;
}

/** An object could not be read or written. The message can be logged. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly isUnavailable: boolean;

  constructor(message: string, { isUnavailable, cause }: StorageErrorOptions) {
    super(message, { cause });
    this.isUnavailable = isUnavailable;
  }
}

const keyLengthMax = 512;
const keyPattern =
  /^(?:[a-z0-9_-]{1,128}\/){0,8}(?=[a-z0-9_.-]{1,200}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/**
 * Whether text is an object's key: segments of `a-z 0-9 _ -` between slashes, the last with an extension. Folders
 * have no dot and objects have one, so no key is a folder of another and keys map one to one to files. No key
 * is a hidden file or a path traversal.
 */
export function isObjectKey(key: string): boolean {
  return key.length <= keyLengthMax && keyPattern.test(key);
}

export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) {
    throw new ObjectKeyError(`${JSON.stringify(key.slice(0, 100))} is not an object key.`);
  }
}
