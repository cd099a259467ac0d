import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../errors.ts";
import type { Http } from "./http.ts";

/** Each may keep a connection to the database busy. */
const STREAMS_MAX = 20;
const STALL_MS = 60_000;
const CHUNK_BYTES = 64 * 1024;

/** An answer that is written while it is read. */
export interface Stream {
  /** The content type. */
  type: string;
  /** What is asked for the next chunk only when the reader has taken those before. */
  chunks: AsyncIterable<string | Uint8Array>;
}

/** The long answers that are under way in this process: bounded in number. */
export interface Streams {
  /** Throws `Fault` (busy) when no further stream may begin: to be asked before work is done for one. */
  assertRoom(): void;
  /**
   * Answers with a stream, as fast as its reader takes it. When the reader hangs up, takes nothing
   * for a minute or the service stops, the source is ended; when the source fails, the connection is
   * broken, so that no reader takes a part for the whole.
   */
  answer(given: { req: FastifyRequest; reply: FastifyReply }, stream: Stream): FastifyReply;
}

/** Opens the streams of a service; `max` and `stallMs` are what tests shorten. */
export function openStreams(
  http: Http,
  { max = STREAMS_MAX, stallMs = STALL_MS }: { max?: number; stallMs?: number } = {},
): Streams {
  const open = new Set<Readable>();
  let isStopping = false;
  http.addHook("preClose", (done) => {
    isStopping = true;
    for (const stream of open) stream.destroy(new Error("The service is shutting down."));
    done();
  });
  const assertRoom = (): void => {
    if (isStopping || open.size >= max)
      throw new Fault("busy", `${max} streams are open already. Try again.`, {
        retryAfterSeconds: 5,
      });
  };
  return {
    assertRoom,
    answer({ req, reply }, { type, chunks }) {
      void reply.type(type).header("x-accel-buffering", "no");
      if (req.method === "HEAD") return reply.send(Readable.from([]));
      assertRoom();
      const stall = (): void => {
        stream.destroy(new Error(`The reader took nothing for ${stallMs} ms.`));
      };
      const stream = Readable.from(watch(chunks, stallMs, stall), {
        objectMode: false,
        highWaterMark: CHUNK_BYTES,
      });
      open.add(stream);
      stream.once("close", () => open.delete(stream));
      return reply.send(stream);
    },
  };
}

/** The chunks; calls `stall` when one was not followed by the demand for another in time. */
async function* watch(
  chunks: Stream["chunks"],
  stallMs: number,
  stall: () => void,
): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of chunks) {
    const timer = setTimeout(stall, stallMs);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
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
