import { once } from "node:events";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import type { Resolve } from "@avow/scanner";
import { CommandError, toReason } from "../terminal/errors.ts";
import { readBytes, readWhole } from "../terminal/read-bytes.ts";
import { listPublicFiles } from "@avow/move-in";
import { FILE_BYTES_MAX, type SourceFile } from "@avow/move-in/input";

const FILES_MAX = 40;
const TOTAL_BYTES_MAX = 32 * 1024 * 1024;
const REDIRECTS_MAX = 5;
const REQUEST_TIMEOUT_MS = 15_000;
const ALL_TIMEOUT_MS = 60_000;
const HEAD_BYTES_MAX = 16 * 1024;

/** Reads a file of this machine; in TypeScript, its types are removed. */
export async function readSourceFile(name: string): Promise<SourceFile> {
  const bytes = await readBytes(name, FILE_BYTES_MAX);
  const text = new TextDecoder().decode(bytes);
  if (!/\.[mc]?ts$/.test(name)) return { name, text };
  const { stripTypeScriptTypes } = await import("node:module");
  return { name, text: stripTypeScriptTypes(text) };
}

/** The address of a source, if it is one; undefined for a file. */
export function toSourceAddress(source: string): URL | undefined {
  return /^https?:\/\//i.test(source) ? (URL.parse(source) ?? undefined) : undefined;
}

interface FetchOptions {
  /** Opens the check of addresses; the given host may be private, every other host must be public. */
  resolve: Resolve;
  signal: AbortSignal;
  onFile?: (address: string) => void;
}

/**
 * Fetches an address, and the public files of consent products that it names: at most 40 files of 8 MiB, 32 MiB in all,
 * within a minute. Named files that cannot be fetched are returned as reasons.
 * @throws CommandError if the first address cannot be fetched
 */
export async function fetchSource(
  address: URL,
  { resolve, signal, onFile }: FetchOptions,
): Promise<{ files: SourceFile[]; failed: { name: string; reason: string }[] }> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ALL_TIMEOUT_MS)]);
  const files: SourceFile[] = [];
  const failed: { name: string; reason: string }[] = [];
  const seen = new Set<string>();
  const pending = [address.href];
  let total = 0;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (seen.has(next) || seen.size >= FILES_MAX || total >= TOTAL_BYTES_MAX) continue;
    seen.add(next);
    onFile?.(next);
    try {
      const file = await fetchFile(new URL(next), { resolve, signal: limited });
      total += file.text.length;
      files.push(file);
      pending.push(...listPublicFiles(file));
    } catch (error) {
      if (signal.aborted) throw error;
      const reason = limited.aborted ? "The time limit of a minute was reached." : toReason(error);
      if (files.length === 0) throw new CommandError(`${next} cannot be fetched. ${reason}`);
      failed.push({ name: next, reason });
    }
  }
  return { files, failed };
}

/** Fetches one file, over at most five redirects. Its name is the address that was reached. */
async function fetchFile(
  address: URL,
  { resolve, signal }: Pick<FetchOptions, "resolve" | "signal">,
): Promise<SourceFile> {
  let url = address;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const response = await open(url, { resolve, signal });
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      url = toRedirect(headers.location, url);
      continue;
    }
    if (statusCode !== 200) {
      response.destroy();
      throw new CommandError(`The server answered ${statusCode}.`);
    }
    if ((headers["content-encoding"] ?? "identity") !== "identity") {
      response.destroy();
      throw new CommandError("The server sent a compressed answer, which was not asked for.");
    }
    const bytes = await readWhole(response, url.href, FILE_BYTES_MAX);
    return { name: url.href, text: new TextDecoder().decode(bytes) };
  }
  throw new CommandError(`More than ${REDIRECTS_MAX} redirects.`);
}

function toRedirect(location: string, from: URL): URL {
  const url = URL.parse(location, from);
  const isDowngrade = from.protocol === "https:" && url?.protocol !== "https:";
  if (!url || !/^https?:$/.test(url.protocol) || isDowngrade)
    throw new CommandError("The server redirects to an address that is not allowed.");
  return url;
}

/** Connects to the addresses that were checked, which prevents DNS rebinding. */
async function open(
  url: URL,
  { resolve, signal }: Pick<FetchOptions, "resolve" | "signal">,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  const target = await resolve(host, port);
  const addresses = target.addresses.map((one) => ({ address: one, family: isIP(one) }));
  const [first] = addresses;
  if (!first) throw new CommandError(`${host} has no address.`);
  const request = (isSecure ? requestSecure : requestPlain)(url, {
    port: target.port,
    agent: false,
    headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "Avow move-in" },
    maxHeaderSize: HEAD_BYTES_MAX,
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    lookup: (_, options, answer) => {
      if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    },
  });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}
