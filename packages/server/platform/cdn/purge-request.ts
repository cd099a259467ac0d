import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";

export interface PurgeAnswer {
  status: number;
  /** The cache's `Retry-After`. */
  retryAfterMs: number | undefined;
  /** Whether the response is a problem (RFC 9457) of this service: then the cache forwarded the request. */
  isOurs: boolean;
}

export interface PurgeRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
}

/**
 * Sends one request and reads the whole response. Not `fetch`, which cannot set `Host`, by which caches find their
 * files. Redirects are not followed.
 * @throws errors of the connection; AbortError when the signal aborts
 */
export function sendPurge(address: string, purge: PurgeRequest): Promise<PurgeAnswer> {
  const { method, headers, body, signal } = purge;
  const url = new URL(address);
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const { promise, resolve, reject } = Promise.withResolvers<PurgeAnswer>();
  const request = send(url, { method, headers: { ...headers, ...length }, signal });
  request.once("error", reject);
  request.once("response", (response) => {
    const { statusCode = 0, headers: received } = response;
    response.once("error", reject);
    response.once("end", () => {
      const seconds = Number(received["retry-after"]);
      resolve({
        status: statusCode,
        retryAfterMs: seconds > 0 ? seconds * 1_000 : undefined,
        isOurs: /^application\/problem\+json\b/i.test(received["content-type"] ?? ""),
      });
    });
    response.resume();
  });
  request.end(body);
  return promise;
}
