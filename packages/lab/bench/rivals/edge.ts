// Avow's own HTTP layer and route, with validation and responses, but a collector that stores nothing. The
// difference to its rate is the cost of storage. Runs as a separate process with VENDORS, a JSON list of slugs;
// sends its URL to the parent.
import { createHttp } from "../../../server/http/server.ts";
import { loadConfig } from "../../../server/config/config.ts";
import type { ConsentsApp } from "../../../server/modules/consents/collect/collect.ts";
import { foldGroup } from "../../../server/modules/consents/collect/group-fold.ts";
import type { Offer } from "../../../server/modules/consents/offers/offer.ts";
import type { OfferedConfiguration } from "../../../server/modules/consents/offers/offered.ts";
import { registerConsentRoutes } from "../../../server/modules/consents/collect/routes.ts";
import { unwatchedDisk } from "../../../server/platform/disk-space.ts";
import { registerAuthentication } from "../../../server/http/authentication.ts";
import { registerMetrics } from "../../../server/http/monitoring/metrics.ts";
import { registerDiskSpace } from "../../../server/http/disk-space.ts";
import { openConsentIds } from "../../../server/kernel/ids.ts";
import { openLog } from "../../../server/platform/log.ts";
import { openRates } from "../../../server/platform/queues/rate.ts";
import { openRegions } from "../../../server/platform/regions/regions.ts";

const { config } = loadConfig({ LOG_FORMAT: "json" });
const now = () => new Date();
const identifier = "0123456789abcdef01234567";
const slugs = JSON.parse(process.env["VENDORS"] ?? "[]") as string[];
const offers = ["", ...slugs].map((item): [string, Offer] => [
  item,
  {
    identifier,
    item,
    collection: "cookies",
    name: item,
    substance: "0",
    covers: [],
    required: false,
    expiresAfterDays: 180,
  },
]);
const configuration: OfferedConfiguration = {
  identifier,
  collection: "cookies",
  version: 1,
  offers: new Map(offers),
};
const newConsentId = openConsentIds();
const collector: Pick<ConsentsApp["collector"], "collect"> = {
  async collect(pending) {
    const [made] = foldGroup([pending], new Map(), { newConsentId, now: now() }).records;
    if (!made) throw new Error("A consent created no record.");
    return { record: made.record, isReplay: false, answers: made.answered.answers };
  },
};
const log = openLog(config.log);
const http = createHttp(config, log);
registerAuthentication(http, {
  authenticate: async () => undefined,
  assertInScope: () => undefined,
  now,
  operatorToken: undefined,
  toOperator: async (user) => user,
  publicUrl: config.http.publicUrl,
});
registerDiskSpace(http, unwatchedDisk);
registerMetrics(http, { token: undefined, parts: [] });
const { publicUrl } = config.http;
const live = { peek: () => configuration };
const regions = await openRegions(config.regions);
// Reads would need a database; this benchmark has none.
const app = { now, publicUrl, live, regions, collector, openRate: openRates() };
registerConsentRoutes(http, app as unknown as ConsentsApp);
const url = await http.listen({ host: "127.0.0.1", port: 0 });
for (const name of ["SIGTERM", "SIGINT", "disconnect"]) process.on(name, () => process.exit(0));
process.send?.(url);
