import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { sql } from "kysely";
import { service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { collect, newSite } from "./site.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { clock, fetch, newUser } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
const at = (path: string) => (received: Received) => received.path === path;

interface Delivery {
  event: string;
  status: string;
  tried: object[];
  links: { retry: string };
}

const retry = (token: string, { links }: Delivery) =>
  fetch(new URL(links.retry).pathname, { method: "POST", token });

describe("a user who was removed from a project", () => {
  it("receives none of its events any more: queued ones are cancelled, and nothing is retried until they are added again", async () => {
    const site = await newSite();
    const editor = await newUser();
    const users = `/v1/vault/projects/${site.id}/users`;
    const add = () =>
      fetch(users, { token: site.token, json: { userId: editor.id, roles: ["editor"] } });
    assert.equal((await add()).status, 200);
    let status = 200;
    receiver.answerWith((received, answer) => {
      if (received.path === "/removed") answer.statusCode = status;
    });
    try {
      const hook = await newWebhook(editor.token, {
        url: receiver.url + "/removed",
        events: ["consent.created", "project.updated"],
      });
      const collectAnswer = (token: string) =>
        collect(site, "processings", site.processing, { token, accept: true });
      const read = (): Promise<Delivery[]> => listDeliveries(editor.token, hook.id);
      await collectAnswer("sent-before");
      await waitUntil(read, ([one]) => one?.status === "delivered");
      status = 500;
      await collectAnswer("waits");
      const rename = { method: "PATCH", token: site.token, json: { title: "Another" } } as const;
      assert.equal((await fetch(`/v1/vault/projects/${site.id}`, rename)).status, 200);
      const isTried = (all: Delivery[]) =>
        all.length === 3 && all.every((one) => one.tried.length > 0);
      await waitUntil(read, isTried);
      const { status: removed } = await fetch(`${users}/${editor.id}`, {
        method: "DELETE",
        token: site.token,
      });
      assert.equal(removed, 200);
      status = 200;
      const before = receiver.received.filter(at("/removed")).length;
      for (const one of await read()) assert.equal((await retry(editor.token, one)).status, 403);
      clock.advance(6_000);
      const [renamed, waited, delivered] = await waitUntil(read, (all) =>
        all.every((one) => one.status !== "pending"),
      );
      assert.deepEqual(
        [delivered?.status, waited?.status, renamed?.status],
        ["delivered", "cancelled", "cancelled"],
      );
      const { rows } = await sql<{ status: string }>`
        SELECT status FROM webhook_deliveries
        WHERE webhook_id = ${hook.id} AND consent_id IS NOT NULL`.execute(service.db);
      assert.deepEqual(rows, [{ status: "delivered" }], "a cancelled one keeps no consent");
      assert.equal(receiver.received.filter(at("/removed")).length, before, "nothing was sent");
      assert.equal((await add()).status, 200);
      assert.ok(delivered);
      assert.equal((await retry(editor.token, delivered)).status, 202);
      const all = await receiver.waitFor(before + 1, at("/removed"));
      assert.equal(all.at(-1)?.body.data.token, "sent-before");
    } finally {
      receiver.answerWith(() => undefined);
      clock.reset();
    }
  });
});
