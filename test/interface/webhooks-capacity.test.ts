import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { openReceiver } from "../stand-ins/receiver.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { fetch, newOwner, newUser } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());

/** A user with `count` webhooks of one project, each at a path of its own. */
async function newUserWithWebhooks(name: string, count: number) {
  const { token, project } = await newOwner();
  const hooks: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const url = `${receiver.url}/${name}/${n}`;
    const { id } = await newWebhook(token, {
      url,
      events: ["project.updated"],
      projectId: project.id,
    });
    hooks.push(id);
  }
  const trigger = () =>
    fetch(`/v1/vault/projects/${project.id}`, { method: "PATCH", token, json: { title: "Other" } });
  return { token, hooks, trigger };
}

/** Triggers a delivery to another user's new webhook, and waits for it. */
async function triggerOther(path: string): Promise<void> {
  const { token } = await newUser();
  const url = receiver.url + path;
  const { id } = await newWebhook(token, { url, events: ["project.created"] });
  await fetch(hrefOf("", paths.webhookTest, { id }), { method: "POST", token });
  await receiver.waitFor(1, (one) => one.path === path);
}

describe("a healthy webhook receives its deliveries", () => {
  it("while more webhooks hang than a node has slots, and none of these has been answered", async () => {
    const held = Promise.withResolvers<void>();
    let ended = 0;
    receiver.answerWith(async ({ path }, answer) => {
      if (!path.startsWith("/held")) return;
      answer.once("close", () => (ended += 1));
      await held.promise;
    });
    try {
      const users = [
        await newUserWithWebhooks("held-a", 70),
        await newUserWithWebhooks("held-b", 70),
      ];
      for (const { trigger } of users) await trigger();
      // As many as the initial slots of their kind.
      await receiver.waitFor(64, ({ path }) => path.startsWith("/held"));
      await triggerOther("/beside-held");
      assert.equal(ended, 0);
    } finally {
      held.resolve();
      receiver.answerWith(() => undefined);
    }
  });

  it("beside a dead and a hanging one of the same project, and misses none of what waits for these", async () => {
    const held = Promise.withResolvers<void>();
    receiver.answerWith(({ path }) => (path === "/hanging" ? held.promise : undefined));
    try {
      const { token, project } = await newOwner();
      const events = ["project.updated"];
      // Nothing listens on the discard port.
      const urls = { dead: "http://127.0.0.1:9/", hanging: `${receiver.url}/hanging` };
      const healthy = `${receiver.url}/healthy`;
      const ids: string[] = [];
      for (const url of [urls.dead, urls.hanging, healthy])
        ids.push((await newWebhook(token, { url, events, projectId: project.id })).id);
      for (let n = 1; n <= 30; n += 1)
        await fetch(`/v1/vault/projects/${project.id}`, {
          method: "PATCH",
          token,
          json: { title: `Title ${n}` },
        });
      const isHealthy = ({ path }: { path: string }) => path === "/healthy";
      const came = await receiver.waitFor(30, isHealthy);
      assert.deepEqual(
        came.map(({ body }) => body.data.version),
        Array.from({ length: 30 }, (_, n) => n + 2),
      );
      for (const id of ids.slice(0, 2))
        assert.equal((await listDeliveries(token, id, "?status=delivered")).length, 0);
    } finally {
      held.resolve();
      receiver.answerWith(() => undefined);
    }
  });

  it("while many deliveries wait for disabled webhooks, which are not polled any more", async () => {
    receiver.answerWith(({ path }, answer) => {
      if (path.startsWith("/disabled")) answer.statusCode = 500;
    });
    try {
      const { token, hooks, trigger } = await newUserWithWebhooks("disabled", 80);
      await trigger();
      await receiver.waitFor(80, ({ path }) => path.startsWith("/disabled"));
      for (const id of hooks)
        for (const enabled of [false, true, false]) {
          const self = hrefOf("", paths.webhook, { id });
          await fetch(self, { method: "PATCH", token, json: { enabled } });
        }
      await triggerOther("/beside-disabled");
      await waitUntil(
        () =>
          service.db
            .selectFrom("webhooks")
            .select(["due_at", "leased_until", "pending"])
            .where("id", "in", hooks)
            .where((eb) =>
              eb.or([eb("due_at", "is not", null), eb("leased_until", "is not", null)]),
            )
            .execute(),
        (looked) => looked.length === 0,
      );
      const [id = ""] = hooks;
      const [waiting] = await listDeliveries(token, id, "?status=pending");
      assert.equal(waiting.nextAt, null);
      receiver.answerWith(() => undefined);
      const self = hrefOf("", paths.webhook, { id });
      await fetch(self, { method: "PATCH", token, json: { enabled: true } });
      const retry = new URL(waiting.links.retry).pathname;
      assert.equal((await fetch(retry, { method: "POST", token })).status, 202);
      await waitUntil(
        () => listDeliveries(token, id),
        ([one]) => one?.status === "delivered",
      );
    } finally {
      receiver.answerWith(() => undefined);
    }
  });
});
