import type { PlanSetting } from "./setting-kinds-billing.ts";
import type { Values } from "./settings.ts";

/** What organizations may subscribe to. */
export interface BillingConfig {
  /** What the operator says of plans, by name. */
  readonly plans: Readonly<Record<string, PlanSetting>>;
  /** For how long a bill that is not paid keeps the plan. */
  readonly graceDays: number;
}

/** Settings that need one another: each fault names the setting and what it expected. */
export function findBillingFaults({ PLANS }: Values): string[] {
  if (PLANS["free"]?.fileBytesMax === undefined) return [];
  return ["PLANS: expected no fileBytesMax for free, whose is FREE_TIER_FILE_BYTES_MAX"];
}

/** Reads what organizations may subscribe to, from settings without faults. */
export function toBillingConfig({ PLANS, BILLING_GRACE_DAYS }: Values): BillingConfig {
  return { plans: PLANS, graceDays: BILLING_GRACE_DAYS };
}
