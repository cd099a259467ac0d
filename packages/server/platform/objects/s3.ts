import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { PassThrough, Readable, pipeline } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { withRetries } from "../queues/retries.ts";
import { ObjectKeyError, StorageError, assertObjectKey, isObjectKey } from "./objects.ts";
import type { FileIn, ObjectIn, ObjectMetadata, Objects } from "./objects.ts";
import { type S3Location, assertUsable } from "./s3-check.ts";
import { type S3Timeouts, openS3Client, usualTimeouts } from "./s3-client.ts";
import { isMissing, isTransient, toFailure, toStorageError } from "./s3-errors.ts";
import { toFacts } from "./s3-facts.ts";

const ATTEMPTS_MAX = 4;
/** Read-ahead buffer of an object, so that a small one read slowly occupies no connection. */
const READ_AHEAD_BYTES = 256 * 1024;
/** Minimum rate of an upload before it times out. */
const UPLOAD_BYTES_PER_SECOND_MIN = 64 * 1024;

export interface S3ObjectsOptions extends S3Location {
  timeouts?: S3Timeouts;
}

/**
 * Opens storage in a bucket of S3 or of a compatible service. Credentials are found as by AWS's tools. Transient
 * failures (500, 503, a reset) are retried with backoff, at most four attempts. Every request and every stall of
 * a body has a timeout. Conditional writes are not required.
 * @throws StartError with the setting, when the bucket does not allow to list, put and delete
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
      // A copy, since the caller may change its bytes during a retry.
      const object = { ...metadata, body: Buffer.from(bytes), sizeBytes: bytes.length };
      await put(key, object).catch(failing("put", key));
    },
    async putFile(file: FileIn) {
      assertObjectKey(file.key);
      await assertSize(file);
      // The SDK does not retry streams, so each attempt opens the file again.
      await withRetries((signal) => putStream(file, put, signal), {
        attemptsMax: ATTEMPTS_MAX,
        isRetryable: isTransient,
      }).catch(failing("put", file.key));
    },
    async findObject(key) {
      const command = new HeadObjectCommand(toPlace(key));
      const found = await client.send(command).catch(failingUnlessMissing("look up", key));
      return found && toFacts(key, found);
    },
    async openObject(key) {
      const command = new GetObjectCommand(toPlace(key));
      const found = await client.send(command).catch(failingUnlessMissing("read", key));
      if (!found) return undefined;
      if (!(found.Body instanceof Readable))
        throw new Error(`the storage returned no body of ${key}`);
      return { ...toFacts(key, found), body: readAhead(key, found.Body) };
    },
    async readRange(key, { start, length }) {
      const Range = `bytes=${start}-${start + length - 1}`;
      const command = new GetObjectCommand({ ...toPlace(key), Range });
      try {
        const found = await client.send(command);
        if (!(found.Body instanceof Readable))
          throw new Error(`the storage returned no body of ${key}`);
        return Buffer.concat(await readAhead(key, found.Body).toArray());
      } catch (error) {
        // S3 has no empty ranges: beyond the end it answers 416.
        if (toFailure(error).status === 416) return Buffer.of();
        return failingUnlessMissing("read", key)(error);
      }
    },
    async deleteObject(key) {
      // For a missing object S3 answers 204, the S3 API of Google Cloud Storage 404.
      const command = new DeleteObjectCommand(toPlace(key));
      await client.send(command).catch(failingUnlessMissing("delete", key));
    },
    async *listKeys(start = "") {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix + start });
      try {
        for await (const { Contents = [] } of pages)
          for (const { Key } of Contents) {
            const key = Key?.slice(prefix.length) ?? "";
            if (isObjectKey(key)) yield key;
          }
      } catch (error) {
        throw toStorageError(`list objects below ${start}`, error);
      }
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

/** Puts a file once. An error of the file aborts the request, which would otherwise wait for more bytes. */
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

/** A request whose body is shorter than its header says never ends. */
async function assertSize({ path, sizeBytes }: FileIn): Promise<void> {
  const { size } = await stat(path);
  if (size !== sizeBytes) throw new Error(`the file to put has ${size} bytes, not ${sizeBytes}`);
}

/** Passes errors to the reader, and closes the connection when the reader stops. */
function readAhead(key: string, body: Readable): Readable {
  const ahead = new PassThrough({ highWaterMark: READ_AHEAD_BYTES });
  // Before the pipeline does: the connection's own error would look like one of the client's connection.
  body.once("error", (error) => ahead.destroy(toStorageError(`read ${key} to its end`, error)));
  // The reader of `ahead` gets the error.
  pipeline(body, ahead, () => undefined);
  return ahead;
}

function failing(verb: string, key: string): (error: unknown) => never {
  return (error) => {
    const isKnown = error instanceof ObjectKeyError || error instanceof StorageError;
    throw isKnown ? error : toStorageError(`${verb} ${key}`, error);
  };
}

function failingUnlessMissing(verb: string, key: string): (error: unknown) => undefined {
  return (error) => (isMissing(error) ? undefined : failing(verb, key)(error));
}
