import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/config.ts";
import type { Http } from "../http/http.ts";
import { openSourceReader } from "../modules/move-in/read-source.ts";
import { registerMoveInRoute } from "../modules/move-in/routes.ts";
import { openResolver } from "../platform/outbound/resolver.ts";
import type { OpenRate } from "../platform/queues/rate.ts";

/** Opens the reader of other products' public files, within the networks that webhooks and scans may call. */
export function openMoveIn(
  opened: AsyncDisposableStack,
  http: Http,
  {
    config,
    openRate,
    log,
  }: { config: Pick<Config, "webhooks">; openRate: OpenRate; log: Pick<FastifyBaseLogger, "warn"> },
): void {
  const resolve = openResolver({ allowed: config.webhooks.allowedNetworks });
  registerMoveInRoute(http, opened.use(openSourceReader({ resolve, openRate, log })));
}
