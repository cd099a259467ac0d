import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { hrefOf, paths } from "../../server/paths.ts";
import { service } from "../harness.ts";

const WAIT_MS_MAX = 15_000;

/** Makes a webhook; answers it with its secret. */
export async function newWebhook(token: string, json: Record<string, unknown>) {
  const { status, body } = await service.fetch(paths.webhooks, { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** A webhook's deliveries, newest first. */
export async function listDeliveries(token: string, id: string, query = "") {
  const href = hrefOf("", paths.webhookDeliveries, { id }) + query;
  const { status, body } = await service.fetch(href, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}

/** What `read` answers, once it is `isRight`; fails after fifteen seconds with what it was last. */
export async function waitUntil<T>(
  read: () => Promise<T>,
  isRight: (value: T) => boolean,
): Promise<T> {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    assert.ok(performance.now() < until, JSON.stringify(value));
    await delay(25);
  }
}
