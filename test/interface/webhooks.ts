import assert from "node:assert/strict";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";

const WAIT_MS_MAX = 60_000;

/** Creates a webhook; returns it with its secret. */
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

/** Polls `read` until `isRight`; fails after fifteen seconds with the last result. */
export function waitUntil<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  return poll({ read, isRight, waitMs: WAIT_MS_MAX, toMessage: JSON.stringify });
}
