import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toRecordSources } from "../../packages/server/app/webhooks.ts";
import { listHolders, listOwnerIds } from "../../packages/server/modules/vault/members/holders.ts";
import type { Sources } from "../../packages/server/modules/webhooks/ports.ts";
import { readDeliveriesBehindHead } from "../../packages/server/modules/webhooks/feed/feed.ts";
import { findHead } from "../../packages/server/modules/webhooks/feed/store.ts";
import { inTransaction } from "../../packages/server/platform/db/transaction.ts";
import { service } from "../harness.ts";
import { collect, newSite } from "./site.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { clock, db } = service;

describe("a webhook of all projects that is behind", () => {
  it("reads consents of its creator's projects only", async () => {
    const [mine, other] = [await newSite(), await newSite()];
    const events = ["consent.created"];
    const hook = await newWebhook(mine.token, { url: "https://hooks.example/", events });
    const foreign = await newWebhook(other.token, { url: "https://hooks.example/", events });
    const from = await findHead(db);
    for (const site of [mine, other])
      await collect(site, "processings", site.processing, { token: "ann", accept: true });
    const isDelivered = (list: unknown[]) => list.length > 0;
    await waitUntil(() => listDeliveries(mine.token, hook.id), isDelivered);
    await waitUntil(() => listDeliveries(other.token, foreign.id), isDelivered);
    const read: string[] = [];
    const records = toRecordSources(service.buckets);
    const sources: Sources = {
      ...records,
      listOwnerIds,
      listReceivers: (tx, ids) => listHolders(tx, ids, "receiveEvents"),
      assertReceiver: () => assert.fail("are checked for every creator of a webhook"),
      listRecordOutlines(keys) {
        read.push(...keys.map(({ projectId }) => projectId));
        return records.listRecordOutlines(keys);
      },
    };
    const sealing = {
      seal: () => assert.fail("nothing is encrypted"),
      unseal: () => assert.fail("nothing is decrypted"),
      toKey: () => 1,
    };
    const app = {
      db,
      data: service.data,
      now: clock.now,
      sources,
      sealing,
      publicUrl: "https://avow.example",
    };
    const one = {
      id: hook.id,
      created_by: mine.userId,
      project_id: null,
      events,
      collection: null,
      identifier: null,
      delivers_from: new Date(0),
      pending: 0,
      ...from,
    };
    const head = await findHead(db);
    const { deliveries } = await inTransaction(db, (tx) =>
      readDeliveriesBehindHead(tx, app, { one, head }),
    );
    assert.deepEqual(
      deliveries.map(({ projectId }) => projectId),
      [mine.id],
    );
    assert.deepEqual([...new Set(read)], [mine.id]);
  });
});
