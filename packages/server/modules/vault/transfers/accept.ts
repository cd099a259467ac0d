import { leaveTemplate } from "../documents/inheriting.ts";
import { isDocumentOf } from "@avow/contract/configuration";
import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { Fault, type FieldFault, assertNoFaults } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import {
  countConfigurations,
  getOwnOrganization,
  listConfigurations,
} from "../documents/access.ts";
import { findLayoutFaults } from "../documents/parents.ts";
import { lockDocument, updateChildrenOrganization, updateDocument } from "../documents/store.ts";
import { type DocumentRow } from "../documents/store.ts";
import { recordDocumentEvent } from "../documents/vault.ts";
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
  // Locked in the order of ids, as moves of projects lock them.
  for (const id of [from, to].filter((one) => one !== null).toSorted())
    await lockDocument(ctx.tx, id, "update");
  await lockDocument(ctx.tx, transfer.project_id, "update");
  await getOwnOrganization(ctx.tx, ctx.scope, to).catch(rejectUnknown);
  const project = await getOfferedProject(ctx.tx, transfer);
  await assertPlanIncludes(ctx, app, { projectId: project.id, organizationId: to });
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
  const data = { from, to, transferId: transfer.id, members: members.length };
  for (const organizationId of [from, to])
    if (organizationId !== null)
      await recordEvent(ctx, {
        name: "project.moved",
        documentId: project.id,
        organizationId,
        data,
      });
  await recordTransfer(ctx, "transfer.accepted", transfer);
  await recordDocumentEvent(ctx, resourceOf("projects"), row, "updated");
  return row;
}

/** @throws Fault impossible, with everything that the plan of the organization does not include */
async function assertPlanIncludes(
  ctx: Ctx,
  { plans }: TransfersApp,
  { projectId, organizationId }: { projectId: string; organizationId: string },
): Promise<void> {
  const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
  const faults: FieldFault[] = [];
  const { planned } = await countConfigurations(ctx.tx, projectId);
  if (plan.configurationsMax !== null && planned > plan.configurationsMax)
    faults.push({
      path: "/organizationId",
      message: `has the plan ${plan.title}, which includes ${plan.configurationsMax} configurations: the project has ${planned}`,
    });
  for (const document of await listConfigurations(ctx.tx, projectId)) {
    if (!isDocumentOf(document, "cookies")) continue;
    const steps = document.body.steps ?? [];
    const found = await findLayoutFaults(ctx, plans, { steps, organizationId });
    faults.push(...found.map(({ message }) => ({ path: "/organizationId", message })));
  }
  assertNoFaults(faults, "impossible");
}

/** An id in a body that names nothing visible is 422. */
function rejectUnknown(error: unknown): never {
  if (error instanceof Fault && error.kind === "not-found")
    reject("names nothing that you may see");
  throw error;
}

function reject(message: string): never {
  const faults = [{ path: "/organizationId", message }];
  throw new Fault("impossible", `/organizationId: ${message}`, { faults });
}
