import { randomInt } from "node:crypto";

/** Creates consecutive requests, each complete with head and body. */
export type RequestSource = () => string;

export interface RequestParts {
  method: "GET" | "POST";
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
}

/** Placeholder in a request for the name that differs each time it is sent; has the length of a name. */
export const NAME = "name_of_each_request";

const RUN_LENGTH = NAME.length - 12;
const COUNTER_START = 8 ** 11;
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** A prefix that makes the names of this run unique. */
export function newRun(): string {
  return Array.from({ length: RUN_LENGTH }, () => base58[randomInt(base58.length)]).join("");
}

/** The name with number `n` of a run: 20 characters of base 58, so that the length of requests is constant. */
export function nameOf(run: string, n: number): string {
  return run + (COUNTER_START + n).toString(8).replaceAll("0", "8");
}

/** The same requests in rotation, each time with the next name instead of `NAME`. */
export function repeat(requests: readonly RequestParts[], nextName: () => string): RequestSource {
  const pieces = requests.map((request) => toRequest(request).split(NAME));
  let count = 0;
  return () => (pieces[count++ % pieces.length] ?? []).join(nextName());
}

/** An endless sequence of new names. */
export function countNames(run: string): () => string {
  let count = 0;
  return () => nameOf(run, count++);
}

/** A random one of the first `count` names of a run. */
export function pickNames(run: string, count: number): () => string {
  return () => nameOf(run, Math.floor(Math.random() * count));
}

/** An HTTP/1.1 request as ASCII text. */
function toRequest({ method, url, headers = {}, json }: RequestParts): string {
  const { host, pathname, search } = new URL(url);
  const body = json === undefined ? "" : toAsciiJson(json);
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(json === undefined ? [] : ["content-type: application/json"]),
    ...(method === "POST" ? [`content-length: ${body.length}`] : []),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

function toAsciiJson(json: unknown): string {
  return JSON.stringify(json).replaceAll(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
