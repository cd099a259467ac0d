import { exportConsents, getExportManifest } from "@avow/client/operations";
import { send, sendFile } from "../api/send.ts";
import { saveFile } from "./save.ts";

const POLL_MS = 1_000;

/** How far an export is. */
export interface ExportProgress {
  /** What has come. */
  bytes: number;
  /** Of all, from 0 to 1; undefined where nobody knows how much there is. */
  share: number | undefined;
}

/** What came of one. */
export interface ExportResult {
  count: number;
  bytes: number;
  sha256: string | null;
  /** Whether the service says that all of it was written, and as much came. */
  isWhole: boolean;
}

interface ExportRequest {
  path: { projectId: string; format: "csv" | "ndjson" | "parquet" };
  query: { start?: string; end?: string };
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

/**
 * Asks for an export and gives its file to keep; the browser holds it, on disk where it is large. Asks the
 * manifest how far the service is, and at the end whether the file is whole. @throws Problem
 */
export async function exportFile({ path, query, signal, onProgress }: ExportRequest): Promise<ExportResult> {
  const answer = await sendFile(exportConsents, { path, query }, { signal });
  const exportId = answer.headers.get("x-export-id") ?? "";
  const estimate = Number(answer.headers.get("x-export-estimate") ?? Number.NaN);
  const manifestOf = { path: { projectId: path.projectId, exportId } };
  const so = { bytes: 0, share: undefined as number | undefined };
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      so.bytes += chunk.length;
      onProgress({ ...so });
      controller.enqueue(chunk);
    },
  });
  const timer = setInterval(async () => {
    if (!(estimate > 0)) return;
    // How far it is matters less than the file, which tells itself what is wrong.
    const manifest = await send(getExportManifest, manifestOf).catch(() => undefined);
    if (manifest) so.share = Math.min(1, manifest.count / estimate);
  }, POLL_MS);
  try {
    const body = answer.body?.pipeThrough(counting) ?? null;
    const type = answer.headers.get("content-type") ?? "";
    const file = await new Response(body, { headers: { "content-type": type } }).blob();
    const manifest = await send(getExportManifest, manifestOf);
    const { count, sha256, complete } = manifest;
    // The last line of NDJSON, a manifest itself, is not counted there.
    const hasAll =
      path.format === "ndjson" ? file.size > manifest.bytes : file.size === manifest.bytes;
    const isWhole = complete && hasAll;
    if (isWhole) saveFile(file, `consents-${path.projectId}.${path.format}`);
    return { count, bytes: file.size, sha256, isWhole };
  } finally {
    clearInterval(timer);
  }
}
