import { exportConsents, getExportManifest } from "@avow/client/operations";
import { send, sendFile } from "../api/send.ts";
import { saveFile } from "./save.ts";

const POLL_MS = 1_000;

/** The progress of an export. */
export interface ExportProgress {
  /** Received so far. */
  bytes: number;
  /** Share of the total, 0 to 1; undefined while the total is unknown. */
  share: number | undefined;
}

/** The result of an export. */
export interface ExportResult {
  count: number;
  bytes: number;
  sha256: string | null;
  /** Whether the service wrote everything, and as many bytes arrived. */
  isWhole: boolean;
}

interface ExportRequest {
  path: { projectId: string; format: "csv" | "ndjson" | "parquet" };
  query: { start?: string; end?: string };
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

/**
 * Requests an export and saves it as a file; the browser buffers it, on disk if it is large. The manifest has the
 * progress and, at the end, whether the file is complete. @throws Problem
 */
export async function exportFile({ path, query, signal, onProgress }: ExportRequest): Promise<ExportResult> {
  const answer = await sendFile(exportConsents, { path, query }, { signal });
  const exportId = answer.headers.get("x-export-id") ?? "";
  const estimate = Number(answer.headers.get("x-export-estimate") ?? Number.NaN);
  const manifestOf = { path: { projectId: path.projectId, exportId } };
  const progress = { bytes: 0, share: undefined as number | undefined };
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      progress.bytes += chunk.length;
      onProgress({ ...progress });
      controller.enqueue(chunk);
    },
  });
  const timer = setInterval(async () => {
    if (!(estimate > 0)) return;
    // A failed progress request is ignored: the download itself reports errors.
    const manifest = await send(getExportManifest, manifestOf).catch(() => undefined);
    if (manifest) progress.share = Math.min(1, manifest.count / estimate);
  }, POLL_MS);
  try {
    const body = answer.body?.pipeThrough(counting) ?? null;
    const type = answer.headers.get("content-type") ?? "";
    const file = await new Response(body, { headers: { "content-type": type } }).blob();
    const manifest = await send(getExportManifest, manifestOf);
    const { count, sha256, complete } = manifest;
    // The manifest does not count the last line of NDJSON, which is a manifest itself.
    const hasAll =
      path.format === "ndjson" ? file.size > manifest.bytes : file.size === manifest.bytes;
    const isWhole = complete && hasAll;
    if (isWhole) saveFile(file, `consents-${path.projectId}.${path.format}`);
    return { count, bytes: file.size, sha256, isWhole };
  } finally {
    clearInterval(timer);
  }
}
