import { layouts } from "@avow/contract/configuration";
import type { Config } from "../../config/config.ts";

/** A plan. A limit of null means none. */
export interface Plan {
  readonly name: string;
  readonly title: string;
  /** Layouts allowed for steps. */
  readonly layouts: readonly string[];
  /** Maximum size of a published file before compression. */
  readonly fileBytesMax: number | null;
  /** Maximum number of published configurations of one project. */
  readonly configurationsMax: number | null;
  /** Maximum number of users of an organization and its projects. */
  readonly seatsMax: number | null;
}

export interface Plans {
  /** The plan without a subscription. */
  readonly free: Plan;
  /** All plans by name, the free one first. */
  readonly byName: ReadonlyMap<string, Plan>;
  /** How long an unpaid invoice keeps the plan. */
  readonly graceMs: number;
}

const DAY_MS = 86_400_000;
const unlimited = { fileBytesMax: null, configurationsMax: null, seatsMax: null } as const;
/** The specification, Step: "info, iab and soft_consent are not available on the free tier". */
const freeLayouts = ["welcome", "category"];

/** The built-in plans, which settings extend. The specification limits only layouts and size of the free tier. */
const table = {
  free: { ...unlimited, name: "free", title: "Free", layouts: freeLayouts },
  paid: [{ ...unlimited, name: "pro", title: "Pro", layouts }],
} satisfies { free: Omit<Plan, "fileBytesMax">; paid: readonly Plan[] };

/**
 * The plans of this service (wire section 8: "plans are declared in configuration"): the built-in plans with the
 * operator's settings, then the operator's own plans, which have only the limits that they declare.
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
