import { layouts } from "@avow/contract/configuration";
import type { Config } from "../../config/config.ts";

/** What an organization may subscribe to; a limit of null means none. */
export interface Plan {
  readonly name: string;
  readonly title: string;
  /** Layouts that steps may have. */
  readonly layouts: readonly string[];
  /** Size of a published file before compression. */
  readonly fileBytesMax: number | null;
  /** Configurations of one project that are published. */
  readonly configurationsMax: number | null;
  /** People of an organization and of its projects. */
  readonly seatsMax: number | null;
}

export interface Plans {
  /** What every project has whose organization has nothing else. */
  readonly free: Plan;
  /** All plans by name, the free one first. */
  readonly byName: ReadonlyMap<string, Plan>;
  /** For how long a bill that is not paid keeps the plan. */
  readonly graceMs: number;
}

const DAY_MS = 86_400_000;
const unlimited = { fileBytesMax: null, configurationsMax: null, seatsMax: null } as const;
/** The specification, Step: "info, iab and soft_consent are not available on the free tier". */
const freeLayouts = ["welcome", "category"];

/** The table of plans, to which settings add: the specification limits the free tier by layouts and size alone. */
const table = {
  free: { ...unlimited, name: "free", title: "Free", layouts: freeLayouts },
  paid: [{ ...unlimited, name: "pro", title: "Pro", layouts }],
} satisfies { free: Omit<Plan, "fileBytesMax">; paid: readonly Plan[] };

/**
 * The plans of this service (wire section 8: "plans are declared in configuration"): the table with what the operator
 * says of each, then those of the operator's own, which have no limit but those that they name.
 */
export function toPlans({ freeTier, billing }: Pick<Config, "freeTier" | "billing">): Plans {
  const { plans: settings, graceDays } = billing;
  const toPlan = (plan: Plan): Plan => ({ ...plan, ...settings[plan.name] });
  const known = new Set([table.free, ...table.paid].map(({ name }) => name));
  const own = Object.keys(settings).filter((name) => !known.has(name));
  const free = toPlan({ ...table.free, fileBytesMax: freeTier.fileBytesMax });
  const paid = [...table.paid, ...own.map(toOwnPlan)].map(toPlan);
  return {
    free,
    byName: new Map([free, ...paid].map((plan) => [plan.name, plan])),
    graceMs: graceDays * DAY_MS,
  };
}

function toOwnPlan(name: string): Plan {
  return { ...unlimited, name, title: name, layouts };
}
