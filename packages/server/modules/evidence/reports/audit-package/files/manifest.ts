import { type Dossier, headOf } from "./package.ts";

/** What a dossier says of itself to programs: its manifest, without the files. */
export function toManifestHead(dossier: Dossier) {
  const { project, choice, survey, askedAt, askedBy } = dossier;
  const { origin, size } = headOf(dossier);
  const { ids, from, to, method } = choice;
  return {
    format: "avow-dossier/v1",
    projectId: project.id,
    projectTitle: project.title,
    askedBy: askedBy.id,
    askedAt: askedAt.toISOString(),
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
