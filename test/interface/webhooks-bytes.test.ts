import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { openTestDatabase } from "../database.ts";
import { type TestRequest, service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";
import { collect, newSite, toProcessing } from "./site.ts";
import { newWebhook, waitUntil } from "./webhooks.ts";

/** New webhooks get a third of these, and long bodies three quarters of that. */
const BYTES_MAX = 4 * 1024 * 1024;
const LONG_BYTES_MAX = (BYTES_MAX / 3) * 0.75;
const USERS = 16;
const HOOKS = 4;
const ANSWERS = 3;
const VALUE_BYTES = 60_000;

const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());

/** A user with a project and its webhooks. */
async function openUser(node: AnotherService, name: string) {
  const send = async (path: string, request: TestRequest) => {
    const { status, body } = await service.fetch(node.url + path, request);
    assert.ok(status < 300, JSON.stringify(body));
    return body;
  };
  const json = { email: `${name}@shop.example`, password: "correct horse" };
  const { token } = await send(paths.signup, { json });
  const create = async (resource: string, document: object): Promise<string> =>
    (await send(`/v1/${resource}`, { token, json: document })).id;
  const site = { websiteURL: "https://shop.example", title: name };
  const projectId = await create("vault/projects", site);
  const identifier = await create("vault/processings", toProcessing(projectId));
  const collected = { projectId, collection: "processings", identifier };
  return {
    name,
    addHook: (path: string) =>
      create("webhooks", { url: receiver.url + path, projectId, events: ["consent.created"] }),
    async collect(answer: object): Promise<string> {
      return (await send(hrefOf("", paths.collect, collected), { json: answer })).consentId;
    },
  };
}

/** Delays responses under /long until released; counts the bytes of unanswered requests. */
function delayLong() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const seen = { bytes: 0, bytesMax: 0, open: 0 };
  receiver.answerWith(async ({ path, text }) => {
    if (!path.startsWith("/long")) return;
    seen.bytes += text.length;
    seen.open += 1;
    seen.bytesMax = Math.max(seen.bytesMax, seen.bytes);
    await promise;
    seen.bytes -= text.length;
    seen.open -= 1;
  });
  return { seen, release };
}

async function readGauge(node: AnotherService): Promise<number> {
  const { body } = await service.fetch(node.url + paths.metrics);
  const [, value] = /^avow_webhook_held_bytes (\d+)$/m.exec(body) ?? [];
  assert.ok(value !== undefined, "the metrics show the bytes in memory");
  return Number(value);
}

const idOf = ({ body }: Received): string => body.data.consentId;

