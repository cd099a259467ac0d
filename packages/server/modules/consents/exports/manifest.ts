import { toInstants } from "@avow/contract/instants";
import { hrefOf, paths } from "@avow/contract/urls";
import { timeOfId } from "../../../kernel/ids.ts";
import type { ExportManifestOut, Format, StoredQuery } from "./schema.ts";
import type { ExportRow } from "./store.ts";

/** The source of a manifest: a stored export, or one that is being written. */
type ManifestSource = Omit<ExportRow, "ended_at" | "created_by" | "state">;

export function toManifest(row: ExportRow, publicUrl: string): ExportManifestOut {
  const { dialect, ...filters } = row.filters as StoredQuery;
  return {
    id: row.id,
    format: row.format as Format,
    state: row.state as ExportManifestOut["state"],
    complete: row.state === "done",
    filters,
    ...(dialect === undefined ? {} : { dialect }),
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

/** The last line of an NDJSON file: it confirms that the lines before it are complete, and has their hash. */
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
    from: start === undefined ? null : toInstants(start).first.toISOString(),
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

/** The log in a manifest: the first two lines of a checkpoint are origin and size. */
function toLog(checkpoint: string | null): ExportManifestOut["log"] {
  if (checkpoint === null) return null;
  const [origin = "", size] = checkpoint.split("\n", 2);
  return { origin, size: Number(size), checkpoint };
}

/** Whether an export ends earlier than requested, because a collecting transaction did not end in time. */
function isHeldBack(row: ManifestSource): boolean {
  const { end } = row.filters as { end?: string };
  const requested = Math.min(
    row.created_at.getTime(),
    end === undefined ? Infinity : toInstants(end).end.getTime(),
  );
  return timeOfId(row.to_id).getTime() < requested;
}

export function toManifestHref(
  row: Pick<ExportRow, "project_id" | "id">,
  publicUrl: string,
): string {
  const { project_id: projectId, id: exportId } = row;
  return hrefOf(publicUrl, paths.exportManifest, { projectId, exportId });
}

/** The link to the rest of an export, after its last complete stretch. */
function toResumeHref(row: ExportRow, publicUrl: string): string {
  const { project_id: projectId, format, after_id: after } = row;
  const { last = after ?? undefined } = (row.stretches as { last: string }[]).at(-1) ?? {};
  const query = { ...(row.filters as object), end: timeOfId(row.to_id).toISOString(), after: last };
  return hrefOf(publicUrl, paths.export, { projectId, format }, query);
}
