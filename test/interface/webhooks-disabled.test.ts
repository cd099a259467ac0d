import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { listMails, waitForMail } from "./mails.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { clock, db, fetch, newOwner, newUser } = service;
const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());
const to = (path: string) => receiver.url + path;
const { host } = new URL(receiver.url);
const test = (token: string, id: string) =>
  fetch(hrefOf("", paths.webhookTest, { id }), { method: "POST", token });

/** Answers every request with this status until the test has ended. */
async function answering(status: number, work: () => Promise<void>): Promise<void> {
  receiver.answerWith((_received: Received, answer) => {
    answer.statusCode = status;
  });
  try {
    await work();
  } finally {
    receiver.answerWith(() => undefined);
    clock.reset();
  }
}

/** Mails that notify a user of a disabled webhook. */
async function listNotices(email: string) {
  return (await listMails(email)).filter(({ subject }) => subject?.endsWith("was disabled"));
}

function waitForEnd(token: string, id: string) {
  const self = hrefOf("", paths.webhook, { id });
  return waitUntil(
    () => fetch(self, { token }),
    ({ body }) => !body.enabled,
  );
}

describe("a mail about a disabled webhook is sent", () => {
  it("after 410, to its creator, in their language, with only the host of its URL", async () => {
    const { token, email } = await newUser();
    const { body: hook } = await fetch(paths.webhooks, {
      token,
      json: { url: to("/secret-path?key=secret-key"), events: ["project.created"] },
      headers: { "accept-language": "fr-BE,fr;q=0.9" },
    });
    await answering(410, async () => {
      await test(token, hook.id);
      const { body } = await waitForEnd(token, hook.id);
      assert.equal(body.disabledBecause, "gone");
      const mail = await waitForMail(email, /a été désactivé/);
      assert.match(mail.text ?? "", new RegExp(`PATCH /v1/webhooks/${hook.id}`));
      assert.match(mail.text ?? "", /410/);
      for (const part of [mail.text, mail.html, mail.subject]) {
        // Word joiners keep mail programs from linking it.
        assert.ok((part ?? "").replaceAll("\u2060", "").includes(host));
        assert.doesNotMatch(part ?? "", /secret-/);
      }
      assert.match(mail.html ?? "", /<html lang="fr">/);
    });
  });

  it("after five days of failure, to the owners of its project, once for several failures", async () => {
    const owner = await newOwner();
    const editor = await newUser();
    const viewer = await newUser();
    const users = `/v1/vault/projects/${owner.project.id}/users`;
    for (const [{ id }, role] of [
      [editor, "editor"],
      [viewer, "viewer"],
    ] as const)
      await fetch(users, { token: owner.token, json: { userId: id, roles: [role] } });
    const hook = await newWebhook(editor.token, {
      url: to("/failing"),
      events: ["project.updated"],
      projectId: owner.project.id,
    });
    await answering(500, async () => {
      for (let n = 0; n < 3; n += 1) await test(editor.token, hook.id);
      await waitUntil(
        () => fetch(hrefOf("", paths.webhook, { id: hook.id }), { token: editor.token }),
        ({ body }) => body.failingSince,
      );
      clock.advance(5 * 86_400_000);
      const { body } = await waitForEnd(editor.token, hook.id);
      assert.equal(body.disabledBecause, "failing");
      for (const { email } of [editor, owner]) {
        const mail = await waitForMail(email, /^A webhook to .* was disabled$/);
        assert.match(mail.text ?? "", /five days/);
        assert.match(mail.text ?? "", /You receive this e-mail because/);
        assert.equal((await listNotices(email)).length, 1);
      }
      assert.deepEqual(await listNotices(viewer.email), []);
    });
  });

  it("never for one failure weeks after others that are not retried any more, or at another URL", async () => {
    const { token } = await newUser();
    const make = () => newWebhook(token, { url: to("/long-ago"), events: ["project.created"] });
    const parked = await make();
    const moved = await make();
    const read = async (id: string) =>
      (await fetch(hrefOf("", paths.webhook, { id }), { token })).body;
    const isTried = (list: { attempts: number }[]) => list.every(({ attempts }) => attempts > 0);
    await answering(500, async () => {
      for (const { id } of [parked, moved]) {
        await test(token, id);
        await waitUntil(
          () => read(id),
          ({ failingSince }) => failingSince !== null,
        );
      }
      const json = { url: to("/elsewhere") };
      const href = hrefOf("", paths.webhook, { id: moved.id });
      const { body } = await fetch(href, { method: "PATCH", token, json });
      assert.equal(body.failingSince, null);
      await db
        .updateTable("webhook_deliveries")
        .set({ attempts: 9 })
        .where("webhook_id", "=", parked.id)
        .execute();
      clock.advance(60_000);
      await waitUntil(
        () => read(parked.id),
        ({ failingSince }) => failingSince === null,
      );
      const [last] = await listDeliveries(token, parked.id);
      assert.equal(last.status, "parked");
      clock.advance(14 * 86_400_000);
      await test(token, parked.id);
      await waitUntil(() => listDeliveries(token, parked.id), isTried);
      const again = await waitUntil(
        () => read(parked.id),
        (one) => one.failingSince || !one.enabled,
      );
      assert.equal(again.enabled, true);
    });
  });

  it("to the owners of the project's organization, if any, and at most once a day", async () => {
    const owner = await newUser();
    const organization = await fetch("/v1/vault/organizations", {
      token: owner.token,
      json: { name: "Shop Ltd", title: "Shop Ltd" },
    });
    assert.equal(organization.status, 201, JSON.stringify(organization.body));
    const organizationId = organization.body.id;
    const project = await service.newProject(owner.token, { organizationId });
    const creator = await newUser();
    await fetch(`/v1/vault/projects/${project.id}/users`, {
      token: owner.token,
      json: { userId: creator.id, roles: ["owner"] },
    });
    const hook = await newWebhook(creator.token, {
      url: to("/gone-again"),
      events: ["project.updated"],
      projectId: project.id,
    });
    const self = hrefOf("", paths.webhook, { id: hook.id });
    await answering(410, async () => {
      await test(creator.token, hook.id);
      await waitForEnd(creator.token, hook.id);
      await waitForMail(owner.email, /was disabled/);
      await fetch(self, { method: "PATCH", token: creator.token, json: { enabled: true } });
      await test(creator.token, hook.id);
      await waitForEnd(creator.token, hook.id);
      clock.advance(25 * 3_600_000);
      await fetch(self, { method: "PATCH", token: creator.token, json: { enabled: true } });
      await test(creator.token, hook.id);
      await waitForEnd(creator.token, hook.id);
      await waitUntil(
        () => listNotices(owner.email),
        (mails) => mails.length >= 2,
      );
      assert.equal((await listNotices(owner.email)).length, 2, "after disabling it three times");
    });
  });
});
