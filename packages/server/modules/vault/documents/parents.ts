import type { JsonObject } from "@avow/contract/json";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault, type FieldFault, assertNoFaults } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import type { Plans } from "../../billing/plans.ts";
import { assertOrganizationOwner } from "./organization-owners.ts";
import { assertRoom, assertSeats } from "./plan-limits.ts";
import type { Resource } from "../schemas/resources.ts";
import { isAllowed } from "../../../kernel/rights.ts";
import { type Cookies, isDocumentOf } from "@avow/contract/configuration";
import { type DocumentRow, findDocument, listDocumentsById, lockDocument } from "./store.ts";

/** Where a document's rights come from. */
export interface Parents {
  projectId: string | null;
  organizationId: string | null;
}

interface Placing {
  resource: Resource;
  body: JsonObject;
  /** The document as it stands; undefined when it is being created. */
  present: DocumentRow | undefined;
}

/**
 * Finds what a document belongs to and checks everything in it that names other documents.
 * @throws Fault impossible (unknown or invisible project, organization or vendor; a configuration
 *   that changes its project; a layout, configuration or person more than the plan includes), forbidden
 *   (no right to write there, or to move the project away)
 */
export async function getParents(
  ctx: Ctx,
  { plans }: { plans: Plans },
  placing: Placing,
): Promise<Parents> {
  const { resource, body, present } = placing;
  const isMoving =
    resource.name === "projects" &&
    present !== undefined &&
    present.organization_id !== (body["organizationId"] ?? null);
  if (isMoving) await lockBoth(ctx, present.organization_id, body["organizationId"]);
  const project = await findParent(ctx, placing, "projectId");
  const organization = await findParent(ctx, placing, "organizationId");
  if (resource.parentRequired && !project && !present)
    assertNoFaults([unknownParent("projectId")], "impossible");
  if (isMoving) await assertMovable(ctx, present);
  const parents = {
    projectId: project?.id ?? null,
    organizationId: project ? project.organization_id : (organization?.id ?? null),
  };
  if (project && !present) await assertRoom(ctx, plans, { project, resource: resource.name });
  if (present && parents.organizationId !== present.organization_id)
    await assertSeats(ctx, plans, { organizationId: parents.organizationId, from: present.id });
  const written = { resource: resource.name, body };
  if (isDocumentOf(written, "cookies")) {
    const steps = written.body.steps ?? [];
    const before = present && isDocumentOf(present, "cookies") ? (present.body.steps ?? []) : [];
    const faults = [
      ...(await findVendorFaults(ctx, { steps, before })),
      ...(await findLayoutFaults(ctx, plans, { steps, organizationId: parents.organizationId })),
    ];
    assertNoFaults(faults, "impossible");
  }
  return parents;
}

/**
 * The organizations that a project goes from and to, for update, as seats are counted under that lock; in the order of
 * their ids, so that two projects which change places do not wait for each other.
 */
async function lockBoth(ctx: Ctx, from: string | null, to: unknown): Promise<void> {
  const ids = [from, to].filter((id) => typeof id === "string");
  for (const id of ids.toSorted()) await lockDocument(ctx.tx, id, "update");
}

async function findParent(
  ctx: Ctx,
  { resource, body, present }: Placing,
  field: "projectId" | "organizationId",
): Promise<DocumentRow | undefined> {
  if (!resource.parents.includes(field)) return undefined;
  const id = body[field] ?? null;
  const before = field === "projectId" ? present?.project_id : present?.organization_id;
  if (field === "projectId" && present && id !== before)
    refuse({
      path: "/projectId",
      message: "cannot be changed: create the document in the other project",
    });
  if (typeof id !== "string") return undefined;
  // Nothing may happen to the parent between this and the commit: it is locked, and read after that.
  await lockDocument(ctx.tx, id, "share");
  const noun = field === "projectId" ? "project" : "organization";
  // Where the document stays, the right to write it is enough.
  const scope: Scope = id === before ? { kind: "system" } : ctx.scope;
  const held = await findDocument(ctx.tx, scope, { resource: `${noun}s`, id });
  if (!held) return refuse(unknownParent(field));
  if (!isAllowed(held.roles, "write"))
    throw new Fault("forbidden", `Your role on the ${noun} does not allow writing there.`);
  return held.row;
}

function refuse(fault: FieldFault): never {
  throw new Fault("impossible", `${fault.path}: ${fault.message}`, { faults: [fault] });
}

function unknownParent(field: string): FieldFault {
  return { path: `/${field}`, message: "names nothing that you may see" };
}

/**
 * Moving a project changes who has rights on it: its owners decide, and owners of the organization that loses it;
 * else who made a project there would take it along when they leave. Keys give and take no rights.
 */
async function assertMovable(ctx: Ctx, of: DocumentRow): Promise<void> {
  const { id, organization_id: from } = of;
  if (ctx.actor.kind === "user" && ctx.actor.scopes !== undefined)
    throw new Fault("forbidden", "No API key moves a project between organizations: sign in.");
  const project = await findDocument(ctx.tx, ctx.scope, { resource: "projects", id });
  if (!project || !isAllowed(project.roles, "own"))
    throw new Fault("forbidden", "Only an owner moves a project to another organization.");
  if (from === null) return;
  await assertOrganizationOwner(ctx.tx, ctx.scope, { of, needs: "moves a project out of it" });
}

type Steps = NonNullable<Cookies["steps"]>;

/** Vendors that the write adds by their ids; those that were there before were checked then. */
async function findVendorFaults(
  ctx: Ctx,
  { steps, before }: { steps: Steps; before: Steps },
): Promise<FieldFault[]> {
  const checked = new Set(before.flatMap((step) => step.vendors ?? []));
  const added = steps.flatMap((step, index) =>
    (step.vendors ?? []).flatMap((vendor, n) =>
      typeof vendor === "string" && !checked.has(vendor)
        ? [{ id: vendor, path: `/steps/${index}/vendors/${n}` }]
        : [],
    ),
  );
  if (added.length === 0) return [];
  const ids = added.map(({ id }) => id);
  const rows = await listDocumentsById(ctx.tx, { resource: "vendors", ids }, ctx.scope);
  const known = new Set(rows.map((row) => row.id));
  return added
    .filter(({ id }) => !known.has(id))
    .map(({ id, path }) => ({ path, message: `no vendor ${id} that you may see` }));
}

async function findLayoutFaults(
  ctx: Ctx,
  plans: Plans,
  { steps, organizationId }: { steps: Steps; organizationId: string | null },
): Promise<FieldFault[]> {
  if (steps.length === 0) return [];
  const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
  return steps.flatMap((step, index) =>
    plan.layouts.includes(step.layout)
      ? []
      : [
          {
            path: `/steps/${index}/layout`,
            message: `the step ${step.name} has the layout ${step.layout}, which the plan ${plan.title} does not include`,
          },
        ],
  );
}
