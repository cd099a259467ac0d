import type { Scope } from "../../kernel/actor.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { findDocument, getProject } from "../vault/documents/access.ts";
import { type Inheritance, listInheritance, templateIdOf } from "../vault/documents/inheriting.ts";
import { toTitle } from "../vault/documents/documents.ts";
import { type Vault, type WriteResult, resetOverrides } from "../vault/documents/vault.ts";
import { resourceOf } from "../vault/schemas/resources.ts";

/** The template of a site, and the documents that it has from it. */
export interface SiteInheritance {
  template: { id: string; title: string };
  documents: Inheritance[];
}

/** @throws Fault not-found (the project, or its template), forbidden */
export async function getInheritance(
  db: Db,
  scope: Scope,
  projectId: string,
): Promise<SiteInheritance> {
  const site = await getProject(db, scope, projectId);
  const id = templateIdOf(site);
  // A reader of the site sees the template's title, as errors about locked fields have it.
  const key = { resource: "projects", id: id ?? "" };
  const template = id && (await findDocument(db, { kind: "system" }, key));
  if (!template) throw toNoTemplate(projectId);
  return {
    template: { id: template.row.id, title: toTitle(template.row) },
    documents: await listInheritance(db, projectId),
  };
}

function toNoTemplate(projectId: string): Fault {
  return new Fault("not-found", `The project ${projectId} follows no template.`);
}

/**
 * Gives an inherited document of a site the template's values again, of `fields` or of all overrides.
 * @throws Fault not-found, forbidden, impossible for a field that is no override
 */
export async function resetInherited(
  ctx: Ctx,
  vault: Vault,
  {
    projectId,
    documentId,
    fields,
  }: { projectId: string; documentId: string; fields: readonly string[] | undefined },
): Promise<WriteResult> {
  const site = await getProject(ctx.tx, ctx.scope, projectId, "write");
  if (templateIdOf(site) === undefined) throw toNoTemplate(projectId);
  const documents = await listInheritance(ctx.tx, projectId);
  const document = documents.find(({ id }) => id === documentId);
  if (!document)
    throw new Fault("not-found", `The project has no document ${documentId} of its template.`);
  const resource = resourceOf(document.resource);
  return resetOverrides(ctx, vault, { resource, id: documentId, fields });
}
