import { CommandError, ProblemError } from "./errors.ts";

const RETRY_MS_MAX = 30_000;
const RETRIES_MAX = 8;

export interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: ReadableStream<Uint8Array>;
  signal: AbortSignal;
}

/** A caller of the service with an access token. */
export interface Client {
  url: string;
  /** Answers what succeeded. Throws `ProblemError` for every other answer. */
  request: (path: string, request: Request) => Promise<Response>;
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
    async readJson<T>(path: string, signal: AbortSignal): Promise<T> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return (await (await request(path, { signal })).json()) as T;
        } catch (error) {
          signal.throwIfAborted();
          const waitMs = toWaitMs(error, attempt);
          if (waitMs === undefined) throw error;
          await sleep(waitMs, signal);
        }
      }
    },
    pathOf: (link) => {
      const { pathname, search } = new URL(link, url);
      return pathname + search;
    },
  };
}

/** How long to wait before the same is tried again; undefined: that would not help. */
export function toWaitMs(error: unknown, attempt: number): number | undefined {
  if (attempt > RETRIES_MAX) return undefined;
  if (error instanceof ProblemError) {
    const isPassing = error.status === 429 || error.status === 503;
    if (!isPassing) return undefined;
    if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  } else if (error instanceof CommandError) return undefined;
  return Math.min(RETRY_MS_MAX, 250 * 2 ** attempt);
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
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

/** An error in words: what was said, and what it came from when that says more. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause: unknown = error.cause;
  if (!(cause instanceof Error)) return error.message;
  const said = cause.message || ("code" in cause ? String(cause.code) : "");
  return said === "" ? error.message : `${error.message} (${said})`;
}
