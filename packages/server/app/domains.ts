import type { Http } from "../http/http.ts";
import { registerDomainRoutes } from "../modules/vault/brands/domain-routes.ts";
import { type DomainsApp, recheckDomains } from "../modules/vault/brands/domains.ts";
import type { Config } from "../config/config.ts";
import { openPoster } from "../platform/outbound/post.ts";
import type { LookupAll } from "../platform/outbound/lookup.ts";
import type { Jobs } from "../kernel/jobs.ts";
import type { OpenRate } from "../platform/queues/rate.ts";

/** Opens the domains of organizations: their routes, and the daily check of each. */
export async function openDomains(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Omit<DomainsApp, "poster"> & {
    config: Pick<Config, "webhooks">;
    jobs: Jobs;
    lookup: LookupAll;
    openRate: OpenRate;
    hasBackgroundWork: boolean;
  },
): Promise<void> {
  const allowed = shared.config.webhooks.allowedNetworks;
  const app = { ...shared, poster: opened.use(openPoster({ allowed, lookup: shared.lookup })) };
  registerDomainRoutes(http, app);
  if (!shared.hasBackgroundWork) return;
  await shared.jobs.scheduleJob("domain-checks", "23 * * * *", () => recheckDomains(app));
}
