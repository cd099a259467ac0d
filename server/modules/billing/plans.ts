import type { Config } from "../../config.ts";

/** What an organization may subscribe to; a limit of null means none. */
export interface Plan {
  readonly name: string;
  readonly title: string;
  /** Layouts that steps may have. */
  readonly layouts: readonly string[];
  /** Size of a published file before compression. */
  readonly fileBytesMax: number | null;
  /** Configurations of one project. */
  readonly configurationsMax: number | null;
  readonly seatsMax: number | null;
}

export interface Plans {
  /** What every project has whose organization has nothing else. */
  readonly free: Plan;
  /** All plans by name, the free one first. */
  readonly byName: ReadonlyMap<string, Plan>;
}

const freeLayouts = ["welcome", "category"];
/** The specification, Step: "info, iab and soft_consent are not available on the free tier". */
const paidLayouts = ["info", "iab", "soft_consent"];

/** The plans of this service (wire section 8). */
export function toPlans(config: Pick<Config, "freeTier">): Plans {
  const free: Plan = {
    name: "free",
    title: "Free",
    layouts: freeLayouts,
    fileBytesMax: config.freeTier.fileBytesMax,
    configurationsMax: null,
    seatsMax: null,
  };
  const pro: Plan = {
    name: "pro",
    title: "Pro",
    layouts: [...freeLayouts, ...paidLayouts],
    fileBytesMax: null,
    configurationsMax: null,
    seatsMax: null,
  };
  return { free, byName: new Map([free, pro].map((plan) => [plan.name, plan])) };
}
