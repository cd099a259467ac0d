import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { PassThrough, Readable, pipeline } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { withRetries } from "../queues/retries.ts";
import { ObjectKeyError, assertObjectKey } from "./objects.ts";
import type { FileIn, ObjectIn, ObjectMetadata, Objects } from "./objects.ts";
import { type S3Place, assertUsable } from "./s3-check.ts";
import { type S3Timeouts, openS3Client, usualTimeouts } from "./s3-client.ts";
import { isMissing, isTransient, toStorageError } from "./s3-errors.ts";
import { toFacts } from "./s3-facts.ts";

const ATTEMPTS_MAX = 4;
/** Of an object that is read slowly so much is read ahead: a small one then holds no connection. */
const READ_AHEAD_BYTES = 256 * 1024;
/** An upload may be as slow as this before it is given up. */
const UPLOAD_BYTES_PER_SECOND_MIN = 64 * 1024;

export interface S3ObjectsOptions extends S3Place {
  timeouts?: S3Timeouts;
}

/**
 * Opens storage in a bucket of S3, or of what speaks its protocol. Credentials come from where AWS's tools
 * look for them. What fails for a moment (500, 503, a reset) is tried again with back-off, four times in all; every
 * request and every pause of a body is bounded in time. Nothing rests on conditional writes.
 * What still fails is an `StorageError`.
 * @throws StartError that names the setting, when the bucket cannot be listed, written and deleted from
 */
export async function openS3Objects(options: S3ObjectsOptions): Promise<Objects & Disposable> {
  const { bucket, prefix, timeouts = usualTimeouts } = options;
  const client = openS3Client({ ...options, timeouts, attemptsMax: ATTEMPTS_MAX });
  const toPlace = (key: string) => {
    assertObjectKey(key);
    return { Bucket: bucket, Key: prefix + key };
  };
  const put = (key: string, object: PutIn) => putOnce({ client, timeouts }, toPlace(key), object);
  const objects: Objects = {
    async putObject({ key, bytes, ...metadata }: ObjectIn) {
      // The caller may change its bytes while they are sent again.
      const object = { ...metadata, body: Buffer.from(bytes), sizeBytes: bytes.length };
      await put(key, object).catch(failing("put", key));
    },
    async putFile(file: FileIn) {
      assertObjectKey(file.key);
      await assertSize(file);
      // The SDK sends no stream twice: each try reads the file anew.
      await withRetries((signal) => putStream(file, put, signal), {
        attemptsMax: ATTEMPTS_MAX,
        isRetryable: isTransient,
      }).catch(failing("put", file.key));
    },
    async findObject(key) {
      const command = new HeadObjectCommand(toPlace(key));
      const found = await client.send(command).catch(failingUnlessMissing("look at", key));
      return found && toFacts(key, found);
    },
    async openObject(key) {
      const command = new GetObjectCommand(toPlace(key));
      const found = await client.send(command).catch(failingUnlessMissing("read", key));
      if (!found) return undefined;
      if (!(found.Body instanceof Readable)) throw new Error(`the storage gave no body of ${key}`);
      return { ...toFacts(key, found), body: readAhead(key, found.Body) };
    },
    async deleteObject(key) {
      // S3 answers 204 also for what is not there; the S3 API of Google Cloud Storage 404.
      const command = new DeleteObjectCommand(toPlace(key));
      await client.send(command).catch(failingUnlessMissing("delete", key));
    },
  };
  try {
    await assertUsable(client, options);
  } catch (error) {
    client.destroy();
    throw error;
  }
  return { ...objects, [Symbol.dispose]: () => client.destroy() };
}

interface PutIn extends ObjectMetadata {
  body: Buffer | Readable;
  sizeBytes: number;
  signal?: AbortSignal;
}

async function putOnce(
  { client, timeouts }: { client: S3Client; timeouts: S3Timeouts },
  place: { Bucket: string; Key: string },
  object: PutIn,
): Promise<void> {
  const { body, sizeBytes, contentType, cacheControl, contentEncoding, signal } = object;
  const command = new PutObjectCommand({
    ...place,
    Body: body,
    ContentLength: sizeBytes,
    ContentType: contentType,
    CacheControl: cacheControl,
    ...(contentEncoding && { ContentEncoding: contentEncoding }),
  });
  const sendingMs = Math.ceil((sizeBytes / UPLOAD_BYTES_PER_SECOND_MIN) * 1_000);
  await client.send(command, {
    requestTimeout: timeouts.requestMs + sendingMs,
    ...(signal && { abortSignal: signal }),
  });
}

/** Puts a file once. What the file cannot give ends the request: a pipe alone would leave it waiting. */
async function putStream(
  { key, path, sizeBytes, contentType, cacheControl }: FileIn,
  put: (key: string, object: PutIn) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const body = createReadStream(path);
  const unread = new AbortController();
  let failure: Error | undefined;
  body.once("error", (error) => {
    failure = error;
    unread.abort();
  });
  try {
    const ending = AbortSignal.any([signal, unread.signal]);
    await put(key, { body, sizeBytes, contentType, cacheControl, signal: ending });
  } catch (error) {
    throw failure ?? error;
  } finally {
    body.destroy();
  }
}

/** A request whose body is not as long as its header says never ends. */
async function assertSize({ path, sizeBytes }: FileIn): Promise<void> {
  const { size } = await stat(path);
  if (size !== sizeBytes) throw new Error(`the file to put has ${size} bytes, not ${sizeBytes}`);
}

/** Hands errors on to who reads, and closes the connection when the reader goes away. */
function readAhead(key: string, body: Readable): Readable {
  const ahead = new PassThrough({ highWaterMark: READ_AHEAD_BYTES });
  // Before the pipeline hears of it: a connection's own words would be taken for those of who asks us.
  body.once("error", (error) => ahead.destroy(toStorageError(`read ${key} to its end`, error)));
  // What fails is thrown to who reads `ahead`.
  pipeline(body, ahead, () => undefined);
  return ahead;
}

function failing(verb: string, key: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ObjectKeyError ? error : toStorageError(`${verb} ${key}`, error);
  };
}

function failingUnlessMissing(verb: string, key: string): (error: unknown) => undefined {
  return (error) => (isMissing(error) ? undefined : failing(verb, key)(error));
}
