import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Actor, toActorName } from "../kernel/actor.ts";
import { Fault } from "../platform/errors.ts";
import type { Http } from "./http.ts";

/** Each may keep a connection to the database busy. */
const STREAMS_MAX = 20;
/** Of one user: nobody takes the room of all. */
const USER_STREAMS_MAX = 5;
const STALL_MS = 60_000;
/** A little less than a minute has at 1 KiB a second, since it is measured in whole pieces. */
const TAKEN_BYTES_MIN = 44 * 1024;
const PIECE_BYTES = 16 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** An answer that is written while it is read. */
export interface Stream {
  /** The content type. */
  type: string;
  /** What is asked for the next chunk only when the reader has taken those before. */
  chunks: AsyncIterable<string | Uint8Array>;
  /** The project that it is of, where those of one project are bounded. */
  projectId?: string;
}

/** The long answers that are under way in this process: bounded in number. */
export interface Streams {
  /**
   * Throws `Fault` when no further stream may begin (busy), or none of this user, or of this project where
   * it is given (too-many): to be asked before work is done for one.
   */
  assertRoom(actor: Actor, projectId?: string): void;
  /** Holds a place for work that comes before a stream, until it is disposed. Throws as `assertRoom`. */
  take(actor: Actor, projectId?: string): Disposable;
  /**
   * Answers with a stream, as fast as its reader takes it. When the reader hangs up, takes less than
   * 1 KiB a second for a minute, has not all within `lastsMs` or the service stops, the source is ended; when the source fails, the
   * connection is broken, so that no reader takes a part for the whole.
   */
  answer(given: { req: FastifyRequest; reply: FastifyReply }, stream: Stream): FastifyReply;
}

/** How many streams there may be, and how slow their readers; tests shorten what is about time. */
export interface StreamBounds extends Partial<Pace> {
  max?: number;
  userMax?: number;
  /** Of one project; by default as many as there may be. */
  projectMax?: number;
  /** How long one may last, however fast its reader is; by default for ever. */
  lastsMs?: number;
}

/** Who has a stream, and of which project. */
interface Holder {
  reader: string;
  projectId: string | undefined;
}

/** Opens the streams of a service. */
export function openStreams(http: Http, bounds: StreamBounds = {}): Streams {
  const { max = STREAMS_MAX, userMax = USER_STREAMS_MAX, projectMax = max, lastsMs } = bounds;
  const { stallMs = STALL_MS, takenBytesMin = TAKEN_BYTES_MIN } = bounds;
  const open = new Map<Readable, Holder>();
  const held = new Map<Disposable, Holder>();
  let isStopping = false;
  http.addHook("preClose", (done) => {
    isStopping = true;
    for (const stream of open.keys()) stream.destroy(new Error("The service is shutting down."));
    done();
  });
  const assertRoom = (actor: Actor, projectId?: string): void => {
    const later = { retryAfterSeconds: 5 };
    const reader = toActorName(actor);
    const holders = [...open.values(), ...held.values()];
    if (holders.filter((each) => each.reader === reader).length >= userMax)
      throw new Fault("too-many", `${userMax} of your streams are open already.`, later);
    const isOfProject = (each: Holder) => projectId !== undefined && each.projectId === projectId;
    if (holders.filter(isOfProject).length >= projectMax)
      throw new Fault(
        "too-many",
        `${projectMax} of the project's streams are open already.`,
        later,
      );
    if (isStopping || holders.length >= max)
      throw new Fault("busy", `${max} streams are open already. Try again.`, later);
  };
  return {
    assertRoom,
    take(actor, projectId) {
      assertRoom(actor, projectId);
      const place = { [Symbol.dispose]: () => void held.delete(place) };
      held.set(place, { reader: toActorName(actor), projectId });
      return place;
    },
    answer({ req, reply }, { type, chunks, projectId }) {
      void reply.type(type).header("x-accel-buffering", "no");
      if (req.method === "HEAD") return reply.send(Readable.from([]));
      assertRoom(req.actor, projectId);
      const stall = (): void => {
        stream.destroy(new Error(`The reader took too little in ${stallMs} ms.`));
      };
      const stream = Readable.from(watchReader(chunks, { stallMs, takenBytesMin }, stall), {
        objectMode: false,
        highWaterMark: CHUNK_BYTES,
      });
      open.set(stream, { reader: toActorName(req.actor), projectId });
      const end = () => stream.destroy(new Error(`The stream was not over in ${lastsMs} ms.`));
      const ending = lastsMs === undefined ? undefined : setTimeout(end, lastsMs).unref();
      stream.once("close", () => {
        clearTimeout(ending);
        open.delete(stream);
      });
      return reply.send(stream);
    },
  };
}

/** How much a reader has to take. */
export interface Pace {
  takenBytesMin: number;
  /** In so much time that it is waited for. */
  stallMs: number;
}

/**
 * The chunks, in pieces. Calls `stall` when it was waited `stallMs` for the reader, in all, before it
 * had taken `takenBytesMin`; then both are counted anew. The time that the source takes does not count.
 */
export async function* watchReader(
  chunks: Stream["chunks"],
  { takenBytesMin, stallMs }: Pace,
  stall: () => void,
): AsyncGenerator<Uint8Array> {
  let [taken, waitedMs] = [0, 0];
  for await (const chunk of chunks)
    for (const piece of toPieces(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) {
      const from = performance.now();
      const timer = setTimeout(stall, Math.max(0, stallMs - waitedMs));
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
      taken += piece.length;
      waitedMs += performance.now() - from;
      if (taken >= takenBytesMin) [taken, waitedMs] = [0, 0];
    }
}

function* toPieces(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

/** Lines, which come page by page, in pieces of 64 KiB or a little more. */
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
