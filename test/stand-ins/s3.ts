import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type StandIn, openStandIn } from "./http.ts";
import { type Signer, findSignatureFault, sha256 } from "./signatures.ts";

/** A simulated fault of a request. */
export type Fault =
  /** Answers a status with S3's error of that name. */
  | { kind: "error"; status: number; code: string }
  /** Reads this many bytes of the body, then cuts the connection. */
  | { kind: "cut-upload"; afterBytes: number }
  /** Sends headers and half of the body, then cuts the connection. */
  | { kind: "cut-read" }
  /** Sends the body in parts, with pauses between them. */
  | { kind: "slow-read"; parts: number; pauseMs: number }
  /** Sends headers and half of the body, then nothing more. */
  | { kind: "stall-read" }
  /** Never answers. */
  | { kind: "silence" };

/** The requests that a fault applies to; a missing member matches any. */
interface RequestFilter {
  method?: string;
  key?: RegExp;
}

interface StoredObject {
  bytes: Buffer;
  etag: string;
  /** `content-type`, `cache-control` and `content-encoding`, when they were sent. */
  headers: Record<string, string>;
}

/** A minimal S3 with simulated faults. Objects are in memory, addresses are `/bucket/key`. */
export interface S3StandIn extends StandIn {
  /** By key. */
  objects: ReadonlyMap<string, StoredObject>;
  /** Method and key of each request, in order. */
  requests: readonly { method: string; key: string; headers: IncomingMessage["headers"] }[];
  /** Makes the next `times` matching requests fail with this fault. */
  fail(which: RequestFilter & { times: number }, fault: Fault): void;
  /** Removes the remaining faults. */
  clear(): void;
  /** Makes matching requests wait, before they are processed, until `release`. */
  hold(which: RequestFilter): Hold;
}

interface Hold {
  /** Resolves when `count` requests wait. */
  waiting(count: number): Promise<void>;
  release(): void;
}

export interface S3StandInOptions extends Signer {
  bucket: string;
}

interface HeldRequests {
  which: RequestFilter;
  count: number;
  arrived: Set<() => void>;
  released: PromiseWithResolvers<void>;
}

const LISTED_MAX = 3;
const kept = ["content-type", "cache-control", "content-encoding"];

/** Opens the stand-in, which rejects requests that are not signed by the user in `options`, as S3 does. */
export async function openS3StandIn(options: S3StandInOptions): Promise<S3StandIn> {
  const objects = new Map<string, StoredObject>();
  const requests: { method: string; key: string; headers: IncomingMessage["headers"] }[] = [];
  const faults: (RequestFilter & { times: number; fault: Fault })[] = [];
  const holds = new Set<HeldRequests>();
  const takeFault = (method: string, key: string): Fault | undefined => {
    const found = faults.find((one) => one.times > 0 && matches(one, method, key));
    if (found) found.times -= 1;
    return found?.fault;
  };
  const listen = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = "GET" } = request;
    const [bucket, key] = toLocation(request);
    requests.push({ method, key, headers: request.headers });
    for (const held of [...holds].filter(({ which }) => matches(which, method, key)))
      await wait(held);
    const fault = takeFault(method, key);
    if (fault?.kind === "silence") return;
    if (fault?.kind === "error") {
      await readBody(request);
      return answerError(answer, fault.status, fault.code);
    }
    const body = await readBody(
      request,
      fault?.kind === "cut-upload" ? fault.afterBytes : undefined,
    );
    if (!body) return;
    const refused = findRefusal(request, { body, bucket, options });
    if (refused) return answerError(answer, refused.status, refused.code);
    await operate({ objects, method, key, request, body, answer, fault });
  };
  const server = await openStandIn((request, answer) => {
    // The client may disconnect during a request.
    listen(request, answer).catch(() => answer.destroy());
  });
  return {
    ...server,
    objects,
    requests,
    fail: (which, fault) => void faults.push({ ...which, fault }),
    clear: () => void faults.splice(0),
    hold(which) {
      const held = { which, count: 0, arrived: new Set<() => void>(), released: newPromise() };
      holds.add(held);
      return {
        async waiting(count) {
          while (held.count < count)
            await new Promise<void>((resolve) => held.arrived.add(resolve));
        },
        release() {
          holds.delete(held);
          held.released.resolve();
        },
      };
    },
  };
}

