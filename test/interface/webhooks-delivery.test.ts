import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { collect, newSite } from "./site.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { fetch, newOwner, newUser, clock } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
const to = (path: string) => receiver.url + path;
const at = (path: string) => (received: Received) => received.path === path;

/** Verifies as a receiver does, with the published library. */
function verified(received: Received, secret: string) {
  return new Webhook(secret).verify(received.text, received.headers as Record<string, string>);
}

/** Requests a test event. */
function test(token: string, id: string) {
  return fetch(hrefOf("", paths.webhookTest, { id }), { method: "POST", token });
}

describe("wire section 6, deliveries", () => {
  it("report what happens to a project, signed so that the standardwebhooks library verifies it", async () => {
    const { token, project } = await newOwner();
    const hook = await newWebhook(token, {
      url: to("/project"),
      events: ["project.updated", "configuration.created"],
      projectId: project.id,
      headers: { authorization: "Bearer mine" },
    });
    const json = { title: "Another name" };
    await fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json });
    const [one] = await receiver.waitFor(1, at("/project"));
    assert.ok(one);
    const body = verified(one, hook.secret);
    assert.deepEqual(body, one.body);
    assert.equal(one.body.type, "project.updated");
    assert.equal(one.body.data.projectId, project.id);
    assert.equal(one.headers.authorization, "Bearer mine");
    assert.equal(one.headers["content-type"], "application/json");
    const [delivery] = await waitUntil(
      () => listDeliveries(token, hook.id),
      ([first]) => first?.status === "delivered",
    );
    assert.equal(delivery.tried.length, 1);
    const [attempt] = delivery.tried;
    assert.equal(attempt.status, 200);
    assert.equal(attempt.answer, "ok");
    assert.equal(attempt.requestId, one.headers["x-request-id"]);
    assert.ok(attempt.durationMs >= 0);
  });

  it("that are altered, old or signed by another key are rejected by the library", async () => {
    const { token, project } = await newOwner();
    const hook = await newWebhook(token, {
      url: to("/changed"),
      events: ["project.updated"],
      projectId: project.id,
    });
    await test(token, hook.id);
    const [one] = await receiver.waitFor(1, at("/changed"));
    assert.ok(one);
    assert.equal(one.body.type, "webhook.test");
    verified(one, hook.secret);
    const changed = { ...one, text: one.text.replace("test", "text") };
    assert.throws(() => verified(changed, hook.secret), WebhookVerificationError);
    const seconds = Number(one.headers["webhook-timestamp"]);
    const old = { ...one, headers: { ...one.headers, "webhook-timestamp": String(seconds - 600) } };
    assert.throws(() => verified(old, hook.secret), /too old/);
    const another = await newWebhook(token, { url: to("/x"), events: ["project.updated"] });
    assert.throws(() => verified(one, another.secret), WebhookVerificationError);
  });

  it("that are answered by a redirect fail, and the redirect is not followed", async () => {
    const { token, project } = await newOwner();
    const events = ["project.updated"];
    const hook = await newWebhook(token, { url: to("/moved"), events, projectId: project.id });
    receiver.answerWith(({ path }, answer) => {
      if (path === "/moved") answer.writeHead(307, { location: to("/moved-to") });
    });
    await test(token, hook.id);
    const [delivery] = await waitUntil(
      () => listDeliveries(token, hook.id),
      ([first]) => first?.tried.length > 0,
    );
    receiver.answerWith(() => undefined);
    assert.equal(delivery.tried[0].status, 307);
    assert.notEqual(delivery.status, "delivered");
    assert.deepEqual(receiver.received.filter(at("/moved-to")), []);
  });

  it("report each consent once it is in the log, with a link to its proof; the older name has the record itself as the body", async () => {
    const site = await newSite();
    const { token } = site;
    const mine = { projectId: site.id };
    await newWebhook(token, { ...mine, url: to("/consent"), events: ["consent.created"] });
    await newWebhook(token, { ...mine, url: to("/withdrawn"), events: ["consent.withdrawn"] });
    await newWebhook(token, { uri: to("/older"), event: `consent/${site.id}` });
    await newWebhook(token, {
      ...mine,
      url: to("/narrow"),
      events: ["consent.created"],
      collection: "contracts",
    });
    const sent = await collect(site, "processings", site.processing, {
      token: "ann",
      accept: true,
    });
    await collect(site, "processings", site.processing, { token: "ann", accept: false });
    await collect(site, "contracts", site.contract, { token: "bob", accept: true });
    const created = await receiver.waitFor(3, at("/consent"));
    const ofAnn = created.filter(({ body }) => body.data.token === "ann");
    assert.deepEqual(
      ofAnn.map(({ body }) => body.data.accept),
      [true, false],
    );
    const { consentId } = sent.body;
    assert.equal(ofAnn[0]?.body.data.consentId, consentId);
    const proof = await fetch(ofAnn[0]?.body.data.links.proof);
    assert.equal(proof.status, 200, "the proof is there when the event arrives");
    const [withdrawn, ...others] = await receiver.waitFor(1, at("/withdrawn"));
    assert.equal(withdrawn?.body.type, "consent.withdrawn");
    assert.equal(withdrawn?.body.data.accept, false);
    assert.deepEqual(others, []);
    const older = await receiver.waitFor(3, at("/older"));
    const latest = older.find(({ body }) => body.consentId === consentId);
    assert.equal(latest?.body.accept, true);
    assert.equal(latest?.body.token, "ann");
    const narrow = await receiver.waitFor(1, at("/narrow"));
    assert.deepEqual(
      narrow.map(({ body }) => body.data.collection),
      ["contracts"],
    );
  });

  it("are not for users who may no longer receive a project's events", async () => {
    const owner = await newOwner();
    const editor = await newUser();
    const users = `/v1/vault/projects/${owner.project.id}/users`;
    await fetch(users, { token: owner.token, json: { userId: editor.id, roles: ["editor"] } });
    const events = ["project.updated"];
    await newWebhook(editor.token, { url: to("/left"), events, projectId: owner.project.id });
    await newWebhook(editor.token, { url: to("/left-all"), events });
    await newWebhook(owner.token, { url: to("/stayed"), events });
    const rename = (title: string) =>
      fetch(`/v1/vault/projects/${owner.project.id}`, {
        method: "PATCH",
        token: owner.token,
        json: { title },
      });
    await rename("One");
    await receiver.waitFor(1, at("/left"));
    await receiver.waitFor(1, at("/left-all"));
    await fetch(`${users}/${editor.id}`, { method: "DELETE", token: owner.token });
    await rename("Two");
    await receiver.waitFor(2, at("/stayed"));
    assert.equal(receiver.received.filter(({ path }) => path.startsWith("/left")).length, 2);
  });

  it("that fail are retried by the schedule, with the same id, and a log of each attempt", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/again"), events: ["project.created"] });
    let answers = 0;
    receiver.answerWith((received, answer) => {
      if (received.path !== "/again") return;
      answers += 1;
      answer.statusCode = answers < 3 ? 500 : 200;
    });
    try {
      await test(token, hook.id);
      const read = async () => (await listDeliveries(token, hook.id))[0];
      const first = await waitUntil(read, (delivery) => delivery?.tried.length === 1);
      assert.equal(first.status, "pending");
      assertWait(first, 5_000);
      clock.advance(6_000);
      const second = await waitUntil(read, (delivery) => delivery?.tried.length === 2);
      assertWait(second, 30_000);
      clock.advance(34_000);
      const third = await waitUntil(read, (delivery) => delivery?.status === "delivered");
      assert.deepEqual(
        third.tried.map(({ status }: { status: number }) => status),
        [500, 500, 200],
      );
      const ids = receiver.received
        .filter(at("/again"))
        .map(({ headers }) => headers["webhook-id"]);
      assert.equal(ids.length, 3);
      assert.equal(new Set(ids).size, 1);
    } finally {
      receiver.answerWith(() => undefined);
    }
  });

  it("that fail ten times, over three days, are parked, and can be retried manually", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/parked"), events: ["project.created"] });
    let status = 503;
    receiver.answerWith((received, answer) => {
      if (received.path === "/parked") answer.statusCode = status;
    });
    try {
      await test(token, hook.id);
      const read = async () => (await listDeliveries(token, hook.id))[0];
      for (let attempt = 1; attempt < 10; attempt += 1) {
        const { nextAt } = await waitUntil(read, (one) => one?.tried.length === attempt);
        clock.advance(Date.parse(nextAt) - clock.now().getTime() + 1);
      }
      const parked = await waitUntil(read, (delivery) => delivery?.status === "parked");
      assert.equal(parked.tried.length, 10);
      assert.equal(parked.nextAt, null);
      const days = (clock.now().getTime() - Date.parse(parked.createdAt)) / 86_400_000;
      assert.ok(days > 3 && days < 4, String(days));
      status = 200;
      const retry = new URL(parked.links.retry).pathname;
      assert.equal((await fetch(retry, { method: "POST", token })).status, 202);
      await waitUntil(read, (delivery) => delivery?.status === "delivered");
    } finally {
      receiver.answerWith(() => undefined);
      clock.reset();
    }
  });

  it("that fail for five days disable the webhook, with a notification; enabled again, it resumes", async () => {
    const { token, id: userId } = await newUser();
    const hook = await newWebhook(token, { url: to("/failing"), events: ["project.created"] });
    let status = 500;
    receiver.answerWith((received, answer) => {
      if (received.path === "/failing") answer.statusCode = status;
    });
    try {
      const read = async () => (await listDeliveries(token, hook.id))[0];
      await test(token, hook.id);
      await waitUntil(read, (delivery) => delivery?.tried.length === 1);
      const self = hrefOf("", paths.webhook, { id: hook.id });
      const failing = await waitUntil(
        () => fetch(self, { token }),
        ({ body }) => body.failingSince,
      );
      assert.equal(failing.body.enabled, true);
      clock.advance(5 * 86_400_000);
      const { body } = await waitUntil(
        () => fetch(self, { token }),
        (one) => !one.body.enabled,
      );
      assert.equal(body.disabledBecause, "failing");
      const event = await service.db
        .selectFrom("events")
        .select("data")
        .where("name", "=", "webhook.disabled")
        .where("document_id", "=", hook.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(event.data, { because: "failing", owner: userId });
      assert.equal((await test(token, hook.id)).status, 409);
      status = 200;
      await fetch(self, { method: "PATCH", token, json: { enabled: true } });
      clock.advance(86_400_000);
      await waitUntil(read, (delivery) => delivery?.status === "delivered");
    } finally {
      receiver.answerWith(() => undefined);
      clock.reset();
    }
  });

  it("wait as long as Retry-After says, and 410 disables the webhook", async () => {
    const { token } = await newUser();
    const slow = await newWebhook(token, { url: to("/later"), events: ["project.created"] });
    const gone = await newWebhook(token, { url: to("/gone"), events: ["project.created"] });
    receiver.answerWith((received, answer) => {
      if (received.path === "/later") answer.writeHead(429, { "retry-after": "600" });
      if (received.path === "/gone") answer.statusCode = 410;
    });
    try {
      for (const { id } of [slow, gone]) await test(token, id);
      const later = await waitUntil(
        async () => (await listDeliveries(token, slow.id))[0],
        (delivery) => delivery?.tried.length === 1,
      );
      assertWait(later, 600_000);
      const self = hrefOf("", paths.webhook, { id: gone.id });
      const { body } = await waitUntil(
        () => fetch(self, { token }),
        (answer) => !answer.body.enabled,
      );
      assert.equal(body.disabledBecause, "gone");
    } finally {
      receiver.answerWith(() => undefined);
    }
  });
});

/** A delivery waits this long for its next attempt, plus at most a tenth. */
function assertWait(delivery: { nextAt: string; tried: { at: string }[] }, ms: number): void {
  const waits = Date.parse(delivery.nextAt) - Date.parse(delivery.tried.at(-1)?.at ?? "");
  assert.ok(waits >= ms && waits <= ms * 1.1 + 2_000, `${waits} instead of ${ms}`);
}
