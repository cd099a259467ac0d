import { once } from "node:events";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { FILE_BYTES_MAX, type SourceFile, toSourceFile } from "../mapping/input.ts";
import { type Recognized, recognizeFile } from "../recognize.ts";
import { FetchError, toFetchError } from "./errors.ts";

export { FetchError } from "./errors.ts";

/**
 * Resolves the host and port of a request to the IP addresses that may be connected to.
 * @throws an error, whose message says so, for an address that may not be contacted
 */
export type Resolve = (
  host: string,
  port: number,
) => Promise<{ addresses: readonly string[]; port: number }>;

export interface FetchLimits {
  filesMax: number;
  fileBytesMax: number;
  totalBytesMax: number;
  /** Timeout of one request, with its body. */
  requestTimeoutMs: number;
  totalTimeoutMs: number;
}

const MIB = 1024 * 1024;
const usualLimits: FetchLimits = {
  filesMax: 40,
  fileBytesMax: FILE_BYTES_MAX,
  totalBytesMax: 32 * MIB,
  requestTimeoutMs: 15_000,
  totalTimeoutMs: 60_000,
};
const REDIRECTS_MAX = 5;
const HEAD_BYTES_MAX = 16 * 1024;

interface FetchOptions {
  resolve: Resolve;
  signal: AbortSignal;
  limits?: FetchLimits;
  /** Finds what a file names. Default: in this thread. */
  recognize?: (file: SourceFile) => Recognized | Promise<Recognized>;
  onFile?: (address: string) => void;
}

export interface FetchedSource {
  files: { file: SourceFile; recognized: Recognized }[];
  /** Files that a page or a file names and that were not fetched. */
  failed: { name: string; reason: string }[];
}

/**
 * Fetches an address, and the public files of consent products that it names. Named files that cannot be fetched are
 * returned as reasons.
 * @throws FetchError if the first address cannot be fetched
 */
export async function fetchSource(
  address: URL,
  { resolve, signal, limits = usualLimits, recognize = recognizeFile, onFile }: FetchOptions,
): Promise<FetchedSource> {
  const ending = AbortSignal.timeout(limits.totalTimeoutMs);
  const limited = AbortSignal.any([signal, ending]);
  const fetched: FetchedSource = { files: [], failed: [] };
  const seen = new Set<string>();
  const pending = [address.href];
  let bytes = 0;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    try {
      const left = limits.totalBytesMax - bytes;
      if (seen.size > limits.filesMax || left <= 0 || limited.aborted)
        throw new FetchError(
          toLimitReason(limits, { hasFiles: seen.size > limits.filesMax, left }),
        );
      onFile?.(next);
      const request = { resolve, signal: limited, limits, bytesMax: left };
      const { file, size } = await fetchFile(new URL(next), request);
      bytes += size;
      const recognized = await recognize(file);
      fetched.files.push({ file, recognized });
      fetched.failed.push(...recognized.omitted);
      pending.push(...recognized.further);
    } catch (error) {
      signal.throwIfAborted();
      const reason = ending.aborted
        ? toLimitReason(limits, { hasFiles: false, left: 1 })
        : toFetchError(error).message;
      if (fetched.files.length === 0)
        throw new FetchError(`${next} cannot be fetched. ${reason}`, { cause: error });
      fetched.failed.push({ name: next, reason });
    }
  }
  return fetched;
}

function toLimitReason(
  { filesMax, totalBytesMax, totalTimeoutMs }: FetchLimits,
  { hasFiles, left }: { hasFiles: boolean; left: number },
): string {
  if (hasFiles) return `At most ${filesMax} files are fetched.`;
  if (left <= 0) return `At most ${totalBytesMax / MIB} MiB are fetched.`;
  return `The time limit of ${totalTimeoutMs / 1_000} seconds was reached.`;
}

interface RequestOptions {
  resolve: Resolve;
  signal: AbortSignal;
  limits: FetchLimits;
  /** The rest of the limit of all files. */
  bytesMax: number;
}

/** Fetches one file, over at most five redirects. Its name is the address that was reached. */
async function fetchFile(
  address: URL,
  { resolve, signal, limits, bytesMax }: RequestOptions,
): Promise<{ file: SourceFile; size: number }> {
  const { requestTimeoutMs, fileBytesMax } = limits;
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  let url = address;
  try {
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const response = await open(url, resolve, AbortSignal.any([signal, timeout]));
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        url = toRedirect(headers.location, url);
        continue;
      }
      assertReadable(response);
      const max = Math.min(fileBytesMax, bytesMax);
      const bytes = await readBytes(response, max);
      return { file: toSourceFile(url.href, bytes), size: bytes.length };
    }
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    const reason = `The server did not answer within ${requestTimeoutMs / 1_000} seconds.`;
    throw new FetchError(reason, { cause: error });
  }
  throw new FetchError(`More than ${REDIRECTS_MAX} redirects.`);
}

/** @throws FetchError for an answer that is no file; the connection is closed by then */
function assertReadable(response: IncomingMessage): void {
  const { statusCode = 0, headers } = response;
  const isCompressed = (headers["content-encoding"] ?? "identity") !== "identity";
  if (statusCode === 200 && !isCompressed) return;
  response.destroy();
  if (statusCode === 200)
    throw new FetchError("The server sent a compressed answer, which was not asked for.");
  const advice =
    statusCode === 401 || statusCode === 403
      ? " It may reject programs. Save the page or the file in your browser, and pass it as a file."
      : "";
  throw new FetchError(`The server answered ${statusCode}.${advice}`);
}

function toRedirect(location: string, from: URL): URL {
  const url = URL.parse(location, from);
  const isDowngrade = from.protocol === "https:" && url?.protocol !== "https:";
  if (!url || !/^https?:$/.test(url.protocol) || isDowngrade)
    throw new FetchError("The server redirects to an address that is not allowed.");
  return url;
}

/** Connects to the addresses that were checked, which prevents DNS rebinding. */
async function open(url: URL, resolve: Resolve, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  const target = await resolve(host, port);
  const addresses = target.addresses.map((one) => ({ address: one, family: isIP(one) }));
  const [first] = addresses;
  if (!first) throw new FetchError(`${host} has no address.`);
  const request = (isSecure ? requestSecure : requestPlain)(url, {
    port: target.port,
    agent: false,
    headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "Avow move-in" },
    maxHeaderSize: HEAD_BYTES_MAX,
    signal,
    lookup: (_, options, answer) => {
      if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    },
  });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

async function readBytes(response: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  for await (const block of response as AsyncIterable<Uint8Array>) {
    bytes += block.length;
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) throw new FetchError(`The file has more than ${toMib(bytesMax)} MiB.`);
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}

function toMib(bytes: number): number {
  return Math.round((bytes / MIB) * 10) / 10;
}
