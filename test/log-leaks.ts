import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** Lines are written to the file once this many characters are buffered. */
const BUFFER_CHARS = 1024 * 1024;
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const READ_BYTES = 4 * 1024 * 1024;
/** A shorter secret may occur in a log by chance. */
const SECRET_LENGTH_MIN = 8;
/** So may a word: random passwords are occasionally "prototype". */
const wordPattern = /^[A-Za-z]+$/;
/**
 * Long secrets are looked up by this many leading characters, at each position of a run of such characters.
 */
const HEAD_LENGTH = 20;
const runPattern = /[\w-]{20,}/g;

/** Searches the logs of a test run for the secrets that were issued or sent in it. */
export interface LeakDetector extends Disposable {
  /** Records a line of a log, at any level. */
  write(line: string): void;
  /** Records a secret, with its description. */
  remember(what: string, secret: unknown): void;
  /** The amount of recorded logs and secrets. */
  counts(): { bytes: number; secrets: number };
  /** Finds lines that contain a secret; returns each with the secret removed. */
  findLeaks(): string[];
}

/**
 * Keeps every line in a file, since a secret may be logged before it is recorded. In memory are a MiB of
 * lines and the secrets.
 */
export function openLeakDetector(bytesMax = FILE_BYTES_MAX): LeakDetector {
  const folder = mkdtempSync(join(tmpdir(), "avow-log-"));
  const file = openSync(join(folder, "log"), "w+");
  const long = new Map<string, { what: string; secret: string }>();
  const short = new Map<string, string>();
  let waiting: string[] = [];
  let chars = 0;
  let bytes = 0;
  const flush = (): void => {
    if (bytes < bytesMax) bytes += writeSync(file, waiting.join(""), bytes);
    [waiting, chars] = [[], 0];
  };
  return {
    write(line) {
      waiting.push(line);
      chars += line.length;
      if (chars >= BUFFER_CHARS) flush();
    },
    remember(what, secret) {
      if (typeof secret !== "string" || secret.length < SECRET_LENGTH_MIN) return;
      if (wordPattern.test(secret)) return;
      const [run] = [...secret.matchAll(runPattern)].toSorted((a, b) => b[0].length - a[0].length);
      if (run) long.set(run[0].slice(0, HEAD_LENGTH), { what, secret: run[0] });
      else short.set(secret, what);
    },
    counts: () => ({ bytes: bytes + chars, secrets: long.size + short.size }),
    findLeaks() {
      flush();
      if (bytes >= bytesMax)
        return [`More than ${bytesMax} bytes were logged: some may have leaked unnoticed.`];
      return [...readLines(file, bytes)].flatMap((line) => findInLine(line, { long, short }));
    },
    [Symbol.dispose]() {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function* readLines(file: number, bytes: number): Generator<string> {
  const block = Buffer.alloc(READ_BYTES);
  let rest = Buffer.alloc(0);
  for (let at = 0; at < bytes;) {
    const read = readSync(file, block, 0, block.length, at);
    if (read === 0) break;
    at += read;
    const whole = Buffer.concat([rest, block.subarray(0, read)]);
    const end = whole.lastIndexOf(0x0a) + 1;
    yield* whole.subarray(0, end).toString().split("\n");
    rest = whole.subarray(end);
  }
  yield rest.toString();
}

function findInLine(
  line: string,
  {
    long,
    short,
  }: {
    long: ReadonlyMap<string, { what: string; secret: string }>;
    short: ReadonlyMap<string, string>;
  },
): string[] {
  const leaks: string[] = [];
  const report = (what: string, secret: string): void =>
    void leaks.push(`${what} in the log: ${line.replaceAll(secret, "[…]").slice(0, 2_000)}`);
  for (const [run] of line.matchAll(runPattern))
    for (let at = 0; at + HEAD_LENGTH <= run.length; at += 1) {
      const found = long.get(run.slice(at, at + HEAD_LENGTH));
      if (found && run.startsWith(found.secret, at)) report(found.what, found.secret);
    }
  for (const [secret, what] of short) if (line.includes(secret)) report(what, secret);
  return leaks;
}

/**
 * Records the output of a child process by whole lines of each stream, so that two streams never mix within
 * one.
 */
export function recordStream(log: LeakDetector, stream: Readable): void {
  let rest = "";
  stream
    .on("data", (text: string) => {
      const end = text.lastIndexOf("\n") + 1;
      if (end > 0) {
        log.write(rest + text.slice(0, end));
        rest = "";
      }
      rest += text.slice(end);
    })
    .once("close", () => log.write(`${rest}\n`));
}

interface Exchange {
  path: string;
  /** The request's body. */
  json: unknown;
  token: string | undefined;
  /** The response's body. */
  body: unknown;
}

/** Records every secret of a request and its response, by their fields in the interfaces. */
export function rememberExchange(log: LeakDetector, { path, json, token, body }: Exchange): void {
  rememberIssued(log, "an access token", token);
  if (!/\/v1\/(?:auth|webhooks|app|client)\b/.test(path)) return;
  for (const part of [json, body]) {
    if (typeof part !== "object" || part === null) continue;
    const { value } = (fieldOf(part, "invitationToken") ?? {}) as { value?: unknown };
    rememberIssued(log, "the token of an invitation", value ?? fieldOf(part, "invitationToken"));
    const what = path.includes("/v1/auth/") ? "a token" : "a visitor's token";
    rememberIssued(log, what, fieldOf(part, "token"));
    for (const name of ["password", "new", "current"])
      log.remember("a password", fieldOf(part, name));
    const url = path.endsWith("/links") ? fieldOf(part, "url") : undefined;
    if (typeof url === "string") log.remember("what opens a person's page", url.split("/").at(-1));
    rememberIssued(log, "a one-time code", fieldOf(part, "code"));
    log.remember("the secret of a webhook", fieldOf(part, "secret"));
  }
}

/**
 * Only tokens and codes that a service may have created: one that a test makes up may be any word, such as
 * "arguments".
 */
function rememberIssued(log: LeakDetector, what: string, given: unknown): void {
  if (typeof given === "string" && given.length >= HEAD_LENGTH) log.remember(what, given);
}

function fieldOf(part: object, name: string): unknown {
  return (part as Record<string, unknown>)[name];
}
