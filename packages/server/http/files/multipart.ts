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
/** Of a body, beside its files: boundaries, heads of parts, fields. */
const BESIDE_BYTES_MAX = 1024 * 1024;
/** What still comes of a body that was refused is read for so long, so that its sender reads the answer. */
const DRAIN_MS = 5_000;

/** A file as its sender tells of it; nothing of that is true until it is looked at. */
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
  /** Reads the part to its end. What it throws ends the reading of all. */
  receive: (part: FilePart) => Promise<T>;
}

/**
 * Reads the files of a form (RFC 7578) one after the other, whatever their fields are called; other
 * fields are passed over. Nothing is ever held but what a stream holds.
 * @throws Fault unsupported-type, invalid (cut off, no form, too slow), too-large; what `receive` throws
 */
export async function readFiles<T>(reading: Reading<T>): Promise<T[]> {
  const { body, timeoutMs } = reading;
  const parser = openParser(reading);
  const abort = new AbortController();
  const received: Promise<T>[] = [];
  const open = new Set<Readable>();
  const refuse = (fault: unknown): void => abort.abort(fault);
  const onFile: BusboyEvents["file"] = (_field, part, filename, _encoding, type) => {
    open.add(part);
    part.once("close", () => open.delete(part));
    // Who reads it hears of it.
    part.on("error", () => undefined);
    const done = reading.receive({ name: filename ?? "", type, body: part });
    received.push(done);
    done.catch(refuse);
  };
  parser.on("file", onFile);
  parser.on("filesLimit", () =>
    refuse(new Fault("too-large", `${reading.filesMax} files at a time are the most.`)),
  );
  parser.on("fieldsLimit", () =>
    refuse(new Fault("too-large", `${FIELDS_MAX} fields beside the files are the most.`)),
  );
  const timer = setTimeout(
    () => refuse(new Fault("invalid", `The upload took more than ${timeoutMs / 1000} seconds.`)),
    timeoutMs,
  );
  try {
    await pipeline(toSource(body), toCounter(reading), parser, { signal: abort.signal });
    return await Promise.all(received);
  } catch (error) {
    refuse(error);
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
    throw new Fault("unsupported-type", "Send the body as it is, without Content-Encoding.");
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        files: filesMax,
        // One more is what tells that there is more.
        fileSize: fileBytesMax + 1,
        fields: FIELDS_MAX,
        fieldSize: FIELD_BYTES_MAX,
        headerSize: HEADER_BYTES_MAX,
      },
    });
  } catch (error) {
    throw new Fault("invalid", "The Content-Type names no boundary.", { cause: error });
  }
}

/** Bounds the whole, also where it never comes to a first part. */
function toCounter<T>({ filesMax, fileBytesMax }: Reading<T>): Transform {
  const bytesMax = filesMax * fileBytesMax + BESIDE_BYTES_MAX;
  let bytes = 0;
  return new Transform({
    transform(block: Buffer, _encoding, done) {
      bytes += block.length;
      if (bytes <= bytesMax) return done(null, block);
      done(new Fault("too-large", `The body has more than ${bytesMax} bytes.`));
    },
  });
}

/** A stream that may be destroyed: with the request itself the connection would go, and the answer. */
function toSource(body: Readable): Readable {
  if (body.destroyed) throw cutOff();
  const source = new PassThrough();
  const end = (): void => void (body.readableEnded || source.destroy(cutOff()));
  body.once("error", end);
  body.once("close", end);
  return body.pipe(source);
}

/** Reads what still comes of a body that was refused, and cuts it off where it goes on for long. */
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

/** The parser tells of a form that is none, or not whole. */
function toFault(reason: unknown): Error {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  const isOfParser =
    !(error instanceof Fault) && /multipart|part terminated|unexpected end/i.test(error.message);
  if (!isOfParser) return error;
  return new Fault("invalid", "The body is no whole multipart/form-data.", { cause: error });
}
