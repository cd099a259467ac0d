import { createHash } from "node:crypto";
import type { Given } from "../terminal/arguments.ts";
import { type ExportManifest, exportConsents } from "@avow/client/operations";
import { sleep } from "@avow/client/retry";
import { CommandError } from "../terminal/errors.ts";

export const formats = ["csv", "ndjson", "parquet"] as const;

export type Filters = NonNullable<NonNullable<typeof exportConsents.input>["query"]>;

/** What is to be exported. */
export interface Asked {
  projectId: string;
  format: (typeof formats)[number];
  filters: Filters;
}

/** The manifest of an export; older services leave the log out. */
export type Manifest = Omit<ExportManifest, "log"> & { log?: ExportManifest["log"] | undefined };

/** One answer of the service, which is the whole file or the end of one. */
export interface Part {
  manifest: Manifest;
  /** Of the bytes that the manifest tells of. */
  bytes: number;
  sha256: string;
}

const LINE_FEED = 0x0a;
const RETRY_MS = 200;
const MANIFEST_TRIES = 25;
const ASK_MS = 1_000;
/** The bar stays below its end until the end is there. */
const DONE_MAX = 0.99;

interface Reading {
  asked: Asked;
  /** The last record that is there already. */
  after: string | undefined;
  signal: AbortSignal;
  write: (bytes: Uint8Array) => Promise<void>;
  /** Called with the link to the manifest before the first byte. */
  begin?: (manifest: string) => Promise<void>;
  countBefore?: number;
}

/** Asks for an export, writes what comes, and reads its manifest. */
export async function readPart({ client, progress }: Given, reading: Reading): Promise<Part> {
  const { asked, after, signal, write, begin } = reading;
  const { projectId, format, filters } = asked;
  const query = { ...filters, ...(after === undefined ? {} : { after }) };
  const input = { path: { projectId, format }, query };
  const answer = await client.sendFile(exportConsents, input, { signal });
  const [, link] = /<([^>]+)>; *rel="describedby"/.exec(answer.headers.get("link") ?? "") ?? [];
  if (link === undefined || !answer.body)
    throw new CommandError("The service names no manifest of its export.");
  await begin?.(link);
  const tally = createTally(asked.format === "ndjson");
  const show = toShow(progress, { reading, estimate: answer.headers.get("x-export-estimate") });
  const counter =
    asked.format === "parquet" ? followCount(client, link, signal) : openLineCounter();
  for await (const block of answer.body) {
    tally.add(block);
    await write(block);
    show(counter.add(block), tally.bytes());
  }
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await client.send(client.toLinked<Manifest>(link), undefined, { signal });
    // The answer ends a moment before its end is noted.
    if (manifest.state !== "running" || attempt >= MANIFEST_TRIES)
      return { manifest, ...tally.end(manifest.bytes) };
    await sleep(RETRY_MS, signal);
  }
}

/** Shows how far an answer has come: of so many records as the service expects, where it knows. */
function toShow(
  progress: Given["progress"],
  { reading, estimate }: { reading: Reading; estimate: string | null },
): (count: number, bytes: number) => void {
  const before = reading.countBefore ?? 0;
  const expected = Number(estimate ?? 0);
  return (count, bytes) => {
    const done = before + count;
    // More may come than was expected: it is not done before its end.
    const total = expected > 0 ? Math.max(before + expected, done / DONE_MAX) : undefined;
    const isCounted = reading.asked.format !== "parquet";
    const unit = isCounted ? "records" : "bytes";
    progress.show({ title: "Exporting", done, total, unit, count: isCounted ? done : bytes });
  };
}

/** Records that came so far. */
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

/** Of a file without lines the manifest is asked now and then. */
function followCount(client: Given["client"], link: string, signal: AbortSignal): Counter {
  let count = 0;
  let askedAt = performance.now();
  const ask = async (): Promise<void> => {
    const asked = { signal, retries: 0 };
    ({ count } = await client.send(client.toLinked<Manifest>(link), undefined, asked));
  };
  const add = (): number => {
    if (performance.now() - askedAt < ASK_MS) return count;
    askedAt = performance.now();
    // It is for the eye alone: what is wrong with the connection is told elsewhere.
    ask().catch(() => undefined);
    return count;
  };
  return { add };
}

/** The SHA-256 of what comes; of NDJSON without the last line, which is a manifest itself. */
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
      // What follows the line feed before the last byte may be the last line.
      const whole = held.length > 0 ? Buffer.concat([held, block]) : block;
      const end = whole.lastIndexOf(LINE_FEED, whole.length - 2) + 1;
      take(whole.subarray(0, end));
      held = whole.subarray(end);
    },
    end(told: number): { bytes: number; sha256: string } {
      if (bytes < told) take(held.subarray(0, told - bytes));
      return { bytes, sha256: digest.digest("hex") };
    },
  };
}
