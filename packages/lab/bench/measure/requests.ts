import { randomInt } from "node:crypto";

/** Makes one request after another, each whole: head and body. */
export type RequestSource = () => string;

export interface RequestParts {
  method: "GET" | "POST";
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
}

/** Stands in a request for the name that each sending of it gets; as long as a name. */
export const NAME = "name_of_each_request";

const RUN_LENGTH = NAME.length - 12;
const COUNTER_START = 8 ** 11;
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** A prefix that keeps the names of this run apart from those of every other. */
export function newRun(): string {
  return Array.from({ length: RUN_LENGTH }, () => base58[randomInt(base58.length)]).join("");
}

/** The name of number `n` of a run: 20 characters of base 58, so that requests keep their length. */
export function nameOf(run: string, n: number): string {
  return run + (COUNTER_START + n).toString(8).replaceAll("0", "8");
}

/** The same requests in turn, each time with the next name in place of `NAME`. */
export function repeat(requests: readonly RequestParts[], nextName: () => string): RequestSource {
  const pieces = requests.map((request) => toRequest(request).split(NAME));
  let count = 0;
  return () => (pieces[count++ % pieces.length] ?? []).join(nextName());
}

/** New names without end. */
export function countNames(run: string): () => string {
  let count = 0;
  return () => nameOf(run, count++);
}

/** One of the first `count` names of a run, at random. */
export function pickNames(run: string, count: number): () => string {
  return () => nameOf(run, Math.floor(Math.random() * count));
}

/** An HTTP/1.1 request as text, all of it ASCII. */
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
