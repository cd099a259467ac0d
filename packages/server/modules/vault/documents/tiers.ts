import type { Db, Tx } from "../../../platform/db/db.ts";
import { type Tier, findTier } from "../../billing/billing.ts";
import type { Plans } from "../../billing/plans.ts";
import type { DocumentRow } from "./store.ts";

export type { Tier };

/** The tier of a project; undefined for every other resource. */
export async function findTierOf(
  db: Db | Tx,
  { plans }: { plans: Plans },
  row: DocumentRow,
  now: Date,
): Promise<Tier | undefined> {
  if (row.resource !== "projects") return undefined;
  return findTier(db, { plans, organizationId: row.organization_id, now });
}

/** The tiers of the projects among `rows`, by project id; each organization is read once. */
export async function listTiersOf(
  db: Db | Tx,
  { plans }: { plans: Plans },
  { rows, now }: { rows: readonly DocumentRow[]; now: Date },
): Promise<ReadonlyMap<string, Tier>> {
  const projects = rows.filter((row) => row.resource === "projects");
  const organizations = [...new Set(projects.map((row) => row.organization_id))];
  const found = await Promise.all(
    organizations.map(
      async (organizationId) =>
        [organizationId, await findTier(db, { plans, organizationId, now })] as const,
    ),
  );
  const tiers = new Map(found);
  return new Map(
    projects.flatMap((row) => {
      const tier = tiers.get(row.organization_id);
      return tier ? [[row.id, tier] as const] : [];
    }),
  );
}
