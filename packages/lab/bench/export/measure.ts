import { createHash } from "node:crypto";
import { createClient } from "../../instance/requests.ts";
import { listBackends, readProcessorSeconds, secondsSince } from "../measure/processor.ts";
import type { Site } from "../measure/site.ts";
import { readMemory } from "../measure/steady.ts";

const SAMPLE_MS = 50;
const NEWLINE = 0x0a;
/** More bytes than the manifest at the end of a file has. */
const TAIL_BYTES = 8_192;

export interface ExportMeasure {
  format: string;
  /** Records in the file, counted by the reader. */
  count: number;
  bytes: number;
  seconds: number;
  /** Maximum resident memory of the service, in MiB. */
  memoryMax: number;
  /** Processor time in seconds, which other load on the machine does not affect. */
  avowSeconds: number;
  postgresSeconds: number;
  readerSeconds: number;
}

interface Manifest {
  complete: boolean;
  count: number;
  bytes: number;
  sha256: string;
}

/** Reads one export completely. Throws if its count or its hash differs from the manifest. */
export async function measureExport(
  { token, projectId }: Site,
  {
    url,
    pid,
    format,
    databaseUrl,
  }: { url: string; pid: number; format: string; databaseUrl: string },
): Promise<ExportMeasure> {
  let memoryMax = 0;
  const sample = async (): Promise<void> => {
    memoryMax = Math.max(memoryMax, await readMemory(pid));
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  try {
    const backends = await listBackends(databaseUrl);
    const before = await readProcessorSeconds([pid, process.pid, ...backends]);
    const startedAt = performance.now();
    const answer = await fetch(`${url}/v1/app/exports/${projectId}.${format}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok || !answer.body) throw new Error(`${format}: status ${answer.status}.`);
    const file = await readFile(answer.body);
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await readProcessorSeconds([pid, process.pid, ...backends]);
    const of = (pids: readonly number[]) =>
      secondsSince(before, new Map([...after].filter(([other]) => pids.includes(other))));
    await sample();
    const exportId = answer.headers.get("x-export-id") ?? "";
    const manifest = await createClient(url)
      .withToken(token)
      .send<Manifest>(`/v1/app/exports/${projectId}/manifests/${exportId}`);
    const count = toCount(format, file, manifest);
    return {
      format,
      count,
      bytes: file.bytes,
      seconds,
      memoryMax,
      avowSeconds: of([pid]),
      postgresSeconds: of(backends),
      readerSeconds: of([process.pid]),
    };
  } finally {
    clearInterval(timer);
  }
}

interface ReadFile {
  bytes: number;
  lines: number;
  sha256: string;
  /** SHA-256 of all but the last line. */
  sha256BeforeLast: string;
}

async function readFile(body: ReadableStream<Uint8Array>): Promise<ReadFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  let lines = 0;
  /** Bytes that are not hashed yet, which include the last line. */
  let tail = Buffer.of();
  for await (const chunk of body) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    // The last line is short; a chunk may be shorter.
    const all = chunk.length < TAIL_BYTES ? Buffer.concat([tail, chunk]) : chunk;
    if (all === chunk) hash.update(tail);
    const rest = Math.max(0, all.length - TAIL_BYTES);
    hash.update(all.subarray(0, rest));
    tail = Buffer.from(all.subarray(rest));
  }
  const before = hash.copy();
  before.update(tail.subarray(0, tail.lastIndexOf(NEWLINE, -2) + 1));
  const sha256 = hash.update(tail).digest("hex");
  return { bytes, lines, sha256, sha256BeforeLast: before.digest("hex") };
}

/** Counts lines of NDJSON, which ends with its manifest, and of CSV, which has a header. Parquet is counted by its manifest. */
function toCount(format: string, file: ReadFile, manifest: Manifest): number {
  const sha256 = format === "ndjson" ? file.sha256BeforeLast : file.sha256;
  if (!manifest.complete || sha256 !== manifest.sha256)
    throw new Error(`${format}: the file does not match its manifest.`);
  const count = format === "parquet" ? manifest.count : file.lines - 1;
  if (count !== manifest.count)
    throw new Error(`${format}: ${count} records, but ${manifest.count} in the manifest.`);
  return count;
}
