import {
  Agent as PlainAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
} from "node:http";
import { Agent as SecureAgent, request as requestSecure } from "node:https";
import { codeOf } from "../errors.ts";
import { type LookupAll, UnreachableAddressError, guardLookup } from "./lookup.ts";
import { type Network, addressOf, mayCall } from "./networks.ts";

/** Timeouts in milliseconds, each from the start of the request. */
export interface PostTimes {
  /** Timeout of the connection, including TLS. */
  connectMs: number;
  /** Timeout of the response's headers. */
  headersMs: number;
  /** Timeout of the whole response. */
  allMs: number;
}

interface Posted {
  status: number;
  retryAfter: string | undefined;
  /** The first 64 KiB at most; less when `keep` returned less. */
  answer: Buffer;
  /** Whether the rest was not read. */
  isCut: boolean;
}

interface Post {
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
  signal: AbortSignal;
  /** Returns how many of these further bytes to keep; the response is cut off at fewer. */
  keep?: (bytes: number) => number;
}

/** Posts to addresses from users, limited to allowed networks. */
export interface Poster extends Disposable {
  /**
   * Sends one request. Redirects are not followed. @throws PostError
   */
  post(url: URL, post: Post): Promise<Posted>;
}

/** There was no complete response. The `message` is shown to the owner of the address. */
export class PostError extends Error {
  override readonly name = "PostError";
}

const usualTimes: PostTimes = { connectMs: 5_000, headersMs: 15_000, allMs: 20_000 };
const ANSWER_BYTES_MAX = 64 * 1024;
const HEAD_BYTES_MAX = 16 * 1024;
const IDLE_MS = 15_000;
const FREE_SOCKETS_MAX = 256;

interface PosterOptions {
  allowed: readonly Network[];
  times?: PostTimes;
  lookup?: LookupAll;
}

/** Opens connections that are kept for further requests to the same host until disposal. */
export function openPoster({
  allowed,
  times: allTimes = usualTimes,
  lookup,
}: PosterOptions): Poster {
  const kept = { keepAlive: true, maxFreeSockets: FREE_SOCKETS_MAX, timeout: IDLE_MS };
  const agents = { "http:": new PlainAgent(kept), "https:": new SecureAgent(kept) };
  const send = async (url: URL, post: Post, times: PostTimes): Promise<Posted> => {
    const isSecure = url.protocol === "https:";
    const request = (isSecure ? requestSecure : requestPlain)(url, {
      method: "POST",
      agent: isSecure ? agents["https:"] : agents["http:"],
      headers: { ...post.headers, "content-length": Buffer.byteLength(post.body) },
      lookup: guardLookup((address) => mayCall(url, address, allowed), lookup),
      maxHeaderSize: HEAD_BYTES_MAX,
    });
    const ending = limitTime(request, { times, isSecure, signal: post.signal });
    try {
      request.end(post.body);
      return await readAnswer(request, post.keep);
    } catch (error) {
      throw new PostError(ending.reason() ?? toReason(error), { cause: error });
    } finally {
      ending.clear();
    }
  };
  return {
    async post(url, post) {
      const address = addressOf(url);
      if (address !== undefined && !mayCall(url, address, allowed))
        throw new PostError(new UnreachableAddressError().message);
      const startMs = performance.now();
      try {
        return await send(url, post, allTimes);
      } catch (error) {
        // The server may close a kept connection just as it is reused: retry once in the remaining time.
        if (!(error instanceof PostError && isReusedAndLost(error.cause))) throw error;
        const leftMs = Math.floor(allTimes.allMs - (performance.now() - startMs));
        if (leftMs <= 0) throw error;
        return send(url, post, cutTimes(allTimes, leftMs));
      }
    },
    [Symbol.dispose]() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function cutTimes({ connectMs, headersMs }: PostTimes, allMs: number): PostTimes {
  return { connectMs: Math.min(connectMs, allMs), headersMs: Math.min(headersMs, allMs), allMs };
}

function within(ms: number): string {
  return `within ${ms / 1_000} s`;
}

/** Destroys the request when one of its timeouts expires. */
function limitTime(
  request: ClientRequest,
  { times, isSecure, signal }: { times: PostTimes; isSecure: boolean; signal: AbortSignal },
): { reason: () => string | undefined; clear: () => void } {
  let reason: string | undefined;
  const end = (why: string) => () => {
    reason ??= why;
    request.destroy();
  };
  const connecting = setTimeout(end(`did not connect ${within(times.connectMs)}`), times.connectMs);
  const waiting = setTimeout(end(`did not respond ${within(times.headersMs)}`), times.headersMs);
  const all = setTimeout(end(`did not complete its response ${within(times.allMs)}`), times.allMs);
  const stop = end("was aborted by a shutdown of the service");
  request.once("socket", (socket) => {
    if (!socket.connecting) return clearTimeout(connecting);
    socket.once(isSecure ? "secureConnect" : "connect", () => clearTimeout(connecting));
  });
  request.once("response", () => clearTimeout(waiting));
  signal.addEventListener("abort", stop, { once: true });
  return {
    reason: () => reason,
    clear() {
      for (const timer of [connecting, waiting, all]) clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
  };
}

/** Reads the response; of a long one the beginning, then closes the connection. */
async function readAnswer(
  request: ClientRequest,
  keep: Post["keep"] = (bytes) => bytes,
): Promise<Posted> {
  const { promise, resolve, reject } = Promise.withResolvers<Posted>();
  request.on("error", (error) => {
    reject(Object.assign(error, { isReused: request.reusedSocket }));
  });
  // A request that is destroyed without an error only emits close.
  request.once("close", () => reject(new Error("closed")));
  request.once("response", (response: IncomingMessage) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const answered = (isCut: boolean): void =>
      resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers["retry-after"],
        answer: Buffer.concat(chunks),
        isCut,
      });
    response.on("error", reject);
    response.on("data", (chunk: Buffer) => {
      const kept = keep(Math.min(chunk.length, ANSWER_BYTES_MAX - length));
      chunks.push(chunk.subarray(0, kept));
      length += kept;
      if (kept === chunk.length) return;
      answered(true);
      response.destroy();
    });
    response.once("end", () => answered(false));
  });
  return promise;
}

function isReusedAndLost(cause: unknown): boolean {
  const isReused = cause instanceof Error && "isReused" in cause && cause.isReused === true;
  return isReused && ["ECONNRESET", "EPIPE"].includes(codeOf(cause));
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "cut the connection",
  EPIPE: "cut the connection",
  ENOTFOUND: "its name is unknown to DNS",
  EAI_AGAIN: "DNS does not respond",
  HPE_HEADER_OVERFLOW: "sent too large headers",
};

function toReason(error: unknown): string {
  if (error instanceof UnreachableAddressError) return error.message;
  // When all addresses of a name failed, the first error is reported.
  if (error instanceof AggregateError) return toReason(error.errors[0]);
  const code = codeOf(error);
  return (
    reasons[code] ?? (code === "" ? "the connection failed" : `the connection failed (${code})`)
  );
}