/** A page of keys, of at most three so that tests read several. */
function toListing(objects: ReadonlyMap<string, StoredObject>, { url }: IncomingMessage): string {
  const { searchParams } = new URL(url ?? "", "http://s3");
  const after = searchParams.get("continuation-token") ?? "";
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(searchParams.get("prefix") ?? "") && key > after)
    .toSorted();
  const page = keys.slice(0, LISTED_MAX);
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
  const next =
    keys.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1) ?? ""}</NextContinuationToken>`
      : "<IsTruncated>false</IsTruncated>";
  return `<ListBucketResult><KeyCount>${page.length}</KeyCount>${contents}${next}</ListBucketResult>`;
}

interface Operation {
  objects: Map<string, StoredObject>;
  method: string;
  key: string;
  request: IncomingMessage;
  body: Buffer;
  answer: ServerResponse;
  fault: Fault | undefined;
}

async function operate({ objects, method, key, ...rest }: Operation): Promise<void> {
  const { request, body, answer, fault } = rest;
  if (key === "") {
    answer.writeHead(200, { "content-type": "application/xml" }).end(toListing(objects, request));
    return;
  }
  if (method === "PUT") {
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const given = kept.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    });
    objects.set(key, { bytes: body, etag, headers: Object.fromEntries(given) });
    answer.writeHead(200, { etag }).end();
    return;
  }
  if (method === "DELETE") {
    objects.delete(key);
    answer.writeHead(204).end();
    return;
  }
  const object = objects.get(key);
  if (!object) return answerError(answer, 404, "NoSuchKey");
  const { etag, headers } = object;
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  const [start, end] = range ? [Number(range[1]), Number(range[2]) + 1] : [0, object.bytes.length];
  if (range && start >= object.bytes.length) return answerError(answer, 416, "InvalidRange");
  const bytes = object.bytes.subarray(start, end);
  answer.writeHead(range ? 206 : 200, { ...headers, etag, "content-length": bytes.length });
  if (method === "HEAD") answer.end();
  else await sendBody(answer, bytes, fault);
}

async function sendBody(answer: ServerResponse, bytes: Buffer, fault: Fault | undefined) {
  if (fault?.kind === "stall-read" || fault?.kind === "cut-read") {
    answer.write(bytes.subarray(0, bytes.length / 2));
    if (fault.kind === "cut-read") setImmediate(() => answer.destroy());
    return;
  }
  const { parts, pauseMs } = fault?.kind === "slow-read" ? fault : { parts: 1, pauseMs: 0 };
  const size = Math.ceil(bytes.length / parts);
  for (let at = 0; at < bytes.length; at += size) {
    answer.write(bytes.subarray(at, at + size));
    if (pauseMs > 0) await delay(pauseMs);
  }
  answer.end();
}

/** The whole body; undefined when the connection was cut after `cutAfter` bytes. */
async function readBody(request: IncomingMessage, cutAfter?: number): Promise<Buffer | undefined> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of request) {
    if (!Buffer.isBuffer(block)) throw new Error("a body consists of bytes");
    blocks.push(block);
    bytes += block.length;
    if (cutAfter === undefined || bytes < cutAfter) continue;
    request.socket.destroy();
    return undefined;
  }
  return Buffer.concat(blocks);
}

interface ReceivedRequest {
  body: Buffer;
  bucket: string;
  options: S3StandInOptions;
}

function findRefusal(request: IncomingMessage, { body, bucket, options }: ReceivedRequest) {
  const claimedHash = String(request.headers["x-amz-content-sha256"]);
  const code = findSignatureFault(request, claimedHash, options);
  if (code) return { status: 403, code };
  if (claimedHash !== "UNSIGNED-PAYLOAD" && claimedHash !== sha256(body))
    return { status: 400, code: "XAmzContentSHA256Mismatch" };
  return bucket === options.bucket ? undefined : { status: 404, code: "NoSuchBucket" };
}

function answerError(answer: ServerResponse, status: number, code: string): void {
  // S3 adds this to errors of authentication.
  const more = status === 403 ? "<AWSAccessKeyId>KEY</AWSAccessKeyId>" : "";
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}, says the stand-in</Message>${more}</Error>`;
  answer.writeHead(status, { "content-type": "application/xml" }).end(xml);
}

function toLocation(request: IncomingMessage): [bucket: string, key: string] {
  const [, bucket = "", ...rest] = (request.url ?? "/").split("?", 1)[0]?.split("/") ?? [];
  return [bucket, rest.join("/")];
}

function matches(which: RequestFilter, method: string, key: string): boolean {
  return (which.method ?? method) === method && (which.key?.test(key) ?? true);
}

async function wait(held: HeldRequests): Promise<void> {
  held.count += 1;
  for (const notify of held.arrived) notify();
  held.arrived.clear();
  await held.released.promise;
}

function newPromise(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>();
}
