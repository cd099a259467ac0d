import { hrefOf, paths } from "@avow/contract/urls";
import type { ImportOut } from "./schema.ts";
import type { ImportRow } from "./store.ts";

export function toImportOut(row: ImportRow, publicUrl: string): ImportOut {
  const { id, project_id: projectId } = row;
  const key = { projectId, id };
  return {
    _id: id,
    id,
    projectId,
    status: row.status,
    dryRun: row.dry_run,
    format: row.format,
    size: row.size,
    sha256: row.sha256,
    read: row.read,
    imported: row.imported,
    known: row.known,
    refused: row.refused,
    progress: row.size === 0 ? 1 : Math.round((row.position / row.size) * 10_000) / 10_000,
    ...(row.message === null ? {} : { message: row.message }),
    createdAt: row.created_at.toISOString(),
    ...(row.started_at ? { startedAt: row.started_at.toISOString() } : {}),
    ...(row.ended_at ? { endedAt: row.ended_at.toISOString() } : {}),
    links: {
      self: hrefOf(publicUrl, paths.import, key),
      project: hrefOf(publicUrl, paths.document, { resource: "projects", documentId: projectId }),
      imports: hrefOf(publicUrl, paths.imports, { projectId }),
      ...(row.refused_bytes > 0 ? { refused: hrefOf(publicUrl, paths.refusedLines, key) } : {}),
    },
  };
}
