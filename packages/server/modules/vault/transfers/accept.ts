import { leaveTemplate } from "../documents/inheriting.ts";
import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault, rejectField } from "../../../platform/errors.ts";
import { getOwnOrganization, listConfigurations } from "../documents/access.ts";
import { lockBoth } from "../documents/parents.ts";
import { assertPlanIncludes } from "../documents/plan-limits.ts";
import { lockDocument, updateChildrenOrganization, updateDocument } from "../documents/store.ts";
import { type DocumentRow } from "../documents/store.ts";
import { recordDocumentEvent, recordMove } from "../documents/vault.ts";
import { resourceOf } from "../schemas/resources.ts";
import { copySharedContents } from "./contents.ts";
import {
  type TransfersApp,
  getOfferedProject,
  lockTransfer,
  recordTransfer,
  toUserId,
} from "./offers.ts";
import { deleteDirectUsers, deleteTransferOf } from "./transfers-store.ts";

/**
 * Accepts an offer into an organization of the caller. The project moves with its configurations, consents and proofs; its
 * members and the old organization's lose access; vendors and files that it shares with them are copied.
 *
 * @throws Fault not-found as `lockTransfer`; forbidden for an organization that the caller does not own; impossible for one
 *   that they may not see, for another one than the offer names, for the project's own, and when the plan does not include
 *   what the project has
 */
export async function acceptTransfer(
  ctx: Ctx,
  app: TransfersApp,
  { tokenOrId, organizationId: to }: { tokenOrId: string; organizationId: string },
): Promise<DocumentRow> {
  const transfer = await lockTransfer(ctx, app, tokenOrId);
  const { organization_id: from } = await getOfferedProject(ctx.tx, transfer);
  if (transfer.organization_id !== null && transfer.organization_id !== to)
    reject("is not the organization that the project is offered to");
  if (from === to) reject("already has the project");
  await lockBoth(ctx, from, to);
  await lockDocument(ctx.tx, transfer.project_id, "update");
  await getOwnOrganization(ctx.tx, ctx.scope, to).catch(rejectUnknown);
  const project = await getOfferedProject(ctx.tx, transfer);
  const documents = await listConfigurations(ctx.tx, project.id);
  await assertPlanIncludes(ctx, app.plans, { documents, organizationId: to });
  await copySharedContents(ctx, app, { projectId: project.id, userId: toUserId(ctx) });
  const members = await deleteDirectUsers(ctx.tx, project.id);
  await leaveTemplate(ctx, project);
  await app.revokeReviewLinks(ctx, project.id);
  // Groups are notes of the earlier owner, whose template the new one cannot see.
  const { groups: _, templateId: __, ...kept } = project.body;
  const row = await updateDocument(ctx.tx, {
    id: project.id,
    body: { ...kept, organizationId: to },
    operation: "patch",
    now: ctx.now,
    by: toActorName(ctx.actor),
    organizationId: to,
  });
  await updateChildrenOrganization(ctx.tx, project.id, to);
  await deleteTransferOf(ctx.tx, project.id);
  await recordMove(ctx, project, to, { transferId: transfer.id, members: members.length });
  await recordTransfer(ctx, "transfer.accepted", transfer);
  await recordDocumentEvent(ctx, resourceOf("projects"), row, "updated");
  return row;
}

/** An id in a body that names nothing visible is 422. */
function rejectUnknown(error: unknown): never {
  if (error instanceof Fault && error.kind === "not-found")
    reject("names nothing that you may see");
  throw error;
}

function reject(message: string): never {
  rejectField("/organizationId", message);
}
