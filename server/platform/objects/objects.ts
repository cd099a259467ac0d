/** An object as it was put. `etag` is a strong entity tag of the bytes, quotes included (RFC 9110). */
export interface StoredObject {
  bytes: Buffer;
  contentType: string;
  cacheControl: string;
  etag: string;
}

export interface ObjectIn {
  key: string;
  bytes: Uint8Array;
  contentType: string;
  cacheControl: string;
}

/**
 * Storage of what is published. Every driver passes `test/conformance/objects.test.ts`:
 * a put replaces the object in one step and is durable when it resolves; a reader sees the old
 * object or the new one, never a part; deleting what is not there is no error. All throw
 * `ObjectKeyError` on a key that is not one.
 */
export interface Objects {
  putObject(object: ObjectIn): Promise<void>;
  findObject(key: string): Promise<StoredObject | undefined>;
  deleteObject(key: string): Promise<void>;
}

export class ObjectKeyError extends Error {
  override readonly name = "ObjectKeyError";
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
