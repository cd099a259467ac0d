import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";

export interface PurgeAnswer {
  status: number;
  /** For how long the cache asks to be left alone; undefined where it does not say. */
  retryAfterMs: number | undefined;
  /** Whether the answer is a problem (RFC 9457), as this service answers: then the cache passed the request on. */
  isOurs: boolean;
}

export interface PurgeRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
}

/**
 * Sends one request and reads what is answered to its end. `fetch` would not do: it sends no `Host` that is not the
 * address's, by which caches find their files. Redirections are not followed.
 * @throws what the connection throws; AbortError when the signal ends it
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
    const { statusCode = 0, headers: told } = response;
    response.once("error", reject);
    response.once("end", () => {
      const seconds = Number(told["retry-after"]);
      resolve({
        status: statusCode,
        retryAfterMs: seconds > 0 ? seconds * 1_000 : undefined,
        isOurs: /^application\/problem\+json\b/i.test(told["content-type"] ?? ""),
      });
    });
    response.resume();
  });
  request.end(body);
  return promise;
}
