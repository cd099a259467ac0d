import { type AuditPackage, headOf } from "./package.ts";

/** The manifest of an audit package, without its list of files. */
export function toManifestHead(auditPackage: AuditPackage) {
  const { project, selection, survey, requestedAt, requestedBy } = auditPackage;
  const { origin, size } = headOf(auditPackage);
  const { ids, from, to, method } = selection;
  return {
    format: "avow-dossier/v1",
    projectId: project.id,
    projectTitle: project.title,
    askedBy: requestedBy.id,
    askedAt: requestedAt.toISOString(),
    method,
    from: from?.toISOString() ?? null,
    to: to.toISOString(),
    origin,
    treeSize: size,
    count: ids.length,
    proven: ids.length - survey.pending.size,
    pending: ids.filter((id) => survey.pending.has(id)),
    versions: [...survey.shown.keys()],
  };
}
