import type { Plan } from "@avow/client/operations";
import type { KnownVendor } from "./known-vendors.ts";

/** The plans and vendors that the steps of a banner offer. */
export interface StepOptions {
  plan: string;
  plans: readonly Plan[];
  vendors: readonly KnownVendor[];
}
