import assert from "node:assert/strict";
import { after, afterEach, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { openReceiver } from "../stand-ins/receiver.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { fetch, newUser, clock } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
afterEach(() => {
  receiver.answerWith(() => undefined);
  clock.reset();
});

async function newHook(path: string) {
  const { token } = await newUser();
  const url = receiver.url + path;
  const { id } = await newWebhook(token, { url, events: ["project.created"] });
  const test = async (): Promise<string> => {
    const href = hrefOf("", paths.webhookTest, { id });
    return (await fetch(href, { method: "POST", token })).body.id;
  };
  const read = async (deliveryId: string) =>
    (await fetch(hrefOf("", paths.webhookDelivery, { id, deliveryId }), { token })).body;
  return { token, id, test, read };
}

describe("a receiver that answers 429 or 503 with Retry-After", () => {
  it("is retried after that time, as often as it says so, without using any of the ten attempts", async () => {
    const { test, read } = await newHook("/limited");
    let asked = 0;
    receiver.answerWith(({ path }, answer) => {
      if (path !== "/limited") return;
      asked += 1;
      if (asked <= 12) answer.writeHead(asked % 2 === 0 ? 429 : 503, { "retry-after": "60" });
    });
    const id = await test();
    for (let tries = 1; tries <= 12; tries += 1) {
      const one = await waitUntil(
        () => read(id),
        ({ tried }) => tried.length === tries,
      );
      assert.equal(one.status, "pending");
      assert.equal(one.attempts, 0);
      const waitMs = Date.parse(one.nextAt) - Date.parse(one.tried.at(-1).at);
      assert.ok(waitMs >= 60_000 && waitMs <= 68_000, `${waitMs} ms`);
      clock.advance(67_000);
    }
    const last = await waitUntil(
      () => read(id),
      ({ status }) => status === "delivered",
    );
    assert.equal(last.attempts, 1);
  });

  it("gets no delivery of the webhook until then, and all of them afterwards", async () => {
    const { token, id: hookId, test, read } = await newHook("/resting");
    let status = 429;
    receiver.answerWith(({ path }, answer) => {
      if (path === "/resting" && status === 429) answer.writeHead(429, { "retry-after": "600" });
    });
    const id = await test();
    await waitUntil(
      () => read(id),
      ({ tried }) => tried.length === 1,
    );
    status = 200;
    for (let n = 0; n < 20; n += 1) await test();
    const other = await newHook("/beside-resting");
    await other.test();
    await receiver.waitFor(1, ({ path }) => path === "/beside-resting");
    assert.equal(receiver.received.filter(({ path }) => path === "/resting").length, 1);
    clock.advance(670_000);
    await waitUntil(
      () => listDeliveries(token, hookId, "?status=delivered"),
      (delivered) => delivered.length === 21,
    );
  });

  it("fails like any other once its deliveries are five days old", async () => {
    const { test, read } = await newHook("/for-ever");
    receiver.answerWith(({ path }, answer) => {
      if (path === "/for-ever") answer.writeHead(503, { "retry-after": "1" });
    });
    const id = await test();
    await waitUntil(
      () => read(id),
      ({ tried }) => tried.length > 0,
    );
    clock.advance(5 * 86_400_000);
    const counted = await waitUntil(
      () => read(id),
      ({ attempts }) => attempts > 0,
    );
    assert.equal(counted.attempts, 1);
  });
});

it("Retry-After with another status delays only that delivery", async () => {
  const { test, read } = await newHook("/one-later");
  let asked = 0;
  receiver.answerWith(({ path }, answer) => {
    if (path !== "/one-later") return;
    asked += 1;
    if (asked === 1) answer.writeHead(500, { "retry-after": "600" });
  });
  const first = await test();
  const failed = await waitUntil(
    () => read(first),
    ({ tried }) => tried.length === 1,
  );
  assert.ok(Date.parse(failed.nextAt) - Date.parse(failed.tried[0].at) >= 600_000);
  assert.equal(failed.attempts, 1);
  const second = await test();
  await waitUntil(
    () => read(second),
    ({ status }) => status === "delivered",
  );
  assert.equal((await read(first)).status, "pending");
});
