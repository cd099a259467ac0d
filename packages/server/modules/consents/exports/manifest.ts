import { hrefOf, paths } from "@avow/contract/urls";
import { timeOfId } from "../../../kernel/ids.ts";
import type { ExportManifestOut, Format } from "./schema.ts";
import type { ExportRow } from "./store.ts";

/** What a manifest tells of: an export that is kept, or one that is being written. */
type ManifestSource = Omit<ExportRow, "ended_at" | "created_by" | "state">;

/** An export as its manifest tells it. */
export function toManifest(row: ExportRow, publicUrl: string): ExportManifestOut {
  return {
    id: row.id,
    format: row.format as Format,
    state: row.state as ExportManifestOut["state"],
    complete: row.state === "done",
    filters: row.filters as Record<string, unknown>,
    ...toContent(row),
    stretches: row.stretches as ExportManifestOut["stretches"],
    createdAt: row.created_at.toISOString(),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
    links: {
      self: toManifestHref(row, publicUrl),
      project: hrefOf(publicUrl, paths.clientProject, { id: row.project_id }),
      consents: hrefOf(publicUrl, paths.consents, { projectId: row.project_id }),
      ...(row.state === "done" ? {} : { resume: toResumeHref(row, publicUrl) }),
    },
  };
}

/** The last line of NDJSON: what came before it is complete, and this is its hash. */
export function toManifestLine(row: ManifestSource, publicUrl: string): string {
  const { id } = row;
  const links = {
    self: toManifestHref(row, publicUrl),
    project: hrefOf(publicUrl, paths.clientProject, { id: row.project_id }),
  };
  return `${JSON.stringify({ manifest: { id, ...toContent(row), complete: true, links } })}\n`;
}

function toContent(row: ManifestSource) {
  const { start } = row.filters as { start?: string };
  return {
    projectId: row.project_id,
    from: start === undefined ? null : new Date(start).toISOString(),
    to: timeOfId(row.to_id).toISOString(),
    ...(isHeldBack(row) ? { heldBack: true } : {}),
    ...(row.after_id === null ? {} : { after: row.after_id }),
    first: row.first_id,
    last: row.last_id,
    count: row.count,
    bytes: row.size,
    sha256: row.sha256,
    log: toLog(row.log_checkpoint),
  };
}

/** The log as the export names it: a checkpoint's first two lines are its name and its size. */
function toLog(checkpoint: string | null): ExportManifestOut["log"] {
  if (checkpoint === null) return null;
  const [origin = "", size] = checkpoint.split("\n", 2);
  return { origin, size: Number(size), checkpoint };
}

/** Whether an export ends before the instant that it was asked for: what was being collected hung. */
function isHeldBack(row: ManifestSource): boolean {
  const { end } = row.filters as { end?: string };
  const asked = Math.min(row.created_at.getTime(), end === undefined ? Infinity : Date.parse(end));
  return timeOfId(row.to_id).getTime() < asked;
}

/** Where an export's manifest is. */
export function toManifestHref(
  row: Pick<ExportRow, "project_id" | "id">,
  publicUrl: string,
): string {
  const { project_id: projectId, id: exportId } = row;
  return hrefOf(publicUrl, paths.exportManifest, { projectId, exportId });
}

/** The rest of an export, up to where it would have ended, after the last place that is listed. */
function toResumeHref(row: ExportRow, publicUrl: string): string {
  const { project_id: projectId, format, after_id: after } = row;
  const { last = after ?? undefined } = (row.stretches as { last: string }[]).at(-1) ?? {};
  const query = { ...(row.filters as object), end: timeOfId(row.to_id).toISOString(), after: last };
  return hrefOf(publicUrl, paths.export, { projectId, format }, query);
}
