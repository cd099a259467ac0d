import { toActorName } from "../../../../kernel/actor.ts";
import type { Ctx } from "../../../../kernel/ctx.ts";
import { recordEvent } from "../../../../kernel/events/events.ts";
import type { Intervals } from "../../../../kernel/intervals.ts";
import { type UserCard, findUserById } from "../../../../kernel/users-store.ts";
import { writeZip } from "../../../../platform/text/zip.ts";
import { getProvenProject, mayReadTrail } from "../../../consents/commitments/recorded.ts";
import { countErased } from "../../erasures/erasures.ts";
import type { EvidenceApp } from "../../proofs/prover.ts";
import type { Language } from "../../log/schema.ts";
import { findTimestampUpTo } from "../../anchors/timestamp-store.ts";
import { assertSingleSelection, selectConsents } from "./select/sample.ts";
import { type AuditPackage, headOf } from "./files/package.ts";
import { type AuditPackageApp, writeFiles } from "./files/files.ts";
import type { AuditPackageQueryIn } from "./select/schema.ts";
import { surveyConsents } from "./select/survey.ts";
import { wordsOf } from "./words/words.ts";

/** An authorized request. */
export type PackageRequest = Pick<
  AuditPackage,
  "project" | "requestedBy" | "requestedAt" | "hasTrail"
> & {
  query: AuditPackageQueryIn;
};

/**
 * Authorizes the request of an audit package, and records it in the audit trail.
 * @throws Fault not-found or forbidden as the project's; invalid unless the query names one person, sample or period
 */
export async function requestAuditPackage(
  ctx: Ctx,
  { projectId, query }: { projectId: string; query: AuditPackageQueryIn },
): Promise<PackageRequest> {
  const project = await getProvenProject(ctx.tx, ctx.scope, projectId);
  assertSingleSelection(query);
  const { token, sample } = query;
  const kind = sample === undefined ? (token === undefined ? "period" : "person") : "sample";
  await recordEvent(ctx, { name: "dossier.requested", projectId, data: { kind } });
  const id = toActorName(ctx.actor);
  const user = await findUserById(ctx.tx, id);
  return {
    project,
    hasTrail: await mayReadTrail(ctx.tx, ctx.scope, projectId),
    requestedBy: { id, name: user ? toShownName(user) : id },
    requestedAt: ctx.now,
    query,
  };
}

function toShownName({ displayName, email }: UserCard): string {
  return email === null ? displayName : `${displayName} (${email})`;
}

/**
 * Selects the consents of an audit package, waits until the log has them, and fixes the tree of all its proofs.
 * @throws Fault impossible for more than `CONSENTS_MAX`; Pending before the log has a tree
 */
export async function openAuditPackage(
  app: EvidenceApp & { intervals: Intervals },
  { query, ...request }: PackageRequest,
  { language, signal }: { language: Language; signal: AbortSignal },
): Promise<AuditPackage> {
  const projectId = request.project.id;
  const selecting = { now: request.requestedAt, signal, marginMs: app.intervals.collectingMs };
  const selection = await selectConsents(app.data, { projectId, query }, selecting);
  const survey = await surveyConsents(app, { projectId, ids: selection.ids }, signal);
  const timestamp = await findTimestampUpTo(app.data, survey.prover.head.size);
  const erased = await countErased(app.data, projectId);
  return { ...request, selection, survey, timestamp, erased, words: wordsOf[language] };
}

/** Streams the bytes of an audit package, in bounded memory, and records its completion in the audit trail. */
export async function* writeAuditPackage(
  app: AuditPackageApp,
  auditPackage: AuditPackage,
  write: (verb: (ctx: Ctx) => Promise<void>) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* writeZip(writeFiles(app, auditPackage), auditPackage.requestedAt);
  const { project, selection, survey } = auditPackage;
  const { kind } = selection.method;
  const data = {
    kind,
    count: selection.ids.length,
    pending: survey.pending.size,
    treeSize: headOf(auditPackage).size,
  };
  await write(async (ctx) => {
    await recordEvent(ctx, { name: "dossier.done", projectId: project.id, data });
  });
}
