import type { FastifyBaseLogger } from "fastify";
import { listToldConsents, listToldOutlines } from "./modules/consents/records/for-webhooks.ts";
import { findLogSize, listPlacedConsents } from "./modules/evidence/log/placed.ts";
import { getProject } from "./modules/vault/access.ts";
import { listHolders, listOwnerIds } from "./modules/vault/holders.ts";
import { startWebhooks } from "./modules/webhooks/jobs.ts";
import { registerWebhookRoutes } from "./modules/webhooks/routes.ts";
import { openSealing } from "./modules/webhooks/sealing.ts";
import type { Sources, WebhooksApp } from "./modules/webhooks/app.ts";
import { openDatabase } from "./platform/db/open.ts";
import type { Http } from "./http/http.ts";
import { openLookup } from "./platform/outbound/lookup.ts";
import { openPoster } from "./platform/outbound/post.ts";

/** Connections of sending webhooks, so that it takes none from who is waiting for an answer. */
const SENDING = { poolMax: 3, queueMax: 10_000 };

/** Webhooks: their routes, and the work behind them. What other modules know is handed down, since this one calls none. */
export function openWebhooks(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Omit<WebhooksApp, "sealing" | "sources" | "poster" | "sendingDb"> & {
    databaseUrl: string;
    log: FastifyBaseLogger;
    secret: Buffer;
  },
): void {
  const { databaseUrl: url, secret, log, lookup = openLookup() } = shared;
  const { allowedNetworks: allowed } = shared.config.webhooks;
  const sources: Sources = {
    findLogSize,
    listPlacedConsents,
    listToldOutlines,
    listToldConsents,
    listOwnerIds,
    listReceivers: (db, ids) => listHolders(db, ids, "receiveEvents"),
    assertReceiver: async (db, scope, id) => void (await getProject(db, scope, id)),
  };
  const poster = opened.use(openPoster({ allowed, lookup }));
  const sendingDb = openDatabase({ url, ...SENDING, log, isLax: true });
  opened.defer(() => sendingDb.destroy());
  const webhooks = { ...shared, sealing: openSealing(secret), sources, poster, sendingDb, lookup };
  registerWebhookRoutes(http, webhooks);
  opened.use(startWebhooks(webhooks));
}
