import type { IncomingHttpHeaders } from "node:http";
import { PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  Busboy,
  type BusboyEvents,
  type BusboyHeaders,
  type BusboyInstance,
} from "@fastify/busboy";
import { Fault } from "../../platform/errors.ts";

const FIELDS_MAX = 20;
const FIELD_BYTES_MAX = 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** Maximum size of a body without its files: boundaries, part headers, fields. */
const OVERHEAD_BYTES_MAX = 1024 * 1024;
/** How long the rest of a rejected body is read, so that its sender reads the answer. */
const DRAIN_MS = 5_000;

/** A file with the name and type that its sender claims; both are unverified. */
interface FilePart {
  name: string;
  type: string;
  body: Readable;
}

interface Reading<T> {
  body: Readable;
  headers: IncomingHttpHeaders;
  filesMax: number;
  fileBytesMax: number;
  timeoutMs: number;
  /** Reads the part to its end. An error aborts the whole upload. */
  receive: (part: FilePart) => Promise<T>;
}

/**
 * Reads the files of a form (RFC 7578) one after the other, under any field name, and skips other fields.
 * Nothing is buffered beyond the streams' own buffers.
 * @throws Fault unsupported-type, invalid (cut off, not a form, timed out), too-large; errors of `receive`
 */
export async function readFiles<T>(reading: Reading<T>): Promise<T[]> {
  const { body, timeoutMs } = reading;
  const parser = openParser(reading);
  const abort = new AbortController();
  const received: Promise<T>[] = [];
  const open = new Set<Readable>();
  const fail = (error: unknown): void => abort.abort(error);
  const onFile: BusboyEvents["file"] = (_field, part, filename, _encoding, type) => {
    open.add(part);
    part.once("close", () => open.delete(part));
    // Its reader gets the error.
    part.on("error", () => undefined);
    const done = reading.receive({ name: filename ?? "", type, body: part });
    received.push(done);
    done.catch(fail);
  };
  parser.on("file", onFile);
  parser.on("filesLimit", () =>
    fail(new Fault("too-large", `The form has more than ${reading.filesMax} files.`)),
  );
  parser.on("fieldsLimit", () =>
    fail(new Fault("too-large", `The form has more than ${FIELDS_MAX} fields besides its files.`)),
  );
  const timer = setTimeout(
    () => fail(new Fault("invalid", `The upload took more than ${timeoutMs / 1000} seconds.`)),
    timeoutMs,
  );
  try {
    await pipeline(toSource(body), toCounter(reading), parser, { signal: abort.signal });
    return await Promise.all(received);
  } catch (error) {
    fail(error);
    const { reason } = abort.signal as { reason: unknown };
    const fault = toFault(reason);
    for (const part of open) part.destroy(fault);
    await Promise.allSettled(received);
    throw fault;
  } finally {
    clearTimeout(timer);
  }
}

function openParser<T>({ headers, filesMax, fileBytesMax }: Reading<T>): BusboyInstance {
  if (!/^multipart\/form-data\b/i.test(headers["content-type"] ?? ""))
    throw new Fault("unsupported-type", "Send files as multipart/form-data.");
  if (!/^(identity)?$/i.test((headers["content-encoding"] ?? "").trim()))
    throw new Fault("unsupported-type", "Send the body without Content-Encoding.");
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        files: filesMax,
        // One more byte shows that the file is too large.
        fileSize: fileBytesMax + 1,
        fields: FIELDS_MAX,
        fieldSize: FIELD_BYTES_MAX,
        headerSize: HEADER_BYTES_MAX,
      },
    });
  } catch (error) {
    throw new Fault("invalid", "The Content-Type has no boundary.", { cause: error });
  }
}

/** Limits the size of the whole body, including one without any part. */
function toCounter<T>({ filesMax, fileBytesMax }: Reading<T>): Transform {
  const bytesMax = filesMax * fileBytesMax + OVERHEAD_BYTES_MAX;
  let bytes = 0;
  return new Transform({
    transform(block: Buffer, _encoding, done) {
      bytes += block.length;
      if (bytes <= bytesMax) return done(null, block);
      done(new Fault("too-large", `The body has more than ${bytesMax} bytes.`));
    },
  });
}

/** A stream that can be destroyed without the connection, which is needed for the answer. */
function toSource(body: Readable): Readable {
  if (body.destroyed) throw cutOff();
  const source = new PassThrough();
  const end = (): void => void (body.readableEnded || source.destroy(cutOff()));
  body.once("error", end);
  body.once("close", end);
  return body.pipe(source);
}

/** Reads the rest of a rejected body, and closes the connection after `DRAIN_MS`. */
export function drainBody(body: Readable): void {
  if (body.readableEnded || body.destroyed) return;
  body.resume();
  const timer = setTimeout(() => body.destroy(), DRAIN_MS).unref();
  body.once("close", () => clearTimeout(timer));
  body.once("end", () => clearTimeout(timer));
}

function cutOff(): Fault {
  return new Fault("invalid", "The request was cut off.");
}

/** Maps the parser's errors for a body that is not a form, or is incomplete. */
function toFault(reason: unknown): Error {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  const isOfParser =
    !(error instanceof Fault) && /multipart|part terminated|unexpected end/i.test(error.message);
  if (!isOfParser) return error;
  return new Fault("invalid", "The body is not complete multipart/form-data.", { cause: error });
}
