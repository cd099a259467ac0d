import { setTimeout as delay } from "node:timers/promises";
import { CommandError, ProblemError, toReason } from "./errors.ts";
import type { Progress } from "./progress.ts";

const RETRY_MS_MAX = 30_000;
const RETRIES_MAX = 8;

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: ReadableStream<Uint8Array>;
  signal: AbortSignal;
}

/** A caller of the service with an access token. */
export interface Client {
  url: string;
  /** Answers what succeeded. Throws `ProblemError` for every other answer. */
  request: (path: string, options: RequestOptions) => Promise<Response>;
  /** The same for JSON that is read; tries again while the service is away or busy. */
  readJson: <T>(path: string, signal: AbortSignal) => Promise<T>;
  /** The path of an address that the service answered: it may call itself by another name. */
  pathOf: (link: string) => string;
}

/** Makes a caller of the service at `url`. */
export function createClient(url: string, token: string): Client {
  const request: Client["request"] = async (path, { headers, ...rest }) => {
    const answer = await fetch(url + path, {
      ...rest,
      ...(rest.body ? { duplex: "half" } : {}),
      headers: { ...headers, authorization: `Bearer ${token}` },
      redirect: "error",
    });
    if (answer.ok) return answer;
    throw await toProblem(answer);
  };
  return {
    url,
    request,
    readJson: <T>(path: string, signal: AbortSignal) =>
      withRetries(async () => (await (await request(path, { signal })).json()) as T, { signal }),
    pathOf: (link) => {
      const { pathname, search } = new URL(link, url);
      return pathname + search;
    },
  };
}

/**
 * Does something again while it fails by what passes: the service is away or busy, or a connection breaks.
 * Each new try is told to `progress`. Throws the signal's reason as soon as it is aborted.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  { signal, progress }: { signal: AbortSignal; progress?: Progress },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = toWaitMs(error, attempt);
      if (waitMs === undefined) throw error;
      progress?.say(`${toReason(error)} Trying again …`);
      await sleep(waitMs, signal);
    }
  }
}

/** How long to wait before the same is tried again; undefined: that would not help. */
function toWaitMs(error: unknown, attempt: number): number | undefined {
  if (attempt > RETRIES_MAX) return undefined;
  if (error instanceof ProblemError) {
    const isPassing = error.status === 429 || error.status === 503;
    if (!isPassing) return undefined;
    if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  } else if (error instanceof CommandError) return undefined;
  return Math.min(RETRY_MS_MAX, 250 * 2 ** attempt);
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // It fails by the signal alone.
  await delay(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

async function toProblem(answer: Response): Promise<ProblemError> {
  const text = await answer.text().catch(() => "");
  const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
  const seconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  return new ProblemError(
    answer.status,
    `The service says ${answer.status}: ${toDetail(text)}`,
    seconds,
  );
}

function toDetail(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (typeof detail === "string") return detail;
  } catch {
    // No problem document: what was said is shown.
  }
  return text.slice(0, 200);
}
