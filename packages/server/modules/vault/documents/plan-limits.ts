import { type Cookies, isDocumentOf } from "@avow/contract/configuration";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault, type FieldFault, assertNoFaults, rejectField } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import type { Plan, Plans } from "../../billing/plans.ts";
import { countConfigurations, plannedResources } from "./access.ts";
import { type DocumentRow, lockDocument } from "./store.ts";
import { countPeople, countUsed } from "./users-store.ts";

/** An organization's use of its plan's limits; `configurations` is the maximum over its projects. */
export function countUse(
  db: Db | Tx,
  organizationId: string,
): Promise<{ seats: number; projects: number; configurations: number }> {
  return countUsed(db, organizationId, plannedResources);
}

/** The organization whose plan counts for a document. */
export function toOrganization(row: DocumentRow): string | null {
  return row.resource === "organizations" ? row.id : row.organization_id;
}

/**
 * Checks that a project may have one more document of a resource. The limits are the plan's, and 1,000 configurations,
 * since they are read together to publish them and to compute a visitor's consent state.
 * @throws Fault conflict, or impossible if the plan does not include it
 */
export async function assertConfigurationLimit(
  ctx: Ctx,
  plans: Plans,
  { project, resource }: { project: DocumentRow; resource: string },
): Promise<void> {
  const { count, planned, max } = await countConfigurations(ctx.tx, project.id);
  if (count >= max)
    throw new Fault(
      "conflict",
      `The project has ${max} configurations, the maximum. Delete those that are not used.`,
    );
  if (!plannedResources.includes(resource)) return;
  const organizationId = project.organization_id;
  const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
  if (plan.configurationsMax === null || planned < plan.configurationsMax) return;
  const allowed = toCount(plan.configurationsMax, "configuration");
  rejectField("/projectId", `has ${planned}, and the plan ${plan.title} includes ${allowed}`);
}

/** The steps of a banner with a layout that the plan does not include. */
export function findLayoutFaults(plan: Plan, { steps = [] }: Cookies): FieldFault[] {
  return steps.flatMap(({ name, layout }, index) =>
    plan.layouts.includes(layout)
      ? []
      : [
          {
            path: `/steps/${index}/layout`,
            message: `the step ${name} has the layout ${layout}, which the plan ${plan.title} does not include`,
          },
        ],
  );
}

/**
 * Checks that an organization's plan includes the documents of a project that it gets.
 * @throws Fault impossible, with everything that the plan does not include
 */
export async function assertPlanIncludes(
  ctx: Ctx,
  plans: Plans,
  {
    documents,
    organizationId,
  }: { documents: readonly DocumentRow[]; organizationId: string | null },
): Promise<void> {
  const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
  const planned = documents.filter(({ resource }) => plannedResources.includes(resource)).length;
  const messages = documents.flatMap((document) =>
    isDocumentOf(document, "cookies")
      ? findLayoutFaults(plan, document.body).map(({ message }) => message)
      : [],
  );
  if (plan.configurationsMax !== null && planned > plan.configurationsMax)
    messages.unshift(
      `has the plan ${plan.title}, which includes ${toCount(plan.configurationsMax, "configuration")}: the project has ${planned}`,
    );
  const path = "/organizationId";
  assertNoFaults(
    messages.map((message) => ({ path, message })),
    "impossible",
  );
}

/** The people who join: one user, or everybody with roles on the document `from` and its children. */
type Newcomers = { organizationId: string | null } & ({ userId: string } | { from: string });

/**
 * Checks that an organization's plan has seats for people who join it or one of its projects (wire section 8). Current
 * members need no new seat, and keep theirs when the plan gets smaller.
 * @throws Fault impossible
 */
export async function assertSeats(ctx: Ctx, plans: Plans, newcomers: Newcomers): Promise<void> {
  const { organizationId } = newcomers;
  if (organizationId === null) return;
  const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
  if (plan.seatsMax === null) return;
  // Serializes the counts of concurrent joins.
  await lockDocument(ctx.tx, organizationId, "update");
  const { present, joining } = await countPeople(ctx.tx, newcomers);
  if (joining === 0 || present + joining <= plan.seatsMax) return;
  const path = "userId" in newcomers ? "/userId" : "/organizationId";
  const people = present === 1 ? "1 person" : `${present} people`;
  const seats = toCount(plan.seatsMax, "seat");
  rejectField(
    path,
    `has no seat: the organization has ${people}, and the plan ${plan.title} ${seats}`,
  );
}

function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
