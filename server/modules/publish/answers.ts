import type { Config } from "../../config.ts";
import { hrefOf, paths } from "../../paths.ts";
import { fileHref, immutableObject, servedObject } from "./files.ts";
import type { PublicationRow } from "./publications-store.ts";
import type { PublicationOut, PublishJobOut } from "./schema.ts";
import type { Environment, JobRow, Place } from "./store.ts";

/** Between two polls (specification, Publish: "defaulting to 500 ms"). */
const POLL_MS = 500;

type Addresses = Pick<Config, "cdnUrl" | "http">;

/** A job as it is answered (wire section 3). */
export function toJobOut(job: JobRow, config: Addresses): PublishJobOut {
  const place = { projectId: job.project_id, environment: job.environment };
  const url = fileHref(config, servedObject(place));
  const { hash, size, version } = job;
  const done = job.status === "Done" && hash !== null && size !== null && version !== null;
  return {
    _id: job.id,
    id: job.id,
    ...place,
    ...(job.rollback_of === null ? {} : { rollbackOf: job.rollback_of }),
    status: job.status,
    step: job.step,
    steps: job.steps,
    createdAt: job.created_at.toISOString(),
    ...(job.started_at ? { startedAt: job.started_at.toISOString() } : {}),
    ...(job.ended_at ? { endedAt: job.ended_at.toISOString() } : {}),
    timeout: POLL_MS,
    ...(job.message === null ? {} : { message: job.message }),
    ...(done ? { url, hash, size, version } : {}),
    links: {
      self: jobHref(config, job.id),
      project: projectHref(config, job.project_id),
      versions: versionsHref(config, place),
      ...(done ? { file: url } : {}),
    },
  };
}

/** Where a job is polled. */
export function jobHref({ http }: Addresses, id: string): string {
  return hrefOf(http.publicUrl, paths.publishJob, { id });
}

/** A publication as it is answered; `liveVersion` is the version that visitors get. */
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
    links: {
      self: versionsHref(config, { projectId, environment }),
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

function versionsHref({ http }: Addresses, { projectId, environment }: Place): string {
  return hrefOf(http.publicUrl, paths.publications, { projectId }, environmentQuery(environment));
}

function projectHref({ http }: Addresses, documentId: string): string {
  return hrefOf(http.publicUrl, paths.document, { resource: "projects", documentId });
}

function environmentQuery(environment: Environment): { environment?: string } {
  return environment === "production" ? {} : { environment };
}
