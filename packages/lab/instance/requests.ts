const REQUEST_TIMEOUT_MS = 30_000;

interface Request {
  method?: string;
  /** Sent as JSON. */
  json?: unknown;
}

/** A caller of the service: answers parsed JSON, throws ProblemError for every other status than 2xx. */
export interface Client {
  url: string;
  send: <T>(address: string, request?: Request) => Promise<T>;
  /** The same caller with another access token, or with none, as visitors are. */
  withToken: (token: string | undefined) => Client;
}

/** The service said no, and why (RFC 9457). */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Makes a caller of the service at `url`; addresses are paths of it, or links as it answered them. */
export function createClient(
  url: string,
  options: { signal?: AbortSignal; token?: string | undefined } = {},
): Client {
  const { signal, token } = options;
  async function send<T>(address: string, { method, json }: Request = {}): Promise<T> {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await fetch(address.startsWith("/") ? url + address : address, {
      method: method ?? (json === undefined ? "GET" : "POST"),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
    const body: unknown = isJson && text !== "" ? JSON.parse(text) : text;
    if (answer.ok) return body as T;
    const path = new URL(answer.url).pathname;
    throw new ProblemError(answer.status, `${answer.status} at ${path}: ${toReason(body)}`);
  }
  return {
    url,
    send,
    withToken: (given) => createClient(url, { ...options, token: given }),
  };
}

/** A problem's detail and each of its faults, on a line of its own. */
function toReason(body: unknown): string {
  if (typeof body !== "object" || body === null) return String(body).slice(0, 200);
  const { detail, errors } = body as {
    detail?: string;
    errors?: readonly { path: string; message: string }[];
  };
  const faults = (errors ?? []).map(({ path, message }) => `\n    ${path} ${message}`);
  return (detail ?? JSON.stringify(body).slice(0, 200)) + faults.join("");
}

/** An error in words: what was said, and what it came from when that says more. */
export function toReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause: unknown = error.cause;
  return cause instanceof Error && cause.message !== ""
    ? `${error.message} (${cause.message})`
    : error.message;
}
