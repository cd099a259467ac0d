import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, describe, it } from "node:test";
import { sql } from "kysely";
import { deleteOldDeliveries } from "../../packages/server/modules/webhooks/deliveries/housekeeping.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { erase } from "./erasures.ts";
import { collect, newSite } from "./site.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { db, clock, fetch, newOwner, newUser } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
const to = (path: string) => receiver.url + path;
const at = (path: string) => (received: Received) => received.path === path;
const day = 86_400_000;
const LONG = 64 * 1024;

const getDelivery = (token: string, { links }: { links: { self: string } }) =>
  fetch(new URL(links.self).pathname, { token });
const test = (token: string, id: string) =>
  fetch(hrefOf("", paths.webhookTest, { id }), { method: "POST", token });

describe("the log of deliveries", () => {
  it("keeps a failed response up to 64 KiB, closing the connection beyond, and the beginning of a successful one", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/long"), events: ["project.created"] });
    let status = 500;
    let written = 0;
    const blocks = function* () {
      for (written = 0; written < 1_000; written += 1) yield "é".repeat(LONG / 2);
    };
    receiver.answerWith(async (received, answer) => {
      if (received.path !== "/long") return;
      answer.statusCode = status;
      // Cut before its end, it fails.
      await pipeline(Readable.from(blocks()), answer).catch(() => undefined);
    });
    try {
      await test(token, hook.id);
      const read = async () => (await listDeliveries(token, hook.id))[0];
      const listed = await waitUntil(read, (one) => one?.tried.length === 1);
      assert.ok(written < 1_000, "the connection was closed");
      assert.equal(listed.tried[0].answer, "é".repeat(500), "a list has the beginning");
      const { body: failed } = await getDelivery(token, listed);
      assert.equal(
        failed.tried[0].answer,
        "é".repeat(LONG / 2),
        "a single delivery has the full response",
      );
      assert.deepEqual([failed.tried[0].answerBytes, failed.tried[0].isCut], [LONG, true]);
      status = 200;
      clock.advance(6_000);
      const done = await waitUntil(read, (one) => one?.status === "delivered");
      const { body } = await getDelivery(token, done);
      assert.equal(body.tried[0].answer, "é".repeat(LONG / 2));
      assert.equal(body.tried[1].answer, "é".repeat(2_048));
    } finally {
      receiver.answerWith(() => undefined);
      clock.reset();
    }
  });

  it("keeps a webhook's newest hundred long responses, and none of erased consents", async () => {
    const site = await newSite();
    const { token } = site;
    const hook = await newWebhook(token, {
      url: to("/many-long"),
      events: ["consent.created"],
      projectId: site.id,
    });
    receiver.answerWith((received, answer) => {
      if (received.path !== "/many-long") return;
      answer.statusCode = 500;
      answer.end(`${received.text} ${"x".repeat(5_000)}`);
    });
    const count = async () => {
      const rows = db.selectFrom("webhook_answers").where("webhook_id", "=", hook.id);
      return (await rows.select(db.fn.countAll<number>().as("count")).executeTakeFirstOrThrow())
        .count;
    };
    try {
      await collect(site, "processings", site.processing, { token: "ann", accept: true });
      const read = async () => (await listDeliveries(token, hook.id))[0];
      const first = await waitUntil(read, (one) => one?.tried.length === 1);
      assert.equal(await count(), 1);
      await sql`
        INSERT INTO webhook_answers (webhook_id, delivery_id, request_id, answer)
        SELECT ${hook.id}, id, gen_random_uuid(), 'older'
        FROM webhook_deliveries, generate_series(1, 120) WHERE webhook_id = ${hook.id}`.execute(db);
      clock.advance(6_000);
      await waitUntil(read, (one) => one?.tried.length === 2);
      assert.equal(await count(), 100);
      const { body } = await getDelivery(token, first);
      assert.match(body.tried[1].answer, /x{5000}$/);
      assert.equal(body.tried[0].answer.length, 4_096, "only the beginning of the oldest is left");
      assert.equal((await erase(site, "ann")).status, 200);
      await waitUntil(read, (one) => one.tried.length === 0);
      assert.equal(await count(), 0);
    } finally {
      receiver.answerWith(() => undefined);
      clock.reset();
    }
  });

  it("is filtered by event, status, project, collection and configuration", async () => {
    const site = await newSite();
    const { token } = site;
    const events = ["consent.created", "consent.withdrawn", "project.updated", "project.created"];
    const hook = await newWebhook(token, { url: to("/narrowed"), events });
    await collect(site, "processings", site.processing, { token: "ann", accept: true });
    await collect(site, "processings", site.processing, { token: "ann", accept: false });
    await collect(site, "contracts", site.contract, { token: "ann", accept: true });
    const other = await service.newProject(token);
    const all = await waitUntil(
      () => listDeliveries(token, hook.id),
      (list) =>
        list.length === 5 && list.every((one: ListedDelivery) => one.status === "delivered"),
    );
    const count = async (query: Record<string, string>) => {
      const found: ListedDelivery[] = await listDeliveries(
        token,
        hook.id,
        `?${new URLSearchParams(query).toString()}`,
      );
      for (const one of found)
        for (const [name, value] of Object.entries(query))
          assert.equal(one[name as keyof ListedDelivery], value);
      return found.length;
    };
    assert.equal(await count({ event: "consent.created" }), 3);
    assert.equal(await count({ event: "consent.withdrawn" }), 1);
    assert.equal(await count({ status: "delivered" }), all.length);
    for (const status of ["pending", "parked", "cancelled"])
      assert.equal(await count({ status }), 0);
    assert.equal(await count({ projectId: site.id }), 4);
    assert.equal(await count({ projectId: other.id }), 1);
    assert.equal(await count({ collection: "processings" }), 3);
    assert.equal(await count({ collection: "contracts", event: "consent.created" }), 1);
    assert.equal(await count({ identifier: site.contract }), 1);
    assert.equal(await count({ identifier: site.cookies }), 0);
    const href = hrefOf(
      "",
      paths.webhookDeliveries,
      { id: hook.id },
      { limit: 2, event: events[0] },
    );
    const { body: first } = await fetch(href, { token });
    assert.equal(first.items.length, 2);
    const { body: second } = await fetch(first.links.next, { token });
    assert.deepEqual(
      second.items.map(({ event }: ListedDelivery) => event),
      ["consent.created"],
    );
    for (const wrong of ["status=lost", "projectId=1", "collection="])
      assert.equal((await fetch(`${href}&${wrong}`, { token })).status, 400, wrong);
  });

  it("deletes successful deliveries after a week, and everything after thirty days, with long responses", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, {
      url: "https://hooks.example/",
      events: ["project.created"],
      enabled: false,
    });
    const insert = (status: string, days: number) =>
      db
        .insertInto("webhook_deliveries")
        .values({
          webhook_id: hook.id,
          event: "webhook.test",
          event_id: null,
          project_id: null,
          consent_id: null,
          collection: null,
          identifier: null,
          order_key: 1,
          status,
          next_at: status === "pending" ? clock.now() : null,
          created_at: new Date(clock.now().getTime() - days * day),
          ended_at: null,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
    for (const status of ["delivered", "parked", "cancelled", "pending"])
      for (const days of [6, 8, 29]) await insert(status, days);
    const { id } = await insert("parked", 31);
    await insert("pending", 31);
    const answer = { webhook_id: hook.id, delivery_id: id, request_id: randomUUID(), answer: "x" };
    await db.insertInto("webhook_answers").values(answer).execute();
    await db.updateTable("webhooks").set({ pending: 4 }).where("id", "=", hook.id).execute();
    await deleteOldDeliveries(db, clock.now());
    const left: ListedDelivery[] = await listDeliveries(token, hook.id);
    const ages = Object.groupBy(left, ({ status }) => status);
    assert.deepEqual(
      Object.fromEntries(Object.entries(ages).map(([status, list]) => [status, list?.length])),
      { delivered: 1, parked: 3, cancelled: 3, pending: 3 },
    );
    const endpoint = await db
      .selectFrom("webhooks")
      .select("pending")
      .where("id", "=", hook.id)
      .executeTakeFirstOrThrow();
    assert.equal(endpoint.pending, 3, "failed deliveries do not wait any more");
    const kept = await db
      .selectFrom("webhook_answers")
      .selectAll()
      .where("webhook_id", "=", hook.id)
      .execute();
    assert.deepEqual(kept, []);
  });

  it("keeps the last twenty attempts of a delivery that is retried repeatedly, and limits retries to ten a minute", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/again"), events: ["project.created"] });
    await test(token, hook.id);
    const read = async () => (await listDeliveries(token, hook.id))[0];
    const first = await waitUntil(read, (one) => one?.status === "delivered");
    const retry = () => fetch(new URL(first.links.retry).pathname, { method: "POST", token });
    const [tried] = first.tried;
    const older = Array.from({ length: 60 }, (_, n) => ({
      ...tried,
      at: new Date(clock.now().getTime() - (61 - n) * 60_000).toISOString(),
      requestId: `older-${n}`,
    }));
    await db
      .updateTable("webhook_deliveries")
      .set({ tried: JSON.stringify(older) })
      .where("webhook_id", "=", hook.id)
      .execute();
    for (let n = 1; n <= 10; n += 1) {
      assert.equal((await retry()).status, 202);
      await waitUntil(read, (one) => one.status === "delivered");
    }
    const { body: kept } = await getDelivery(token, first);
    assert.equal(kept.tried.length, 20);
    const requestIds = kept.tried.map(({ requestId }: { requestId: string }) => requestId);
    assert.deepEqual(
      requestIds.slice(0, 10),
      older.slice(-10).map(({ requestId }) => requestId),
    );
    const refused = await retry();
    assert.equal(refused.status, 429);
    const seconds = Number(refused.headers.get("retry-after"));
    assert.ok(seconds > 0 && seconds <= 60, String(seconds));
    try {
      clock.advance(seconds * 1_000);
      assert.equal((await retry()).status, 202);
    } finally {
      clock.reset();
    }
  });

  it("never has more than ten thousand queued: the webhook stays behind, and catches up in order", async () => {
    const { token, project } = await newOwner();
    const hook = await newWebhook(token, {
      url: to("/behind"),
      events: ["project.updated"],
      projectId: project.id,
    });
    const rename = (title: string) =>
      fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json: { title } });
    const setPending = (pending: number) =>
      db.updateTable("webhooks").set({ pending }).where("id", "=", hook.id).execute();
    const readPlace = () =>
      db
        .selectFrom("webhooks")
        .select("position")
        .where("id", "=", hook.id)
        .executeTakeFirstOrThrow();
    await setPending(10_000);
    for (const title of ["One", "Two", "Three"]) await rename(title);
    await waitUntil(readPlace, ({ position }) => position !== null);
    assert.deepEqual(await listDeliveries(token, hook.id), []);
    await setPending(0);
    const received = await receiver.waitFor(3, at("/behind"));
    assert.deepEqual(
      received.map(({ body }) => body.data.version),
      [2, 3, 4],
    );
    await waitUntil(readPlace, ({ position }) => position === null);
    await rename("Four");
    const [, , , last] = await receiver.waitFor(4, at("/behind"));
    assert.equal(last?.body.data.version, 5);
  });
});

interface ListedDelivery {
  event: string;
  status: string;
  projectId: string | null;
  collection: string | null;
  identifier: string | null;
}
