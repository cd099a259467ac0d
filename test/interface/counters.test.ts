import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { openReceiver } from "../stand-ins/receiver.ts";
import { collect, newSite } from "./site.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

/*
 * Events, their positions and webhook deliveries are numbered for the whole service. Clients get these numbers
 * encrypted, so that they do not learn how much other customers do.
 */

const { fetch, newOwner, db } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
const encrypted = /^[0-9a-f]{32}$/;

const cursorOf = (href: string): string => new URL(href).searchParams.get("cursor") ?? "";
const decode = (cursor: string): string[] =>
  JSON.parse(Buffer.from(cursor, "base64url").toString());
const encode = (parts: string[]): string =>
  Buffer.from(JSON.stringify(parts)).toString("base64url");

// Numbers that occur nowhere else.
await sql`SELECT setval(pg_get_serial_sequence('events', 'id'), 87654321012),
  setval(pg_get_serial_sequence('webhook_deliveries', 'id'), 76543210123)`.execute(db);

/** Asserts that a text has none of the numbers. */
function assertNone(text: string, numbers: readonly number[]): void {
  for (const number of numbers) assert.ok(!text.includes(String(number)), `${number} in ${text}`);
}

interface ListedDelivery {
  id: string;
  status: string;
  links: { self: string; retry: string };
}

describe("counters of the whole service", () => {
  it("do not show in the audit trail, whose pages follow each other by an encrypted cursor", async () => {
    const { token, project } = await newOwner();
    for (const title of ["A", "B"])
      await fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json: { title } });
    const list = `/v1/vault/audit?projectId=${project.id}`;
    const { items } = (await fetch(list, { token })).body;
    const rows = await db
      .selectFrom("events")
      .select(["id", "name"])
      .where("project_id", "=", project.id)
      .orderBy("id", "desc")
      .execute();
    assert.equal(items.length, rows.length);
    const ids = items.map(({ id }: { id: string }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const paged: string[] = [];
    for (let href: string | undefined = `${list}&limit=1`; href !== undefined;) {
      const { body } = await fetch(href, { token });
      paged.push(...body.items.map(({ id }: { id: string }) => id));
      href = body.links.next;
      if (href === undefined) break;
      const [at = "", last = ""] = decode(cursorOf(href));
      assert.match(at, /^\d{4}-\d\d-\d\dT/);
      assert.match(last, encrypted);
    }
    assert.deepEqual(paged, ids);
    const lines = await fetch(list, { token, headers: { accept: "application/x-ndjson" } });
    for (const text of [JSON.stringify(items), lines.body])
      assertNone(
        text,
        rows.map(({ id }) => id),
      );
  });

  it("do not show in ids of deliveries, in webhook ids and in cursors of both lists", async () => {
    const { token, project } = await newOwner();
    const query = { events: "project.updated" };
    const feed = await fetch(hrefOf("", paths.webhookEvents, {}, query), { token });
    const [position = "", leaf = ""] = decode(cursorOf(feed.body.links.next));
    assert.match(position, encrypted);
    assert.match(leaf, encrypted);
    const url = `${receiver.url}/counted`;
    const events = ["project.updated"];
    const hook = await newWebhook(token, { url, events, projectId: project.id });
    for (const title of ["A", "B"])
      await fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json: { title } });
    const read = (): Promise<ListedDelivery[]> => listDeliveries(token, hook.id);
    const isDone = (found: ListedDelivery[]) =>
      found.length === 2 && found.every(({ status }) => status === "delivered");
    const all = await waitUntil(read, isDone);
    const rows = await db
      .selectFrom("webhook_deliveries")
      .select(["id", "event_id"])
      .where("webhook_id", "=", hook.id)
      .execute();
    const numbers = rows.flatMap(({ id, event_id: eventId }) => [id, eventId ?? id]);
    for (const one of all) {
      assert.match(one.id, encrypted);
      assertNone(`${one.id} ${one.links.self} ${one.links.retry}`, numbers);
      const path = new URL(one.links.self).pathname;
      assert.equal((await fetch(path, { token })).body.id, one.id);
    }
    const received = await receiver.waitFor(2, ({ path }) => path === "/counted");
    for (const { headers } of received)
      assert.match(String(headers["webhook-id"]), /^msg_event_[0-9a-f]{32}$/);
    const first = await fetch(hrefOf("", paths.webhookDeliveries, { id: hook.id }, { limit: 1 }), {
      token,
    });
    const { next } = first.body.links;
    assert.match(decode(cursorOf(next))[0] ?? "", encrypted);
    assert.equal((await fetch(next, { token })).body.items[0].id, all[1]?.id);
    const listed = await fetch(feed.body.links.next, { token });
    assert.deepEqual(
      listed.body.items.map(({ id }: { id: string }) => id),
      received.map(({ headers }) => headers["webhook-id"]),
    );
  });

  it("cannot be found by trial: numbers and encrypted numbers of other lists are rejected", async () => {
    const { token, project } = await newOwner();
    const list = `/v1/vault/audit?projectId=${project.id}`;
    const [entry] = (await fetch(list, { token })).body.items;
    const hook = await newWebhook(token, { url: receiver.url, events: ["project.updated"] });
    const tested = await fetch(hrefOf("", paths.webhookTest, { id: hook.id }), { token, json: {} });
    const deliveries = hrefOf("", paths.webhookDeliveries, { id: hook.id });
    const { id: eventId } = await db
      .selectFrom("events")
      .select("id")
      .where("project_id", "=", project.id)
      .executeTakeFirstOrThrow();
    const { id: deliveryId } = await db
      .selectFrom("webhook_deliveries")
      .select("id")
      .where("webhook_id", "=", hook.id)
      .executeTakeFirstOrThrow();
    const refused = [
      `${list}&cursor=${encode([entry.at, String(eventId)])}`,
      `${list}&cursor=${encode([entry.at, tested.body.id])}`,
      `${deliveries}?cursor=${encode([String(deliveryId)])}`,
      `${deliveries}?cursor=${encode([entry.id])}`,
      `${paths.webhookEvents}?cursor=${encode(["1", "0"])}`,
      `${paths.webhookEvents}?cursor=${encode([entry.id, "0"])}`,
    ];
    for (const path of refused) {
      const { status, body } = await fetch(path, { token });
      assert.equal(status, 400, path);
      assert.match(body.detail, /is not a cursor of this list/);
    }
    for (const id of [String(deliveryId), entry.id])
      assert.equal((await fetch(`${deliveries}/${id}`, { token })).status, 404);
  });

  it("are not part of the cursors of mailing lists, which stay as clients have stored them", async () => {
    const site = await newSite();
    const { token } = site;
    await collect(site, "processings", site.processing, { token: "early", accept: true });
    const list = `/v1/client/${site.id}/tokens/accepted/${site.processing}`;
    const { body } = await fetch(list, { token });
    const stored = new URL(body.links.changes).searchParams.get("since") ?? "";
    const [id = "", instant = "", substances = "", ...more] = decode(stored);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    assert.ok(!Number.isNaN(Date.parse(instant)) && substances !== "");
    assert.deepEqual(more, []);
    await collect(site, "processings", site.processing, { token: "late", accept: true });
    const since = encode([id, instant, substances]);
    const changes = await fetch(`${list}?since=${since}`, { token });
    const found = changes.body.items.map((one: { token: string; change: string }) => [
      one.token,
      one.change,
    ]);
    assert.deepEqual(found.at(-1), ["late", "added"]);
  });
});
