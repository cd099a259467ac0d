import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Actor, toActorName } from "../kernel/actor.ts";
import { Fault } from "../platform/errors.ts";
import type { Http } from "./http.ts";

/** Each stream may occupy a connection to the database. */
const STREAMS_MAX = 20;
/** Maximum number of streams of one user, so that a single user cannot occupy all of them. */
const USER_STREAMS_MAX = 5;
const STALL_MS = 60_000;
/** Slightly less than 1 KiB a second for a minute, since progress is measured in whole pieces. */
const READ_BYTES_MIN = 44 * 1024;
const PIECE_BYTES = 16 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** A response that is produced while the client reads it. */
export interface Stream {
  type: string;
  /** The next chunk is requested only when the client has read those before. */
  chunks: AsyncIterable<string | Uint8Array>;
  /** Set where the streams of one project are limited. */
  projectId?: string;
}

/** The open streams of this process, limited in number. */
export interface Streams {
  /**
   * Called before work is done for a stream. Throws `Fault`: busy at the limit of all streams, too-many at
   * that of the user or the project.
   */
  assertCapacity(actor: Actor, projectId?: string): void;
  /** Reserves a slot for work before a stream, until disposal. Throws as `assertCapacity`. */
  reserveSlot(actor: Actor, projectId?: string): Disposable;
  /**
   * Sends a stream as fast as its client reads it. The source ends when the client disconnects or reads less
   * than 1 KiB a second for a minute, after `timeoutMs`, and at shutdown. When the source fails, the connection
   * is broken, so that no client takes a part for the whole.
   */
  answer(given: { req: FastifyRequest; reply: FastifyReply }, stream: Stream): FastifyReply;
}

/** Limits of the number of streams and of their duration. Tests shorten the times. */
export interface StreamBounds extends Partial<Pace> {
  max?: number;
  userMax?: number;
  /** Maximum number of streams of one project. Default: `max`. */
  projectMax?: number;
  /** Maximum duration of a stream. Default: none. */
  timeoutMs?: number;
}

/** The user and the project of a stream. */
interface Holder {
  user: string;
  projectId: string | undefined;
}

/** Opens the streams of a service. */
export function openStreams(http: Http, bounds: StreamBounds = {}): Streams {
  const { max = STREAMS_MAX, userMax = USER_STREAMS_MAX, projectMax = max, timeoutMs } = bounds;
  const { stallMs = STALL_MS, readBytesMin = READ_BYTES_MIN } = bounds;
  const open = new Map<Readable, Holder>();
  const reserved = new Map<Disposable, Holder>();
  let isStopping = false;
  http.addHook("preClose", (done) => {
    // A process that was handed over sends what it can until its timeout.
    if (http.isHandedOver) return done();
    isStopping = true;
    for (const stream of open.keys()) stream.destroy(new Error("The service is shutting down."));
    done();
  });
  const assertCapacity = (actor: Actor, projectId?: string): void => {
    const retry = { retryAfterSeconds: 5 };
    const user = toActorName(actor);
    const holders = [...open.values(), ...reserved.values()];
    if (holders.filter((each) => each.user === user).length >= userMax)
      throw new Fault("too-many", `You already have ${userMax} open streams.`, retry);
    const isOfProject = (each: Holder) => projectId !== undefined && each.projectId === projectId;
    if (holders.filter(isOfProject).length >= projectMax)
      throw new Fault("too-many", `The project already has ${projectMax} open streams.`, retry);
    if (isStopping || holders.length >= max)
      throw new Fault("busy", `The maximum of ${max} streams is open.`, retry);
  };
  return {
    assertCapacity,
    reserveSlot(actor, projectId) {
      assertCapacity(actor, projectId);
      const slot = { [Symbol.dispose]: () => void reserved.delete(slot) };
      reserved.set(slot, { user: toActorName(actor), projectId });
      return slot;
    },
    answer({ req, reply }, { type, chunks, projectId }) {
      void reply.type(type).header("x-accel-buffering", "no");
      if (req.method === "HEAD") return reply.send(Readable.from([]));
      assertCapacity(req.actor, projectId);
      const stall = (): void => {
        stream.destroy(new Error(`The client read too little in ${stallMs} ms.`));
      };
      const stream = Readable.from(watchReader(chunks, { stallMs, readBytesMin }, stall), {
        objectMode: false,
        highWaterMark: CHUNK_BYTES,
      });
      open.set(stream, { user: toActorName(req.actor), projectId });
      const timeOut = () =>
        stream.destroy(new Error(`The stream timed out after ${timeoutMs} ms.`));
      const timer = timeoutMs === undefined ? undefined : setTimeout(timeOut, timeoutMs).unref();
      stream.once("close", () => {
        clearTimeout(timer);
        open.delete(stream);
      });
      return reply.send(stream);
    },
  };
}

/** The minimum rate at which a client has to read. */
export interface Pace {
  readBytesMin: number;
  /** The waiting time in which `readBytesMin` have to be read. */
  stallMs: number;
}

/**
 * Yields the chunks in pieces. Calls `stall` when the total wait for the reader exceeds `stallMs` before it
 * has read `readBytesMin`, after which both counters restart. The source's own time does not count.
 */
export async function* watchReader(
  chunks: Stream["chunks"],
  { readBytesMin, stallMs }: Pace,
  stall: () => void,
): AsyncGenerator<Uint8Array> {
  let [readBytes, waitedMs] = [0, 0];
  for await (const chunk of chunks)
    for (const piece of toPieces(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) {
      const from = performance.now();
      const timer = setTimeout(stall, Math.max(0, stallMs - waitedMs));
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
      readBytes += piece.length;
      waitedMs += performance.now() - from;
      if (readBytes >= readBytesMin) [readBytes, waitedMs] = [0, 0];
    }
}

function* toPieces(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

/** Joins lines to chunks of 64 KiB or slightly more. */
export async function* toChunks(pages: AsyncIterable<Iterable<string>>): AsyncGenerator<string> {
  let chunk = "";
  for await (const lines of pages)
    for (const line of lines) {
      chunk += line;
      if (chunk.length < CHUNK_BYTES) continue;
      yield chunk;
      chunk = "";
    }
  if (chunk !== "") yield chunk;
}
