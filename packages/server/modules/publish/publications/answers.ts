import type { Config } from "../../../config/config.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { fileHref, immutableObject, servedObject } from "./files.ts";
import type { PublicationRow } from "./publications-store.ts";
import type { PublishResults } from "../selection/selection.ts";
import type { PublicationOut, PublishJobOut } from "./schema.ts";
import type { Environment, JobRow, Target, PublishedFile } from "./store.ts";

/** Interval between polls (specification, Publish: "defaulting to 500 ms"). */
const POLL_MS = 500;

type Addresses = Pick<Config, "cdnUrl" | "http">;

/** A job as returned to clients (wire section 3). */
export function toJobOut(job: JobRow, config: Addresses): PublishJobOut {
  const target = { projectId: job.project_id, environment: job.environment };
  const url = fileHref(config, servedObject(target));
  const { hash, size, version } = job;
  const done = job.status === "Done" && hash !== null && size !== null && version !== null;
  return {
    _id: job.id,
    id: job.id,
    ...target,
    ...(job.rollback_of === null ? {} : { rollbackOf: job.rollback_of }),
    ...(job.publish_at ? { publishAt: job.publish_at.toISOString() } : {}),
    ...(job.forced ? { forced: true } : {}),
    ...(job.overridden ? { overridden: job.overridden } : {}),
    ...(job.approval ? { approval: job.approval } : {}),
    ...(job.strict ? { strict: true } : {}),
    ...job.selection,
    ...(job.unchanged ? { sameVersion: true } : {}),
    ...(job.results ? toResultsOut(job.results) : {}),
    ...(job.asks_again ? { asksAgain: job.asks_again } : {}),
    status: job.status === "Waiting" ? "Pending" : job.status,
    step: job.step,
    steps: job.steps,
    createdAt: job.created_at.toISOString(),
    ...(job.started_at ? { startedAt: job.started_at.toISOString() } : {}),
    ...(job.ended_at ? { endedAt: job.ended_at.toISOString() } : {}),
    timeout: POLL_MS,
    ...(job.message === null ? {} : { message: job.message }),
    ...(done ? { url, hash, size, version } : {}),
    ...(done && job.files ? { files: job.files.map((file) => toFileOut(file, config)) } : {}),
    links: {
      self: jobHref(config, job.id),
      project: projectHref(config, job.project_id),
      versions: versionsHref(config, target),
      check: hrefOf(config.http.publicUrl, paths.publishCheck, { projectId: job.project_id }),
      changes: changesHref(config, target, { from: "live", to: "next" }),
      ...(done ? { file: url } : {}),
    },
  };
}

function toResultsOut(results: PublishResults) {
  const warnings = results.heldBack.map(({ name, reason }, at) => ({
    path: `/heldBack/${at}`,
    message: `“${name}” is held back. ${reason}`,
  }));
  return { ...results, ...(warnings.length > 0 ? { warnings } : {}) };
}

function toFileOut({ key, integrity, size }: PublishedFile, config: Addresses) {
  return { url: fileHref(config, { key }), integrity, size };
}

/** Address of the changes between two versions. */
export function changesHref(
  { http }: Pick<Config, "http">,
  { projectId, environment }: Target,
  between: { from: number | string; to: number | string },
): string {
  const query = environmentQuery(environment);
  return hrefOf(http.publicUrl, paths.publicationsDiff, { projectId, ...between }, query);
}

/** Address at which a job is polled. */
export function jobHref({ http }: Addresses, id: string): string {
  return hrefOf(http.publicUrl, paths.publishJob, { id });
}

/** A publication as returned to clients; `liveVersion` is the version that visitors get. */
export function toPublicationOut(
  row: PublicationRow,
  { config, liveVersion }: { config: Addresses; liveVersion: number | null },
): PublicationOut {
  const { publicUrl } = config.http;
  const { project_id: projectId, version, hash } = row;
  const environment = row.environment as Environment;
  return {
    projectId,
    environment,
    version,
    live: version === liveVersion,
    hash,
    size: row.size,
    publishedAt: row.published_at.toISOString(),
    publishedBy: row.published_by,
    jobId: row.job_id,
    ...(row.overridden ? { overridden: row.overridden } : {}),
    ...(row.approval ? { approval: row.approval } : {}),
    ...(row.asks_again ? { asksAgain: row.asks_again } : {}),
    links: {
      self: versionsHref(config, { projectId, environment }),
      changes: changesHref(config, { projectId, environment }, { from: "live", to: version }),
      file: fileHref(config, immutableObject(projectId, hash)),
      job: jobHref(config, row.job_id),
      project: projectHref(config, projectId),
      rollback: hrefOf(
        publicUrl,
        paths.rollback,
        { projectId, version },
        environmentQuery(environment),
      ),
    },
  };
}

/** Address of the list of versions. */
export function versionsHref({ http }: Addresses, { projectId, environment }: Target): string {
  return hrefOf(http.publicUrl, paths.publications, { projectId }, environmentQuery(environment));
}

function projectHref({ http }: Addresses, documentId: string): string {
  return hrefOf(http.publicUrl, paths.document, { resource: "projects", documentId });
}

function environmentQuery(environment: Environment): { environment?: string } {
  return environment === "production" ? {} : { environment };
}
