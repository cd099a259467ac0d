import type { Ctx } from "../../platform/ctx.ts";
import { Fault, type FieldFault, assertNoFaults } from "../../platform/errors.ts";
import { findTier } from "../billing/billing.ts";
import type { Plans } from "../billing/plans.ts";
import type { Resource } from "./resources.ts";
import { isAllowed } from "./rights.ts";
import { stepsOf } from "./rules.ts";
import { type DocumentRow, findDocument, listDocumentsById } from "./store.ts";

/** Where a document's rights come from. */
export interface Parents {
  projectId: string | null;
  organizationId: string | null;
}

interface Placing {
  resource: Resource;
  body: Record<string, unknown>;
  /** The document as it stands; undefined when it is being created. */
  present: DocumentRow | undefined;
}

/**
 * Finds what a document belongs to and checks everything in it that names other documents.
 * @throws Fault impossible (unknown or invisible project, organization or vendor; a configuration
 *   that changes its project; a paid layout on the free tier), forbidden (no right to write there)
 */
export async function getParents(
  ctx: Ctx,
  { plans }: { plans: Plans },
  placing: Placing,
): Promise<Parents> {
  const { resource, body, present } = placing;
  const project = await findParent(ctx, placing, "projectId");
  const organization = await findParent(ctx, placing, "organizationId");
  if (resource.parentRequired && !project && !present)
    assertNoFaults([unknownParent("projectId")], "impossible");
  if (
    resource.name === "projects" &&
    present &&
    present.organization_id !== (organization?.id ?? null)
  )
    await assertOwner(ctx, present);
  const parents = {
    projectId: project?.id ?? null,
    organizationId: project ? project.organization_id : (organization?.id ?? null),
  };
  if (resource.name === "cookies") {
    const faults = [
      ...(await findVendorFaults(ctx, body)),
      ...(await findLayoutFaults(ctx, plans, { body, organizationId: parents.organizationId })),
    ];
    assertNoFaults(faults, "impossible");
  }
  return parents;
}

async function findParent(
  ctx: Ctx,
  placing: Placing,
  field: "projectId" | "organizationId",
): Promise<DocumentRow | undefined> {
  const { resource, body, present } = placing;
  const id = body[field];
  if (!resource.parents.includes(field)) return undefined;
  if (field === "projectId" && present && (id ?? null) !== present.project_id)
    assertNoFaults(
      [
        {
          path: "/projectId",
          message: "cannot be changed: create the document in the other project",
        },
      ],
      "impossible",
    );
  if (typeof id !== "string") return undefined;
  const held = await findDocument(ctx.tx, ctx.scope, {
    resource: field === "projectId" ? "projects" : "organizations",
    id,
  });
  if (!held) return assertNoFaults([unknownParent(field)], "impossible") as undefined;
  const unchanged = present && present.organization_id === id;
  if (!unchanged && !isAllowed(held.roles, "write"))
    throw new Fault(
      "forbidden",
      `Your role on the ${field === "projectId" ? "project" : "organization"} does not allow writing there.`,
    );
  return held.row;
}

function unknownParent(field: string): FieldFault {
  return { path: `/${field}`, message: "names nothing that you may see" };
}

/** Moving a project changes who has rights on it: its owners decide. */
async function assertOwner(ctx: Ctx, project: DocumentRow): Promise<void> {
  const held = await findDocument(ctx.tx, ctx.scope, { resource: "projects", id: project.id });
  if (!held || !isAllowed(held.roles, "own"))
    throw new Fault("forbidden", "Only an owner moves a project to another organization.");
}

async function findVendorFaults(ctx: Ctx, body: Record<string, unknown>): Promise<FieldFault[]> {
  const named = stepsOf(body).flatMap((step, index) =>
    (step.vendors ?? []).flatMap((vendor, n) =>
      typeof vendor === "string" ? [{ id: vendor, path: `/steps/${index}/vendors/${n}` }] : [],
    ),
  );
  if (named.length === 0) return [];
  const rows = await listDocumentsById(
    ctx.tx,
    { resource: "vendors", ids: named.map(({ id }) => id) },
    ctx.scope,
  );
  const known = new Set(rows.map((row) => row.id));
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ id, path }) => ({ path, message: `no vendor ${id} that you may see` }));
}

async function findLayoutFaults(
  ctx: Ctx,
  plans: Plans,
  { body, organizationId }: { body: Record<string, unknown>; organizationId: string | null },
): Promise<FieldFault[]> {
  const steps = stepsOf(body);
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
