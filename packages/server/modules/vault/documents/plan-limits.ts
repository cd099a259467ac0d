import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import type { Plans } from "../../billing/plans.ts";
import { countConfigurations, plannedResources } from "./access.ts";
import { type DocumentRow, lockDocument } from "./store.ts";
import { countPeople, countUsed } from "./users-store.ts";

/** What of its plan's limits an organization uses; `configurations` are those of the project that has the most. */
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
 * Holds that a project may have one more document of a resource: its plan's configurations, and 1,000 at most, since
 * they are read together to publish them and to tell a visitor's state.
 * @throws Fault conflict, and impossible where the plan does not include it
 */
export async function assertRoom(
  ctx: Ctx,
  plans: Plans,
  { project, resource }: { project: DocumentRow; resource: string },
): Promise<void> {
  const { count, planned, max } = await countConfigurations(ctx.tx, project.id);
  if (count >= max)
    throw new Fault("conflict", `The project has ${max} configurations, as many as it may have.`);
  if (!plannedResources.includes(resource)) return;
  const organizationId = project.organization_id;
  const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
  if (plan.configurationsMax === null || planned < plan.configurationsMax) return;
  const allowed = toCount(plan.configurationsMax, "configuration");
  refuse("/projectId", `has ${planned}, and the plan ${plan.title} includes ${allowed}`);
}

/** Who comes: somebody, or all who have roles on a document and on what belongs to it. */
type Newcomers = { organizationId: string | null } & ({ userId: string } | { from: string });

/**
 * Holds that an organization's plan has a seat for who comes to it or to one of its projects (wire section 8). Who is there
 * already needs none, and who is there when a plan shrinks stays.
 * @throws Fault impossible
 */
export async function assertSeats(ctx: Ctx, plans: Plans, newcomers: Newcomers): Promise<void> {
  const { organizationId } = newcomers;
  if (organizationId === null) return;
  const { plan } = await findTier(ctx.tx, { plans, organizationId, now: ctx.now });
  if (plan.seatsMax === null) return;
  // Two who come at once are counted one after the other.
  await lockDocument(ctx.tx, organizationId, "update");
  const { present, coming } = await countPeople(ctx.tx, newcomers);
  if (coming === 0 || present + coming <= plan.seatsMax) return;
  const path = "userId" in newcomers ? "/userId" : "/organizationId";
  const people = present === 1 ? "1 person" : `${present} people`;
  const seats = toCount(plan.seatsMax, "seat");
  refuse(path, `has no seat: the organization has ${people}, and the plan ${plan.title} ${seats}`);
}

function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function refuse(path: string, message: string): never {
  throw new Fault("impossible", `${path}: ${message}`, { faults: [{ path, message }] });
}
