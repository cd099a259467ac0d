import { createHash } from "node:crypto";
import type { Arguments } from "../terminal/arguments.ts";
import { type ExportManifest, exportConsents } from "@avow/client/operations";
import { sleep } from "@avow/client/retry";
import { CommandError } from "../terminal/errors.ts";

export const formats = ["csv", "ndjson", "parquet"] as const;

export type Filters = NonNullable<NonNullable<typeof exportConsents.input>["query"]>;

export interface ExportRequest {
  projectId: string;
  format: (typeof formats)[number];
  filters: Filters;
}

/** The manifest of an export; older services omit the log. */
export type Manifest = Omit<ExportManifest, "log"> & { log?: ExportManifest["log"] | undefined };

/** One response of the service: a whole file or the end of one. */
export interface Part {
  manifest: Manifest;
  /** Size and SHA-256 of the received bytes that the manifest covers. */
  bytes: number;
  sha256: string;
}

const LINE_FEED = 0x0a;
const RETRY_MS = 200;
const MANIFEST_TRIES = 25;
const POLL_MS = 1_000;
/** The progress bar stays below 100 % until the response ends. */
const DONE_MAX = 0.99;

interface Reading {
  request: ExportRequest;
  /** The last record that was already written. */
  after: string | undefined;
  signal: AbortSignal;
  write: (bytes: Uint8Array) => Promise<void>;
  /** Called with the link to the manifest before the first byte. */
  begin?: (manifest: string) => Promise<void>;
  countBefore?: number;
}

/** Requests an export, writes the response, and reads its manifest. */
export async function readPart({ client, progress }: Arguments, reading: Reading): Promise<Part> {
  const { request, after, signal, write, begin } = reading;
  const { projectId, format, filters } = request;
  const query = { ...filters, ...(after === undefined ? {} : { after }) };
  const input = { path: { projectId, format }, query };
  const answer = await client.sendFile(exportConsents, input, { signal });
  const [, link] = /<([^>]+)>; *rel="describedby"/.exec(answer.headers.get("link") ?? "") ?? [];
  if (link === undefined || !answer.body)
    throw new CommandError("The service did not link the manifest of its export.");
  await begin?.(link);
  const tally = createTally(request.format === "ndjson");
  const show = toShow(progress, { reading, estimate: answer.headers.get("x-export-estimate") });
  const counter =
    request.format === "parquet" ? followCount(client, link, signal) : openLineCounter();
  for await (const block of answer.body) {
    tally.add(block);
    await write(block);
    show(counter.add(block), tally.bytes());
  }
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await client.send(client.toLinked<Manifest>(link), undefined, { signal });
    // The response ends a moment before the manifest does.
    if (manifest.state !== "running" || attempt >= MANIFEST_TRIES)
      return { manifest, ...tally.end(manifest.bytes) };
    await sleep(RETRY_MS, signal);
  }
}

/** Shows the progress of a response, against the service's estimate of records if there is one. */
function toShow(
  progress: Arguments["progress"],
  { reading, estimate }: { reading: Reading; estimate: string | null },
): (count: number, bytes: number) => void {
  const before = reading.countBefore ?? 0;
  const expected = Number(estimate ?? 0);
  return (count, bytes) => {
    const done = before + count;
    // The estimate may be too low.
    const total = expected > 0 ? Math.max(before + expected, done / DONE_MAX) : undefined;
    const isCounted = reading.request.format !== "parquet";
    const unit = isCounted ? "records" : "bytes";
    progress.show({ title: "Exporting", done, total, unit, count: isCounted ? done : bytes });
  };
}

/** Counts the received records. */
interface Counter {
  add: (block: Uint8Array) => number;
}

function openLineCounter(): Counter {
  let count = 0;
  const add = (block: Uint8Array): number => {
    for (let at = block.indexOf(LINE_FEED); at >= 0; at = block.indexOf(LINE_FEED, at + 1))
      count += 1;
    return count;
  };
  return { add };
}

/** Polls the manifest for the count of a file without lines. */
function followCount(client: Arguments["client"], link: string, signal: AbortSignal): Counter {
  let count = 0;
  let polledAt = performance.now();
  const poll = async (): Promise<void> => {
    const options = { signal, retries: 0 };
    ({ count } = await client.send(client.toLinked<Manifest>(link), undefined, options));
  };
  const add = (): number => {
    if (performance.now() - polledAt < POLL_MS) return count;
    polledAt = performance.now();
    // The count is only for the progress bar. Connection errors are reported by the download.
    poll().catch(() => undefined);
    return count;
  };
  return { add };
}

/** The SHA-256 of the received bytes; of NDJSON without the last line, which is the manifest. */
function createTally(hasLastLine: boolean) {
  const digest = createHash("sha256");
  let held: Uint8Array = new Uint8Array();
  let bytes = 0;
  const take = (block: Uint8Array): void => {
    digest.update(block);
    bytes += block.length;
  };
  return {
    bytes: () => bytes + held.length,
    add(block: Uint8Array): void {
      if (!hasLastLine) return take(block);
      // The bytes after the line feed before the last byte may be the last line.
      const whole = held.length > 0 ? Buffer.concat([held, block]) : block;
      const end = whole.lastIndexOf(LINE_FEED, whole.length - 2) + 1;
      take(whole.subarray(0, end));
      held = whole.subarray(end);
    },
    end(expected: number): { bytes: number; sha256: string } {
      if (bytes < expected) take(held.subarray(0, expected - bytes));
      return { bytes, sha256: digest.digest("hex") };
    },
  };
}
