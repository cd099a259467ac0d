import { createHash } from "node:crypto";
import { withRetries } from "../queues/retries.ts";
import { assertCdnPaths } from "./cdn.ts";
import type { Cdn, InvalidationIn } from "./cdn.ts";
import { type PurgeAnswer, sendPurge } from "./purge-request.ts";

export interface PurgeOptions {
  /** An address for each cache. Addresses, header values and `body` may have placeholders: `{path}`, `{url}`, `{host}`. */
  caches: readonly string[];
  method: string;
  /** Secret, since they contain the caches' keys. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** The public address of published files; paths are relative to its origin. */
  cdnUrl: string;
  times?: PurgeTimes;
}

/** In milliseconds. */
interface PurgeTimes {
  /** Timeout of one request. */
  requestMs: number;
  /** Timeout of all attempts and pauses. */
  allMs: number;
}

const usualTimes: PurgeTimes = { requestMs: 10_000, allMs: 60_000 };
const ATTEMPTS_MAX = 4;
const CONCURRENCY = 8;
const PAUSE_MAX_MS = 10_000;
const FAILURES_SHOWN_MAX = 5;
/** Statuses of caches for a file that was not cached; 412 is nginx's. */
const notCached = new Set([404, 410, 412]);

/**
 * Opens caches that purge a path by an HTTP request: Varnish, nginx, Fastly, Cloudflare and others. Each path is sent
 * to each cache, with eight concurrent requests. 408, 429, 5xx and failed connections are retried with backoff.
 * The error names the cache and its response.
 */
export function openPurgeCdn(options: PurgeOptions): Cdn {
  const { caches, times = usualTimes } = options;
  return {
    async invalidatePaths({ paths, reference }: InvalidationIn) {
      assertCdnPaths(paths);
      const unique = [...new Set(paths)].toSorted();
      const ending = AbortSignal.timeout(times.allMs);
      const work = caches.flatMap((cache) => unique.map((path) => ({ cache, path })));
      const failures: string[] = [];
      const workers = Array.from({ length: CONCURRENCY }, async () => {
        for (let next = work.shift(); next; next = work.shift()) {
          const failure = await purge(options, next, ending);
          if (failure !== undefined) failures.push(failure);
        }
      });
      await Promise.all(workers);
      if (failures.length > 0) throw new Error(toMessage(failures, caches.length * unique.length));
      const digest = createHash("sha256")
        .update(JSON.stringify([reference, unique]))
        .digest("hex");
      const where = caches.length === 1 ? "the cache" : `${caches.length} caches`;
      return {
        id: `purge-${digest.slice(0, 24)}`,
        note: `${unique.length} ${unique.length === 1 ? "path was" : "paths were"} purged from ${where}.`,
      };
    },
  };
}

interface Purge {
  /** The address, with placeholders. */
  cache: string;
  path: string;
}

/** Purges a path from a cache. Returns a description of a permanent failure, or undefined on success. */
async function purge(
  options: PurgeOptions,
  { cache, path }: Purge,
  ending: AbortSignal,
): Promise<string | undefined> {
  const { method, headers, body, times = usualTimes } = options;
  const { origin, host } = new URL(options.cdnUrl);
  const fill = (text: string, escape = (value: string) => value) =>
    text.replace(/\{(path|url|host)\}/g, (_, name: "path" | "url" | "host") =>
      escape({ path, url: origin + path, host }[name]),
    );
  const address = fill(cache);
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)] as const);
  try {
    await withRetries(
      async (signal) => {
        const answer = await sendPurge(address, {
          method,
          headers: Object.fromEntries(filled),
          ...(body !== undefined && { body: fill(body, inJson) }),
          signal: AbortSignal.any([signal, AbortSignal.timeout(times.requestMs)]),
        });
        const rejection = toRejection(answer, method);
        if (rejection !== undefined) throw new PurgeError(rejection, answer);
      },
      {
        attemptsMax: ATTEMPTS_MAX,
        isRetryable: (error) => !(error instanceof PurgeError) || isTransient(error.answer.status),
        toPauseMs: (error) => (error instanceof PurgeError ? error.answer.retryAfterMs : undefined),
        pauseMaxMs: PAUSE_MAX_MS,
        signal: ending,
      },
    );
    return undefined;
  } catch (error) {
    const reason = error instanceof PurgeError ? error.message : toConnectionFailure(error);
    // The origin only: the full address may contain secrets.
    return `${new URL(address).origin} ${reason}`;
  }
}

class PurgeError extends Error {
  override readonly name = "PurgeError";
  readonly answer: PurgeAnswer;

  constructor(message: string, answer: PurgeAnswer) {
    super(message);
    this.answer = answer;
  }
}

function toRejection({ status, isOurs }: PurgeAnswer, method: string): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  // A GET makes a cache fetch the file, so its status is the service's, such as 404 for a removed file.
  if (isOurs && method !== "GET")
    return `passes ${method} on to the service, which answered ${status}`;
  // For a POST, 404 means that the API has no such address.
  if (method !== "POST" && notCached.has(status)) return undefined;
  return `answered ${status}`;
}

function isTransient(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function toConnectionFailure(error: unknown): string {
  if (!(error instanceof Error)) return "cannot be reached";
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timed out";
  const code = "code" in error ? String(error.code) : error.message;
  return `cannot be reached (${code})`;
}

function toMessage(failures: readonly string[], total: number): string {
  const unique = [...new Set(failures)];
  const shown = unique.slice(0, FAILURES_SHOWN_MAX).join("; ");
  const more = unique.length > FAILURES_SHOWN_MAX ? "; and others" : "";
  return `${failures.length} of ${total} purges failed: ${shown}${more}`;
}

/** Escapes a value for a JSON string. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
