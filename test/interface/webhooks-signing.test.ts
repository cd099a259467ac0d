import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { after, describe, it } from "node:test";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { newWebhook } from "./webhooks.ts";

const { fetch, newUser, clock } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
const to = (path: string) => receiver.url + path;
const at = (path: string) => (received: Received) => received.path === path;

/** Verifies as a receiver does, with the published library. */
function verified(received: Received, secret: string) {
  return new Webhook(secret).verify(received.text, received.headers as Record<string, string>);
}

/** Whether one of the Ed25519 signatures is by this key. */
function isSignedBy({ headers, text }: Received, publicKey: string): boolean {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": all } = headers;
  const head = Buffer.from("302a300506032b6570032100", "hex");
  const raw = Buffer.from(publicKey.replace("whpk_", ""), "base64");
  const key = createPublicKey({ key: Buffer.concat([head, raw]), format: "der", type: "spki" });
  const signed = Buffer.from(`${String(id)}.${String(time)}.${text}`);
  return String(all)
    .split(" ")
    .filter((each) => each.startsWith("v1a,"))
    .some((each) => verify(null, signed, key, Buffer.from(each.slice(4), "base64")));
}

/** Requests a test event. */
function test(token: string, id: string) {
  return fetch(hrefOf("", paths.webhookTest, { id }), { method: "POST", token });
}

describe("the signatures of deliveries", () => {
  it("include Ed25519, which the public key of the webhook verifies", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/ed25519"), events: ["project.created"] });
    await test(token, hook.id);
    const [one] = await receiver.waitFor(1, at("/ed25519"));
    assert.ok(one);
    assert.ok(isSignedBy(one, hook.publicKey));
    assert.ok(!isSignedBy({ ...one, text: `${one.text} ` }, hook.publicKey));
  });

  it("include the previous Ed25519 keys until each expires, five at most", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/keys"), events: ["project.created"] });
    const href = hrefOf("", paths.webhookKey, { id: hook.id });
    const rotate = (json: object) => fetch(href, { method: "POST", token, json });
    const { body: next } = await rotate({ overlapHours: 1 });
    assert.notEqual(next.publicKey, hook.publicKey);
    assert.equal(next.secret, undefined, "the secret stays");
    const [{ publicKey, endsAt }] = next.earlierPublicKeys;
    assert.equal(publicKey, hook.publicKey);
    assert.equal(Math.round((Date.parse(endsAt) - clock.now().getTime()) / 60_000), 60);
    const { body: last } = await rotate({ overlapHours: 2 });
    await test(token, hook.id);
    const [one] = await receiver.waitFor(1, at("/keys"));
    assert.ok(one);
    for (const each of [hook, next, last]) assert.ok(isSignedBy(one, each.publicKey));
    verified(one, hook.secret);
    try {
      clock.advance(90 * 60_000);
      const { body: seen } = await fetch(hrefOf("", paths.webhook, { id: hook.id }), { token });
      assert.deepEqual(
        seen.earlierPublicKeys.map((key: { publicKey: string }) => key.publicKey),
        [next.publicKey],
      );
      await test(token, hook.id);
      const [, two] = await receiver.waitFor(2, at("/keys"));
      assert.ok(two);
      const isBy = [hook, next, last].map((each) => isSignedBy(two, each.publicKey));
      assert.deepEqual(isBy, [false, true, true]);
    } finally {
      clock.reset();
    }
    for (let n = 0; n < 2; n += 1) assert.equal((await rotate({})).status, 200);
    assert.equal((await rotate({})).status, 409);
    const { body: alone } = await rotate({ overlapHours: 0 });
    assert.deepEqual(alone.earlierPublicKeys, []);
    await test(token, hook.id);
    const [, , three] = await receiver.waitFor(3, at("/keys"));
    assert.ok(three);
    assert.equal(String(three.headers["webhook-signature"]).match(/v1a,/g)?.length, 1);
    assert.ok(isSignedBy(three, alone.publicKey));
  });

  it("have keys that only the webhook's creator rotates", async () => {
    const [{ token }, other] = [await newUser(), await newUser()];
    const hook = await newWebhook(token, { url: to("/own"), events: ["project.created"] });
    const ask = (id: string, request: object) =>
      fetch(hrefOf("", paths.webhookKey, { id }), { method: "POST", ...request });
    assert.equal((await ask(hook.id, {})).status, 403);
    assert.equal((await ask(hook.id, { token: other.token })).status, 404);
    assert.equal((await ask("0".repeat(24), { token })).status, 404);
    assert.equal((await ask(hook.id, { token, json: { overlapHours: 169 } })).status, 400);
    const headers = { "idempotency-key": "once" };
    const [first, again] = [
      await ask(hook.id, { token, headers, json: {} }),
      await ask(hook.id, { token, headers, json: {} }),
    ];
    assert.deepEqual(again.body, first.body);
  });

  it("include both secrets until the overlap ends", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/rotated"), events: ["project.created"] });
    const href = hrefOf("", paths.webhookSecret, { id: hook.id });
    const { body: rotated } = await fetch(href, {
      method: "POST",
      token,
      json: { overlapHours: 1 },
    });
    await test(token, hook.id);
    const [one] = await receiver.waitFor(1, at("/rotated"));
    assert.ok(one);
    verified(one, hook.secret);
    verified(one, rotated.secret);
    // After another rotation the first one still has its hour.
    const { body: again } = await fetch(href, { method: "POST", token, json: { overlapHours: 2 } });
    await test(token, hook.id);
    const [, two] = await receiver.waitFor(2, at("/rotated"));
    assert.ok(two);
    for (const { secret } of [hook, rotated, again]) verified(two, secret);
    // Without overlap the previous ones are invalid immediately.
    const { body: last } = await fetch(href, { method: "POST", token, json: { overlapHours: 0 } });
    await test(token, hook.id);
    const [, , three] = await receiver.waitFor(3, at("/rotated"));
    assert.ok(three);
    verified(three, last.secret);
    for (const { secret } of [hook, rotated, again])
      assert.throws(() => verified(three, secret), WebhookVerificationError);
  });

  it("are by five secrets at most: a further rotation is rejected until one has expired", async () => {
    const { token } = await newUser();
    const hook = await newWebhook(token, { url: to("/five"), events: ["project.created"] });
    const href = hrefOf("", paths.webhookSecret, { id: hook.id });
    const rotate = (json: object) => fetch(href, { method: "POST", token, json });
    for (let n = 0; n < 4; n += 1) assert.equal((await rotate({})).status, 200);
    assert.equal((await rotate({})).status, 409);
    await test(token, hook.id);
    const [one] = await receiver.waitFor(1, at("/five"));
    assert.equal(String(one?.headers["webhook-signature"]).match(/v1,/g)?.length, 5);
    assert.equal((await rotate({ overlapHours: 0 })).status, 200);
    assert.equal((await rotate({})).status, 200);
  });
});
