const REQUEST_TIMEOUT_MS = 30_000;

interface Request {
  method?: string;
  /** Sent as JSON. */
  json?: unknown;
}

/** A client of the service. Returns parsed JSON; throws ProblemError for any status other than 2xx. */
export interface Client {
  url: string;
  send: <T>(address: string, request?: Request) => Promise<T>;
  /** The same client with another access token, or without one, like a visitor. */
  withToken: (token: string | undefined) => Client;
}

/** A problem that the service returned (RFC 9457). */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Creates a client of the service at `url`. It accepts paths and the links of responses. */
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

/** The detail of a problem and its errors, one on each line. */
function toReason(body: unknown): string {
  if (typeof body !== "object" || body === null) return String(body).slice(0, 200);
  const { detail, errors } = body as {
    detail?: string;
    errors?: readonly { path: string; message: string }[];
  };
  const faults = (errors ?? []).map(({ path, message }) => `\n    ${path} ${message}`);
  return (detail ?? JSON.stringify(body).slice(0, 200)) + faults.join("");
}

/** The message of an error, with that of its cause if it adds information. */
export function toReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause: unknown = error.cause;
  return cause instanceof Error && cause.message !== ""
    ? `${error.message} (${cause.message})`
    : error.message;
}
