import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once as onceEvent } from "node:events";
import { type IncomingHttpHeaders, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, assertProblem, assertStatus, toList, toText } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { createProject } from "../site.ts";
import { getOptions, once, openOwner, removeAtEnd } from "../target.ts";

const DELIVERY_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const hookUrl = "https://hooks.example.com/consents";
const openProject = once(async () => toText((await createProject())["_id"]));

async function register(body: object): Promise<Answer> {
  const { client } = await openOwner();
  const answer = await client.post("/v1/webhooks", { projectId: await openProject(), ...body });
  if (answer.status === 201) {
    const id = toText(answer.json["id"] ?? answer.json["_id"]);
    removeAtEnd(() => client.delete(`/v1/webhooks/${id}`));
  }
  return answer;
}

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on this machine that answers 204 to everything. */
async function openReceiver(t: TestContext): Promise<{ url: string; deliveries: Delivery[] }> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await onceEvent(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, deliveries };
}

section("Webhooks", { isConcurrent: true }, () => {
  behaviour("registers an endpoint, and answers its secret once", "wire 6", async () => {
    const { client } = await openOwner();
    const body = { url: hookUrl, events: ["consent.created", "publish.done"], enabled: true };
    const { json } = assertStatus(await register({ ...body, headers: { "x-shop": "1" } }), 201);
    assert.equal(json["url"], hookUrl);
    assert.equal(json["uri"], hookUrl);
    assert.deepEqual(json["events"], body.events);
    assert.equal(json["projectId"], await openProject());
    const secret = toText(json["secret"], "secret");
    const read = assertStatus(await client.get(`/v1/webhooks/${toText(json["id"])}`), 200);
    assert.ok(!read.text.includes(secret), "the secret is answered again");
    assert.equal(read.json["enabled"], true);
    const list = assertStatus(await client.get("/v1/webhooks"), 200);
    assert.ok(toList(list.json["webhooks"]).some(({ id }) => id === json["id"]));
    assert.ok(!list.text.includes(secret), "the secret is in the list");
  });

  behaviour("accepts uri for url, and event for one event", "wire 6", async () => {
    const { json } = assertStatus(await register({ uri: hookUrl, event: "consent.created" }), 201);
    assert.equal(json["url"], hookUrl);
    assert.deepEqual(json["events"], ["consent.created"]);
  });

  behaviour("accepts the older name of the consent event", "wire 6", async () => {
    const event = `consent/${await openProject()}`;
    const { json } = assertStatus(await register({ url: hookUrl, event }), 201);
    assert.deepEqual(json["events"], [event]);
  });

  behaviour("accepts every event of the specification", "wire 6", async () => {
    const events =
      "consent.created consent.withdrawn consent.erased project.created project.updated project.deleted " +
      "configuration.created configuration.updated configuration.deleted publish.done publish.failed " +
      "export.done import.done user.invited user.joined subscription.updated";
    assertStatus(await register({ url: hookUrl, events: events.split(" ") }), 201);
    assertProblem(await register({ url: hookUrl, events: ["no.such.event"] }), 400);
    assertProblem(await register({ events: ["import.done"] }), 400);
  });

  behaviour("changes and deletes an endpoint", "wire 6", async () => {
    const { client } = await openOwner();
    const { json } = assertStatus(await register({ url: hookUrl, events: ["publish.done"] }), 201);
    const path = `/v1/webhooks/${toText(json["id"])}`;
    const changed = { enabled: false, events: ["import.done"] };
    assertStatus(await client.patch(path, changed), 200);
    const read = assertStatus(await client.get(path), 200).json;
    assert.equal(read["enabled"], false);
    assert.deepEqual(read["events"], changed.events);
    assertStatus(await client.delete(path), 200, 204);
    assertProblem(await client.get(path), 404);
  });

  behaviour("rejects private addresses unless the operator allows them", "wire 6", async (t) => {
    const events = ["consent.created"];
    const addresses = ["http://127.0.0.1:9/", "http://10.0.0.1/", "http://169.254.1.1/"];
    for (const url of addresses) {
      const answer = await register({ url, events });
      if (answer.status === 201)
        return t.skip("the operator of this service allows private addresses");
      assertProblem(answer, 400, 422);
    }
  });

  behaviour("delivers a signed test event, and lists the delivery", "wire 6", async (t) => {
    const { client } = await openOwner();
    if (!/^https?:\/\/(?:127\.|localhost|\[::1\])/.test(getOptions().baseUrl))
      return t.skip("the service cannot reach a receiver on this machine");
    const { url, deliveries } = await openReceiver(t);
    const created = await register({ url, events: ["consent.created"] });
    if (created.status !== 201) return t.skip("the service does not deliver to private addresses");
    const path = `/v1/webhooks/${toText(created.json["id"])}`;
    assertStatus(await client.post(`${path}/test`), 200, 201, 202);
    const deadline = performance.now() + DELIVERY_TIMEOUT_MS;
    while (deliveries.length === 0) {
      assert.ok(performance.now() < deadline, "no delivery");
      await sleep(POLL_MS);
    }
    const [{ headers, body } = { headers: {}, body: "" }] = deliveries;
    const [id, timestamp] = [headers["webhook-id"], headers["webhook-timestamp"]];
    const secret = toText(created.json["secret"]).replace(/^whsec_/, "");
    const signature = createHmac("sha256", Buffer.from(secret, "base64"))
      .update(`${String(id)}.${String(timestamp)}.${body}`)
      .digest("base64");
    assert.ok(String(headers["webhook-signature"]).includes(`v1,${signature}`), "the signature");
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 300, "the timestamp");
    const list = assertStatus(await client.get(`${path}/deliveries`), 200);
    assert.ok(toList(list.json).length > 0 || toList(list.json["items"]).length > 0);
  });

  behaviour("lists deliveries, and starts a replay", "wire 6", async () => {
    const { client } = await openOwner();
    const { json } = assertStatus(await register({ url: hookUrl, events: ["import.done"] }), 201);
    const path = `/v1/webhooks/${toText(json["id"])}`;
    assertStatus(await client.get(`${path}/deliveries`), 200);
    const since = new Date(Date.now() - 60_000).toISOString();
    assertStatus(await client.post(`${path}/replay`, { since }), 200, 202);
    assertProblem(await client.post(`${path}/replay`, { since: "yesterday" }), 400);
  });

  behaviour("takes a plain date as the start of a replay", "wire 9: Dates", async () => {
    const { client } = await openOwner();
    const { json } = assertStatus(await register({ url: hookUrl, events: ["import.done"] }), 201);
    const since = new Date().toISOString().slice(0, 10);
    const path = `/v1/webhooks/${toText(json["id"])}/replay`;
    assertStatus(await client.post(path, { since }), 200, 202);
  });
});
