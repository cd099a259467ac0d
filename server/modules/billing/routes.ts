import { Type } from "typebox";
import type { Config } from "../../config.ts";
import type { Http } from "../../platform/http/http.ts";
import { hrefOf, paths } from "../../paths.ts";
import type { Plans } from "./plans.ts";
import { PlanOut } from "./schema.ts";

/** The routes of wire section 8. Plans are what anyone may ask before signing up: a public list. */
export function registerBillingRoutes(
  http: Http,
  { plans, config }: { plans: Plans; config: Pick<Config, "http"> },
): void {
  const self = hrefOf(config.http.publicUrl, paths.plans, {});
  http.get(
    paths.plans,
    {
      schema: {
        tags: ["billing"],
        summary: "Lists the plans and their limits",
        operationId: "listPlans",
        response: { 200: Type.Array(PlanOut) },
      },
      config: { access: "public", cors: "any" },
    },
    () =>
      [...plans.byName.values()].map((plan) => ({
        ...plan,
        layouts: [...plan.layouts],
        links: { self },
      })),
  );
}
