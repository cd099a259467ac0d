import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { erase } from "./erasures.ts";
import { collect, newSite } from "./site.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { db, fetch, newOwner, clock } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
const to = (path: string) => receiver.url + path;
const at = (path: string) => (received: Received) => received.path === path;

describe("wire section 6, replays and cancelled deliveries", () => {
  it("are cancelled immediately when their consent is erased, and those of others continue", async () => {
    const site = await newSite();
    const { token } = site;
    let status = 500;
    receiver.answerWith((received, answer) => {
      if (received.path === "/waiting") answer.statusCode = status;
    });
    try {
      const events = ["consent.created", "consent.withdrawn"];
      const hook = await newWebhook(token, { url: to("/waiting"), events, projectId: site.id });
      const collectAnswer = (name: string) =>
        collect(site, "processings", site.processing, { token: name, accept: true });
      await collectAnswer("erased");
      const read = () => listDeliveries(token, hook.id);
      await waitUntil(read, ([one]) => one?.tried.length === 1);
      await collectAnswer("stays");
      await waitUntil(read, ([one, two]) => two && one.tried.length === 1);
      assert.equal((await erase(site, "erased")).status, 200);
      const [kept, gone] = await waitUntil(read, ([, two]) => two.status === "cancelled");
      assert.deepEqual([gone.tried, gone.nextAt, gone.links.proof], [[], null, undefined]);
      assert.equal(kept.tried.length, 1);
      const endpoint = db.selectFrom("webhooks").select("pending");
      const { pending } = await endpoint.where("id", "=", hook.id).executeTakeFirstOrThrow();
      assert.equal(pending, 1, "cancelled deliveries are not queued any more");
      const left = service.data.selectFrom("erased_consents").selectAll();
      const readLeft = () => left.where("project_id", "=", site.id).execute();
      await waitUntil(readLeft, (rows) => rows.length === 0);
      status = 200;
      clock.advance(6_000);
      await waitUntil(read, ([one]) => one.status === "delivered");
    } finally {
      receiver.answerWith(() => undefined);
      clock.reset();
    }
  });

  it("are replayed from an instant with the same ids, in the same order", async () => {
    const { token, project } = await newOwner();
    const rename = (title: string) =>
      fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json: { title } });
    const since = clock.now().toISOString();
    const hook = await newWebhook(token, {
      url: to("/replayed"),
      events: ["project.updated"],
      projectId: project.id,
    });
    for (const title of ["One", "Two", "Three"]) await rename(title);
    await receiver.waitFor(3, at("/replayed"));
    const href = hrefOf("", paths.webhookReplay, { id: hook.id });
    const { status } = await fetch(href, { token, json: { since } });
    assert.equal(status, 202);
    await receiver.waitFor(6, at("/replayed"));
    await rename("Four");
    const all = await receiver.waitFor(7, at("/replayed"));
    const ids = all.map(({ headers }) => headers["webhook-id"]);
    assert.deepEqual(ids.slice(3, 6), ids.slice(0, 3));
    const versions = all.map(({ body }) => body.data.version);
    assert.deepEqual(versions, [2, 3, 4, 2, 3, 4, 5]);
    for (const wrong of ["yesterday", "2999-01-01T00:00:00Z", "2020-13-45T00:00:00Z"])
      assert.equal((await fetch(href, { token, json: { since: wrong } })).status, 400, wrong);
  });

  it("are not replayed for an erased consent, and their responses are deleted", async () => {
    const site = await newSite();
    const { token } = site;
    receiver.answerWith((received, answer) => {
      if (received.path === "/erased") answer.end(`got ${received.text}`);
    });
    try {
      const hook = await newWebhook(token, {
        url: to("/erased"),
        events: ["consent.created"],
        projectId: site.id,
      });
      await collect(site, "processings", site.processing, { token: "gone-soon", accept: true });
      const read = () => listDeliveries(token, hook.id);
      const [before] = await waitUntil(read, ([one]) => one?.status === "delivered");
      assert.match(before.tried[0].answer, /gone-soon/);
      assert.equal((await erase(site, "gone-soon")).status, 200);
      const [after_] = await waitUntil(read, ([one]) => one.tried.length === 0);
      assert.equal(after_.links.proof, undefined);
      const retry = new URL(before.links.retry).pathname;
      assert.equal((await fetch(retry, { method: "POST", token })).status, 409);
    } finally {
      receiver.answerWith(() => undefined);
    }
  });
});
