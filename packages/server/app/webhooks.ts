import type { FastifyBaseLogger } from "fastify";
import {
  listConsentsForWebhooks,
  listRecordOutlines,
} from "../modules/consents/records/for-webhooks.ts";
import { findLogSize, listPlacedConsents } from "../modules/evidence/log/placed.ts";
import { getProject } from "../modules/vault/documents/access.ts";
import { listHolders, listOwnerIds } from "../modules/vault/members/holders.ts";
import { openDispatcher } from "../modules/webhooks/deliveries/dispatcher.ts";
import { registerDeliveryRoutes } from "../modules/webhooks/deliveries/routes.ts";
import { registerEndpointRoutes } from "../modules/webhooks/endpoints/routes.ts";
import { openSealing } from "../modules/webhooks/endpoints/sealing.ts";
import { startFeed } from "../modules/webhooks/feed/jobs.ts";
import { registerFeedRoutes } from "../modules/webhooks/feed/routes.ts";
import type { Sources, WebhooksApp } from "../modules/webhooks/ports.ts";
import { type Buckets, readAll, readByProject } from "../platform/db/buckets/buckets.ts";
import { openDatabase } from "../platform/db/open.ts";
import type { Http } from "../http/http.ts";
import { type Tracing, withClientSpan } from "../platform/telemetry/tracing.ts";
import { type Poster, openPoster } from "../platform/outbound/post.ts";

/** The sender's own connections, so that it takes none from requests. */
const SENDING = { poolMax: 3, queueMax: 10_000 };
/** The feed reads the data plane within its transaction, and must not wait for a connection that it holds itself. */
const FEEDING = { poolMax: 1, queueMax: 10 };

/** The records of all buckets, in the order of the log. */
export function toRecordSources(
  buckets: Buckets,
): Pick<
  Sources,
  "findLogSize" | "listPlacedConsents" | "listRecordOutlines" | "listConsentsForWebhooks"
> {
  return {
    findLogSize: () => findLogSize(buckets.home.data),
    async listPlacedConsents(range) {
      const placed = await readAll(buckets, (data) => listPlacedConsents(data, range));
      return placed.toSorted((a, b) => a.leaf - b.leaf);
    },
    listRecordOutlines: (keys) => readByProject(buckets, keys, listRecordOutlines),
    listConsentsForWebhooks: (keys, publicUrl) =>
      readByProject(buckets, keys, (data, own) => listConsentsForWebhooks(data, own, publicUrl)),
  };
}

/** Opens webhooks: their routes, and in the process with background work the feed and the sender. */
export function openWebhooks(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Omit<WebhooksApp, "sealing" | "sources" | "poster" | "sendingDb"> & {
    databaseUrl: string;
    log: FastifyBaseLogger;
    secret: Buffer;
    tracing: Tracing | undefined;
    hasBackgroundWork: boolean;
  },
): void {
  const { databaseUrl: url, secret, log, lookup } = shared;
  const { allowedNetworks: allowed } = shared.config.webhooks;
  const { pooling } = shared.config.database;
  const sources: Sources = {
    ...toRecordSources(shared.buckets),
    listOwnerIds,
    listReceivers: (db, ids) => listHolders(db, ids, "receiveEvents"),
    assertReceiver: async (db, scope, id) => void (await getProject(db, scope, id)),
  };
  const sender = opened.use(openPoster({ allowed, lookup }));
  const poster = {
    post: withClientSpan(shared.tracing, "post webhook", (...given: Parameters<Poster["post"]>) =>
      sender.post(...given),
    ),
  };
  const sendingDb = openDatabase({ url, ...SENDING, log, isLax: true, pooling });
  opened.defer(() => sendingDb.destroy());
  const webhooks = { ...shared, sealing: openSealing(secret), sources, poster, sendingDb, lookup };
  registerEndpointRoutes(http, webhooks);
  registerDeliveryRoutes(http, webhooks);
  registerFeedRoutes(http, webhooks);
  if (!shared.hasBackgroundWork) return;
  const dispatcher = opened.use(openDispatcher(webhooks));
  const feedingDb = openDatabase({ url, ...FEEDING, log, pooling });
  opened.defer(() => feedingDb.destroy());
  opened.use(startFeed({ ...webhooks, db: feedingDb }, () => dispatcher.wake()));
}
