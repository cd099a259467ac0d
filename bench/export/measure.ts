import { createHash } from "node:crypto";
import { createClient } from "../../scripts/requests.ts";
import type { Site } from "../site.ts";
import { readMemory } from "../steady.ts";

const SAMPLE_MS = 50;
const NEWLINE = 0x0a;

export interface ExportMeasure {
  format: string;
  /** Records in the file, as its reader counts them. */
  count: number;
  bytes: number;
  seconds: number;
  /** The service's resident memory at most, in MiB. */
  memoryMax: number;
}

interface Manifest {
  complete: boolean;
  count: number;
  bytes: number;
  sha256: string;
}

/** Reads one export to its end. Throws when its count or its hash is not the manifest's. */
export async function measureExport(
  { token, projectId }: Site,
  { url, pid, format }: { url: string; pid: number; format: string },
): Promise<ExportMeasure> {
  let memoryMax = 0;
  const sample = async (): Promise<void> => {
    memoryMax = Math.max(memoryMax, await readMemory(pid));
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  try {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/v1/app/exports/${projectId}.${format}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok || !answer.body) throw new Error(`${format}: answered ${answer.status}.`);
    const file = await readFile(answer.body);
    const seconds = (performance.now() - startedAt) / 1_000;
    await sample();
    const exportId = answer.headers.get("x-export-id") ?? "";
    const manifest = await createClient(url)
      .withToken(token)
      .send<Manifest>(`/v1/app/exports/${projectId}/manifests/${exportId}`);
    const count = toCount(format, file, manifest);
    return { format, count, bytes: file.bytes, seconds, memoryMax };
  } finally {
    clearInterval(timer);
  }
}

interface ReadFile {
  bytes: number;
  lines: number;
  sha256: string;
  /** Of all but the last line. */
  sha256BeforeLast: string;
}

async function readFile(body: ReadableStream<Uint8Array>): Promise<ReadFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  let lines = 0;
  /** What is not hashed yet: the last line is in it. */
  let tail = Buffer.of();
  for await (const chunk of body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === NEWLINE) lines += 1;
    tail = Buffer.concat([tail, chunk]);
    const keep = 8_192;
    if (tail.length <= keep) continue;
    hash.update(tail.subarray(0, -keep));
    tail = tail.subarray(-keep);
  }
  const before = hash.copy();
  before.update(tail.subarray(0, tail.lastIndexOf(NEWLINE, -2) + 1));
  const sha256 = hash.update(tail).digest("hex");
  return { bytes, lines, sha256, sha256BeforeLast: before.digest("hex") };
}

/** NDJSON ends with its manifest, CSV begins with a head; what Parquet holds its manifest says. */
function toCount(format: string, file: ReadFile, manifest: Manifest): number {
  const sha256 = format === "ndjson" ? file.sha256BeforeLast : file.sha256;
  if (!manifest.complete || sha256 !== manifest.sha256)
    throw new Error(`${format}: the file is not what its manifest says.`);
  const count = format === "parquet" ? manifest.count : file.lines - 1;
  if (count !== manifest.count)
    throw new Error(`${format}: ${count} records, and ${manifest.count} in the manifest.`);
  return count;
}
