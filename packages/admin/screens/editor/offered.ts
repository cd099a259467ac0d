import type { Plan } from "../../api/interface.ts";
import type { KnownVendor } from "./known-vendors.ts";

/** What the steps are offered: plans and vendors. */
export interface Offered {
  plan: string;
  plans: readonly Plan[];
  vendors: readonly KnownVendor[];
}