describe("the deliveries in memory", () => {
  it("are limited in bytes over all hanging webhooks, and short bodies are delivered beside them", async () => {
    await using database = await openTestDatabase();
    await using node = await openAnotherService(database.url, {
      WEBHOOKS_BYTES_MAX: String(BYTES_MAX),
    });
    const { seen, release } = delayLong();
    const users = [];
    for (let n = 0; n < USERS; n += 1) users.push(await openUser(node, `maker-${n}`));
    for (const user of users)
      for (let n = 0; n < HOOKS; n += 1) await user.addHook(`/long/${user.name}/${n}`);
    const stranger = await openUser(node, "stranger");
    await stranger.addHook("/short/stranger");
    const collected = new Map<string, string[]>();
    for (let n = 0; n < ANSWERS; n += 1)
      for (const user of users) {
        const value = randomBytes(VALUE_BYTES / 2).toString("hex");
        const id = await user.collect({ token: `ann-${n % 2}`, accept: true, value });
        collected.set(user.name, [...(collected.get(user.name) ?? []), id]);
      }

    const isFull = () => seen.bytes > LONG_BYTES_MAX - 2 * VALUE_BYTES;
    await waitUntil(async () => ({ ...seen, gauge: await readGauge(node) }), isFull);
    assert.ok(seen.open < USERS * HOOKS, "some webhooks wait for capacity");
    const short = await stranger.collect({ token: "bob", accept: true });
    const own = users[0] ?? assert.fail("there are users");
    await own.addHook("/short/own");
    const ownId = await own.collect({ token: "cid", accept: true });
    const isShort = ({ path }: Received) => path.startsWith("/short");
    const received = await receiver.waitFor(2, isShort);
    assert.deepEqual(received.map(idOf).toSorted(), [short, ownId].toSorted());
    assert.ok((await readGauge(node)) <= BYTES_MAX);
    release();

    const all = USERS * HOOKS * ANSWERS;
    const ofLong = ({ path, text }: Received) =>
      path.startsWith("/long") && text.length > VALUE_BYTES;
    await waitUntil(
      () => Promise.resolve(new Set(receiver.received.filter(ofLong).map(toDelivery)).size),
      (count) => count === all,
    );
    for (const { name } of users)
      for (let n = 0; n < HOOKS; n += 1) {
        const path = `/long/${name}/${n}`;
        const came = receiver.received.filter((one) => one.path === path && ofLong(one));
        assert.deepEqual(new Set(came.map(idOf)), new Set(collected.get(name)), path);
      }
    assert.ok(seen.bytesMax <= LONG_BYTES_MAX, `${seen.bytesMax} bytes were in memory`);
    await waitUntil(
      () => readGauge(node),
      (bytes) => bytes === 0,
    );
  });

  it("have no more bytes than were reserved for them before they were read", async () => {
    const site = await newSite();
    const events = ["consent.created", `consent/${site.id}`, "configuration.updated"];
    const url = `${receiver.url}/counted/${site.id}`;
    const hook = await newWebhook(site.token, { url, events, projectId: site.id });
    const signals = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`é${n}`, [1e20, 1e20]]),
    );
    const unknown = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`"${n}`, true]));
    const headers = { "user-agent": 'Mozilla/5.0 "Firefox/140.0"' };
    const cookies = { accept: true, token: "🦊".repeat(60), url: 'https://shop.example/"é"' };
    const value = Array.from({ length: 4_000 }, () => 1e20);
    const long = { accept: true, token: "&".repeat(256), value };
    const answers = [
      await collect(
        site,
        "cookies",
        site.cookies,
        { ...cookies, preferences: { vendors: unknown } },
        headers,
      ),
      await collect(site, "cookies", site.cookies, {
        ...cookies,
        preferences: { googleConsentMode: signals },
      }),
      await collect(site, "processings", site.processing, long),
    ];
    for (const { status, body } of answers) assert.equal(status, 201, JSON.stringify(body));
    const processing = `/v1/vault/processings/${site.processing}`;
    const json = { title: "é".repeat(200) };
    const { status } = await service.fetch(processing, {
      method: "PATCH",
      token: site.token,
      json,
    });
    assert.equal(status, 200);
    const isOwn = ({ path }: Received) => path === `/counted/${site.id}`;
    const came = await receiver.waitFor(7, isOwn);
    const { rows } = await sql<{ id: string; event: string; most: number }>`
      SELECT coalesce(consent_id::text, event_id::text) AS id, event, bytes_max AS most
      FROM webhook_deliveries WHERE webhook_id = ${hook.id}`.execute(service.db);
    assert.equal(rows.length, came.length);
    for (const { headers: sent, text } of came) {
      const messageId = String(sent["webhook-id"]);
      const isRecord = messageId.startsWith("msg_record_");
      // Ids of events are encrypted, and there is one event.
      const row = rows.find(({ id, event }) =>
        messageId.startsWith("msg_event_")
          ? event === "configuration.updated"
          : messageId.endsWith(`_${id}`) && event.includes("/") === isRecord,
      );
      const bytes = Buffer.byteLength(text);
      assert.ok(row && bytes <= row.most, `${messageId}: ${bytes} of ${row?.most}`);
    }
  });

  it("are a shorter page of the list of events where these are long, without omissions", async () => {
    const site = await newSite();
    const at = `${paths.webhookEvents}?projectId=${site.id}&events=consent.created`;
    const first = await service.fetch(at, { token: site.token });
    const ids: string[] = [];
    const value = randomBytes(48_000).toString("hex");
    for (let n = 0; n < 120; n += 1) {
      const answer = { token: `ann-${n}`, accept: true, value };
      const { body } = await collect(site, "processings", site.processing, answer);
      ids.push(body.consentId);
    }
    const seen: string[] = [];
    const pages: number[] = [];
    let next: string = first.body.links.next;
    const until = performance.now() + 60_000;
    while (seen.length < ids.length) {
      assert.ok(performance.now() < until, `${seen.length} came`);
      const { status, body } = await service.fetch(next, { token: site.token });
      assert.equal(status, 200);
      for (const { data } of body.items) seen.push(data.consentId);
      pages.push(Buffer.byteLength(JSON.stringify(body)));
      ({ next } = body.links);
    }
    assert.deepEqual(seen.toSorted(), ids.toSorted());
    assert.ok(Math.max(...pages) < 9 * 1024 * 1024, `${Math.max(...pages)} bytes`);
  });
});

function toDelivery(one: Received): string {
  return `${one.path} ${idOf(one)}`;
}
