import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";

const EXCHANGES_MAX = 3;
const BODY_CHARS_MAX = 600;

/** Any JSON value, read member by member; a value of another kind has no members. */
export interface Json {
  readonly [name: string]: Json | undefined;
}

interface Request {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: string | Uint8Array | FormData;
  headers?: Record<string, string>;
  query?: Record<string, string | readonly string[]>;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  /** The body as JSON; an empty object if it is none. */
  json: Json;
}

/** Sends requests with one access token, or without one. Addresses are paths or links of answers. */
export interface Client {
  get: (address: string, request?: Request) => Promise<Answer>;
  post: (address: string, json?: unknown, request?: Request) => Promise<Answer>;
  put: (address: string, json: unknown, request?: Request) => Promise<Answer>;
  patch: (address: string, json: unknown, request?: Request) => Promise<Answer>;
  delete: (address: string, request?: Request) => Promise<Answer>;
  send: (method: string, address: string, request?: Request) => Promise<Answer>;
  withToken: (token: string | undefined) => Client;
}

/** The last exchanges of a case, for the report of its failure. */
export class Exchanges {
  readonly #lines = new AsyncLocalStorage<string[]>();

  /** Runs a case whose exchanges are kept apart from those of other cases. */
  run<T>(check: () => T): T {
    return this.#lines.run([], check);
  }

  add(line: string): void {
    const lines = this.#lines.getStore();
    lines?.push(line);
    if (lines && lines.length > EXCHANGES_MAX) lines.shift();
  }

  list(): readonly string[] {
    return this.#lines.getStore() ?? [];
  }
}

export function createClient(
  baseUrl: string,
  options: { timeoutMs: number; exchanges: Exchanges; token?: string | undefined },
): Client {
  async function send(method: string, address: string, request: Request = {}): Promise<Answer> {
    const url = new URL(/^https?:/.test(address) ? address : baseUrl + address);
    for (const [name, value] of Object.entries(request.query ?? {}))
      for (const one of [value].flat()) url.searchParams.append(name, one);
    const headers = new Headers(request.headers);
    // The token is sent to the service only, and not to the address of a published file.
    if (
      options.token !== undefined &&
      url.href.startsWith(baseUrl) &&
      !headers.has("authorization")
    )
      headers.set("authorization", `Bearer ${options.token}`);
    let { body } = request;
    if (request.json !== undefined) {
      body = JSON.stringify(request.json);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
    }
    const signal = AbortSignal.timeout(options.timeoutMs);
    const init = { method, headers, signal, redirect: "manual" } as const;
    const sent = `${method} ${toPrintable(url, baseUrl)}${describeBody(body)}`;
    try {
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      options.exchanges.add(`${sent}\n  → ${response.status} ${redact(text)}`);
      const { status, headers: answered } = response;
      return { status, headers: answered, bytes, text, json: parse(text, answered) };
    } catch (error) {
      options.exchanges.add(`${sent}\n  → ${String(error)}`);
      throw error;
    }
  }
  return {
    send,
    get: (address, request) => send("GET", address, request),
    post: (address, json, request) =>
      send("POST", address, json === undefined ? request : { ...request, json }),
    put: (address, json, request) => send("PUT", address, { ...request, json }),
    patch: (address, json, request) => send("PATCH", address, { ...request, json }),
    delete: (address, request) => send("DELETE", address, request),
    withToken: (token) => createClient(baseUrl, { ...options, token }),
  };
}

/** Asserts the status of an answer, and returns the answer. */
export function assertStatus(answer: Answer, ...expected: readonly number[]): Answer {
  assert.ok(
    expected.includes(answer.status),
    `expected status ${expected.join(" or ")}, got ${answer.status}`,
  );
  return answer;
}

/** Asserts a problem (RFC 9457) of this status, with the fields of the specification. */
export function assertProblem(answer: Answer, ...expected: readonly number[]): Answer {
  assertStatus(answer, ...expected);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/);
  const { type, title, status, detail, message, instance } = answer.json;
  for (const [name, value] of Object.entries({ type, title, detail, instance }))
    assert.equal(typeof value, "string", `\`${name}\` of the problem`);
  assert.equal(status, answer.status, "`status` of the problem");
  assert.equal(message, detail, "`message` of the problem equals `detail`");
  assert.doesNotMatch(answer.text, /\n\s+at |node_modules|\.[jt]s:\d+/, "a stack trace");
  return answer;
}

/** A list of an answer: an array, or the `items` of a page. */
export function toList(json: Json | undefined): readonly Json[] {
  const list: unknown = Array.isArray(json) ? json : json?.["items"];
  assert.ok(Array.isArray(list), "expected a list");
  return list as Json[];
}

/** A string, as an identifier or an address is. */
export function toText(json: Json | undefined, name = "the value"): string {
  const value: unknown = json;
  assert.ok(typeof value === "string" && value !== "", `${name} is a string`);
  return value;
}

/** A JSON value as text, to compare and to print. */
export function toPlain(value: unknown): string {
  return String(value);
}

/** The answer's `links[name]`: a string, or an object with `href`. */
export function getLink(json: Json | undefined, name: string): string {
  const link = json?.["links"]?.[name];
  return toText(typeof link === "string" ? link : link?.["href"], `links.${name}`);
}

function parse(text: string, headers: Headers): Json {
  if (!/json/.test(headers.get("content-type") ?? "") || text === "") return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {}; // A stream of JSON lines.
  }
}

function describeBody(body: Request["body"]): string {
  if (body === undefined) return "";
  if (typeof body === "string") return ` ${redact(body)}`;
  return body instanceof FormData ? " (multipart)" : ` (${body.byteLength} bytes)`;
}

function toPrintable(url: URL, baseUrl: string): string {
  return redact(url.href.startsWith(baseUrl) ? url.href.slice(baseUrl.length) : url.href);
}

/** Removes access tokens and passwords, and cuts the text. */
function redact(text: string): string {
  const clean = text
    .replaceAll(/(access_token=)[^&\s"]+/g, "$1…")
    .replaceAll(/("(?:password|current|new|confirm|secret)":")[^"]*/g, "$1…")
    .replaceAll(/("token":"(?!conformance-|visitor-)[^"]{6})[^"]*/g, "$1…");
  return clean.length > BODY_CHARS_MAX ? `${clean.slice(0, BODY_CHARS_MAX)} …` : clean;
}
