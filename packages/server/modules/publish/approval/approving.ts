import { createHash } from "node:crypto";
import type { TcfSettings } from "@avow/contract/configuration";
import type { Content } from "@avow/contract/published";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { toCanonical } from "../content/content.ts";
import { findPublicationApproval } from "../publications/publications-store.ts";
import { type ContentSource, readSource } from "../publications/reading.ts";
import type { FindApprovals } from "../publications/publishing.ts";
import type { JobRow, PublicationApproval } from "../publications/store.ts";

/** The parts of a job that decide whether it needs approvals. */
export type ApprovalRequest = Pick<
  JobRow,
  "project_id" | "environment" | "rollback_of" | "created_by" | "skips_approval" | "force_reason"
>;

/**
 * SHA-256 of what a project would publish: the content and the choice of TCF vendors, without time, version and job. An
 * upload is a part of it by its id. The texts of the widget and IAB's vendor list are not: they change without a draft.
 */
export function toDraftDigest({ content, tcf }: Pick<ContentSource, "content" | "tcf">): string {
  const draft = { ...content, publishedAt: "", version: 0, jobId: "" } satisfies Content;
  const settings: TcfSettings | null = tcf ?? null;
  return createHash("sha256").update(toCanonical({ draft, settings })).digest("hex");
}

/** The digest of a project's draft as it is now. Throws as `readContent`. */
export async function readDraftDigest(tx: Tx, projectId: string): Promise<string> {
  const source = { project_id: projectId, environment: "production", rollback_of: null } as const;
  return toDraftDigest(await readSource(tx, source, { publishedAt: "", version: 0, jobId: "" }));
}

/**
 * Asserts that a publication to production has the approvals that the project requires: a draft those of exactly this
 * draft, of which a part may be published; a rollback those that its version had.
 * @returns what the version records; null if none are required
 * @throws Fault approval-needed
 */
export async function assertApproved(
  { findApprovals }: { findApprovals: FindApprovals },
  db: Db | Tx,
  { toDigest, ...job }: ApprovalRequest & { toDigest: () => Promise<string> },
): Promise<PublicationApproval | null> {
  const { project_id: projectId, environment, rollback_of: version } = job;
  if (environment !== "production") return null;
  const draft = { projectId, publishedBy: job.created_by, toDigest };
  const found = await findApprovals(db, draft);
  if (!found) return null;
  if (job.skips_approval) return { ...found, bypassed: job.force_reason ?? "" };
  if (version !== null) {
    const before = await findPublicationApproval(db, { projectId, environment }, version);
    if (before && before.bypassed === undefined) return before;
    throw toMissing(`Version ${version} was published without approval.`, found.required);
  }
  const missing = found.required - found.approvals.length;
  if (missing <= 0) return found;
  const have = found.approvals.length > 0 ? `${found.approvals.length} of ` : "0 of ";
  throw toMissing(
    `The draft has ${have}${found.required} approvals by people other than the one who publishes.`,
    missing,
  );
}

function toMissing(detail: string, missing: number): Fault {
  return new Fault(
    "approval-needed",
    `${detail} Ask for a review, or let an owner publish with "withoutApproval": true and a reason. The live version stays live.`,
    { members: { missingApprovals: missing } },
  );
}
