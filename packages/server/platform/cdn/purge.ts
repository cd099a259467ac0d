import { createHash } from "node:crypto";
import { withRetries } from "../queues/retries.ts";
import { assertCdnPaths } from "./cdn.ts";
import type { Cdn, InvalidationIn } from "./cdn.ts";
import { type PurgeAnswer, sendPurge } from "./purge-request.ts";

export interface PurgeOptions {
  /** An address for each cache. `{path}`, `{url}` and `{host}` in addresses, header values and `body` are what is purged. */
  caches: readonly string[];
  method: string;
  /** Never shown: they carry the caches' keys. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** Where published files are read from; paths are of this origin. */
  cdnUrl: string;
  times?: PurgeTimes;
}

/** In milliseconds. */
interface PurgeTimes {
  /** One request, with its answer. */
  requestMs: number;
  /** Everything, tries and pauses too. */
  allMs: number;
}

const usualTimes: PurgeTimes = { requestMs: 10_000, allMs: 60_000 };
const ATTEMPTS_MAX = 4;
const CONCURRENCY = 8;
const PAUSE_MAX_MS = 10_000;
const FAILURES_TOLD_MAX = 5;
/** How caches say that they had no such file: 412 is nginx's. */
const notCached = new Set([404, 410, 412]);

/**
 * Opens caches that forget a path when they are asked to by a request: Varnish, nginx, Fastly, Cloudflare and others.
 * Each path is sent to each cache, eight at a time; 408, 429, 5xx and connections that fail are tried again with
 * back-off. Then an error names the cache and what it answered.
 */
export function openPurgeCdn(options: PurgeOptions): Cdn {
  const { caches, times = usualTimes } = options;
  return {
    async invalidatePaths({ paths, reference }: InvalidationIn) {
      assertCdnPaths(paths);
      const asked = [...new Set(paths)].toSorted();
      const ending = AbortSignal.timeout(times.allMs);
      const work = caches.flatMap((cache) => asked.map((path) => ({ cache, path })));
      const failures: string[] = [];
      const workers = Array.from({ length: CONCURRENCY }, async () => {
        for (let next = work.shift(); next; next = work.shift()) {
          const failure = await purge(options, next, ending);
          if (failure !== undefined) failures.push(failure);
        }
      });
      await Promise.all(workers);
      if (failures.length > 0) throw new Error(toMessage(failures, caches.length * asked.length));
      const digest = createHash("sha256")
        .update(JSON.stringify([reference, asked]))
        .digest("hex");
      const where = caches.length === 1 ? "the cache" : `${caches.length} caches`;
      return {
        id: `purge-${digest.slice(0, 24)}`,
        note: `${asked.length} ${asked.length === 1 ? "path was" : "paths were"} purged from ${where}.`,
      };
    },
  };
}

interface Purge {
  /** The address with its placeholders. */
  cache: string;
  path: string;
}

/** Purges a path from a cache; answers which one failed for good and why, undefined where it did not. */
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
        const refusal = toRefusal(answer, method);
        if (refusal !== undefined) throw new PurgeError(refusal, answer);
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
    // A path would tell nothing more, and an address may hold what is not for a log.
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

function toRefusal({ status, isOurs }: PurgeAnswer, method: string): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  // A GET makes a cache fetch anew, so what it answers is the service's: that the file is gone, for one.
  if (isOurs && method !== "GET")
    return `passes ${method} on to the service, which answered ${status}`;
  // To a POST, an API that has no such address answers 404.
  if (method !== "POST" && notCached.has(status)) return undefined;
  return `answered ${status}`;
}

function isTransient(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function toConnectionFailure(error: unknown): string {
  if (!(error instanceof Error)) return "cannot be asked";
  if (error.name === "TimeoutError" || error.name === "AbortError") return "did not answer in time";
  const code = "code" in error ? String(error.code) : error.message;
  return `cannot be reached (${code})`;
}

function toMessage(failures: readonly string[], asked: number): string {
  const told = [...new Set(failures)];
  const shown = told.slice(0, FAILURES_TOLD_MAX).join("; ");
  const more = told.length > FAILURES_TOLD_MAX ? "; and others" : "";
  return `${failures.length} of ${asked} purges failed: ${shown}${more}`;
}

/** A value as it is written within a string of JSON. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
