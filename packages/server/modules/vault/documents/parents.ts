import { isDocumentOf } from "@avow/contract/configuration";
import type { JsonObject } from "@avow/contract/json";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault, assertNoFaults, rejectField } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import type { Plans } from "../../billing/plans.ts";
import { openDocument } from "./access.ts";
import { assertOrganizationOwner } from "./organization-owners.ts";
import { assertConfigurationLimit, assertSeats, findLayoutFaults } from "./plan-limits.ts";
import type { Resource } from "../schemas/resources.ts";
import { isAllowed } from "../../../kernel/rights.ts";
import { type DocumentRow, findDocument, lockDocument } from "./store.ts";

/** The documents that a document inherits rights from. */
export interface Parents {
  projectId: string | null;
  organizationId: string | null;
}

interface DocumentInput {
  resource: Resource;
  body: JsonObject;
  /** The stored document; undefined when it is being created. */
  present: DocumentRow | undefined;
}

/**
 * Finds the parents of a document and validates its references to other documents.
 * @throws Fault impossible (unknown or invisible project or organization; a configuration that changes
 *   its project; a layout, configuration or person beyond the plan), forbidden (no right to write there, or to
 *   move the project)
 */
export async function getParents(
  ctx: Ctx,
  { plans }: { plans: Plans },
  input: DocumentInput,
): Promise<Parents> {
  const { resource, body, present } = input;
  const isMoving =
    resource.name === "projects" &&
    present !== undefined &&
    present.organization_id !== (body["organizationId"] ?? null);
  if (isMoving) await lockBoth(ctx, present.organization_id, body["organizationId"]);
  const project = await findParent(ctx, input, "projectId");
  const organization = await findParent(ctx, input, "organizationId");
  if (resource.parentRequired && !project && !present) rejectUnknownParent("projectId");
  if (isMoving) await assertMovable(ctx, present);
  const parents = {
    projectId: project?.id ?? null,
    organizationId: project ? project.organization_id : (organization?.id ?? null),
  };
  if (project && !present)
    await assertConfigurationLimit(ctx, plans, { project, resource: resource.name });
  if (present && parents.organizationId !== present.organization_id)
    await assertSeats(ctx, plans, { organizationId: parents.organizationId, from: present.id });
  const written = { resource: resource.name, body };
  if (isDocumentOf(written, "cookies")) {
    const { organizationId } = parents;
    const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
    assertNoFaults(findLayoutFaults(plan, written.body), "impossible");
  }
  return parents;
}

/**
 * Locks the organizations that a project moves from and to. Locks for update, since seats are counted under this lock,
 * and in the order of ids, so that two opposite moves do not deadlock.
 */
export async function lockBoth(ctx: Ctx, from: string | null, to: unknown): Promise<void> {
  const ids = [from, to].filter((id) => typeof id === "string");
  for (const id of ids.toSorted()) await lockDocument(ctx.tx, id, "update");
}

async function findParent(
  ctx: Ctx,
  { resource, body, present }: DocumentInput,
  field: "projectId" | "organizationId",
): Promise<DocumentRow | undefined> {
  if (!resource.parents.includes(field)) return undefined;
  const id = body[field] ?? null;
  const before = field === "projectId" ? present?.project_id : present?.organization_id;
  if (field === "projectId" && present && id !== before)
    rejectField("/projectId", "cannot be changed: create the document in the other project");
  if (typeof id !== "string") return undefined;
  // Lock before reading, so that the parent cannot change before the commit.
  await lockDocument(ctx.tx, id, "share");
  const noun = field === "projectId" ? "project" : "organization";
  // If the parent does not change, the right to write the document is enough.
  const scope: Scope = id === before ? { kind: "system" } : ctx.scope;
  const held = await findDocument(ctx.tx, scope, { resource: `${noun}s`, id });
  if (!held) return rejectUnknownParent(field);
  if (!isAllowed(held.roles, "write"))
    throw new Fault("forbidden", `Your role on the ${noun} does not allow writing there.`);
  await openDocument(ctx.tx, scope, held);
  return held.row;
}

function rejectUnknownParent(field: string): never {
  rejectField(`/${field}`, "names nothing that you may see");
}

/**
 * Moving a project changes the rights on it, so it requires an owner of the project and of its current organization.
 * Otherwise the creator of a project could take it along when leaving the organization. API keys cannot change rights.
 */
async function assertMovable(ctx: Ctx, of: DocumentRow): Promise<void> {
  const { id, organization_id: from } = of;
  if (ctx.actor.kind === "user" && ctx.actor.scopes !== undefined)
    throw new Fault(
      "forbidden",
      "An API key cannot move a project between organizations. Sign in to do so.",
    );
  const project = await findDocument(ctx.tx, ctx.scope, { resource: "projects", id });
  if (!project || !isAllowed(project.roles, "own"))
    throw new Fault("forbidden", "Only an owner can move a project to another organization.");
  if (from === null) return;
  await assertOrganizationOwner(ctx.tx, ctx.scope, { of, needs: "can move the project out of it" });
}
