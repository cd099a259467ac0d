import type { JsonObject } from "@avow/contract/json";
import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { listContents } from "../documents/access.ts";
import { templateIdOf } from "../documents/inheriting.ts";
import { assertPlanIncludes } from "../documents/plan-limits.ts";
import { type DocumentRow, insertDocument } from "../documents/store.ts";
import {
  type Vault,
  type WriteResult,
  createAlone,
  followTemplate,
  recordDocumentEvent,
} from "../documents/vault.ts";
import { listLinks, replaceLinks } from "../inheritance/inheritance-store.ts";
import { resourceOf } from "../schemas/resources.ts";
import { readCopy } from "./duplicate.ts";
import { withIds } from "./replaced-ids.ts";

/**
 * Creates a copy of a project with its configurations, its own vendors and its own media. Ids of copied documents in the
 * copies are replaced by those of the copies. A copy of a site follows the same template with the same overrides; one of
 * a template is a template without sites. Consents, publications, members, keys and webhooks are not copied.
 * @throws Fault as `duplicateDocument`; impossible when the plan does not include the configurations, or the project has
 *   more than 1,000 documents or 16 MiB
 */
export async function cloneProject(
  ctx: Ctx,
  vault: Vault,
  { id, changes }: { id: string; changes: JsonObject },
): Promise<WriteResult> {
  const resource = resourceOf("projects");
  const input = await readCopy(ctx, { resource, id, changes });
  const { row: copy, warnings } = await createAlone(ctx, vault, { resource, input });
  const rows = await listContents(ctx.tx, id);
  const { organization_id: organizationId } = copy;
  await assertPlanIncludes(ctx, vault.plans, { documents: rows, organizationId });
  // Configurations are published in the order of their ids.
  const newIds = rows.map(() => newDocumentId(ctx.now)).toSorted();
  const ids = new Map([[id, copy.id]]);
  for (const [n, row] of rows.entries()) ids.set(row.id, newIds[n] ?? newDocumentId(ctx.now));
  for (const row of rows) await insertCopy(ctx, row, { project: copy, ids });
  await copyLinks(ctx, id, { project: copy, ids });
  return { row: await followTemplate(ctx, vault, copy, undefined), warnings };
}

interface Copying {
  /** The copy of the project. */
  project: DocumentRow;
  /** The ids of the copies by those of the originals. */
  ids: ReadonlyMap<string, string>;
}

/** Inserts the copy of a document of a project. Its body is valid and its name unique, as the original's are. */
async function insertCopy(
  ctx: Ctx,
  { id, resource, body }: DocumentRow,
  { project, ids }: Copying,
): Promise<void> {
  const by = toActorName(ctx.actor);
  const row = await insertDocument(ctx.tx, {
    id: ids.get(id) ?? newDocumentId(ctx.now),
    resource,
    project_id: project.id,
    organization_id: project.organization_id,
    body: withIds(body, ids) as JsonObject,
    version: 1,
    created_at: ctx.now,
    created_by: by,
    updated_at: ctx.now,
    updated_by: by,
  });
  await recordDocumentEvent(ctx, resourceOf(resource), row, "created");
}

/** Relates the copies of what a site has from its template to the template's documents. */
async function copyLinks(
  ctx: Ctx,
  projectId: string,
  { project: copy, ids }: Copying,
): Promise<void> {
  const templateId = templateIdOf(copy);
  if (templateId === undefined) return;
  const links = await listLinks(ctx.tx, projectId);
  const copied = links.flatMap((link) => {
    const documentId = ids.get(link.documentId);
    return documentId === undefined ? [] : [{ ...link, documentId }];
  });
  await replaceLinks(ctx.tx, { projectId: copy.id, templateId }, copied);
}
