import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operatorToken, service } from "../harness.ts";
import { openReceiver } from "../stand-ins/receiver.ts";
import { getMe, signIn } from "./accounts.ts";
import { collect, create, publishAsIs, readToken, toProcessing } from "./site.ts";
import { listDeliveries, newWebhook } from "./webhooks.ts";

const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());

const setDisabled = async (userId: string, method: "PUT" | "DELETE"): Promise<void> => {
  const at = `/v1/auth/users/${userId}/disabled`;
  assert.equal((await service.fetch(at, { method, token: operatorToken })).status, 204);
};

async function newOwnersSite() {
  const { project, ...owner } = await service.newOwner();
  const processing = await create(owner.token, "processings", toProcessing(project.id));
  const site = {
    ...owner,
    userId: owner.id,
    id: project.id,
    processing,
    cookies: "",
    contract: "",
  };
  await publishAsIs(site);
  const collectAnswer = async (token: string) =>
    (await collect(site, "processings", processing, { token, accept: true })).status;
  return { ...site, collectAnswer };
}

const statusesOf = async (site: Parameters<typeof readToken>[0], token: string) =>
  (await readToken(site, token)).body.state.map(({ status }: { status: string }) => status);

test("a project whose only owner is disabled is still served, and collects", async () => {
  const site = await newOwnersSite();
  assert.equal(await site.collectAnswer("before"), 201);
  await setDisabled(site.userId, "PUT");
  assert.equal((await getMe(site.token)).status, 403);
  assert.equal((await service.fetch(`/cdn/${site.id}.json`)).status, 200);
  assert.equal(await site.collectAnswer("during"), 201);
  await setDisabled(site.userId, "DELETE");
  const again = { ...site, token: (await signIn(site.email)).body.token };
  for (const token of ["before", "during"])
    assert.deepEqual(await statusesOf(again, token), ["accepted"], token);
});

test("a disabled account's webhooks receive nothing, while those of the project's other owners do", async () => {
  const site = await newOwnersSite();
  const other = await service.newUser();
  const json = { userId: other.id, roles: ["owner"] };
  const users = `/v1/vault/projects/${site.id}/users`;
  assert.equal((await service.fetch(users, { token: site.token, json })).status, 200);
  const hookOf = (token: string, path: string) =>
    newWebhook(token, { url: receiver.url + path, events: ["consent.created"] });
  const own = await hookOf(site.token, "/own");
  await hookOf(other.token, "/other");
  await setDisabled(site.userId, "PUT");
  assert.equal(await site.collectAnswer("during"), 201);
  await receiver.waitFor(1, ({ path }) => path === "/other");
  await setDisabled(site.userId, "DELETE");
  assert.equal(await site.collectAnswer("afterwards"), 201);
  const [first] = await receiver.waitFor(1, ({ path }) => path === "/own");
  assert.equal(first?.body.data.token, "afterwards", "missed events are not delivered later");
  const { token } = (await signIn(site.email)).body;
  assert.equal((await listDeliveries(token, own.id)).length, 1);
});

test("a disabled account does not count as a remaining owner", async () => {
  const [owner, other, third] = [
    await service.newOwner(),
    await service.newUser(),
    await service.newUser(),
  ];
  const users = `/v1/vault/projects/${owner.project.id}/users`;
  const share = (userId: string) =>
    service.fetch(users, { token: owner.token, json: { userId, roles: ["owner"] } });
  const stepDown = () =>
    service.fetch(users, { token: owner.token, json: { userId: owner.id, roles: ["editor"] } });
  const leave = () =>
    service.fetch(`${users}/${owner.id}`, { method: "DELETE", token: owner.token });
  const deleteAccount = () =>
    service.fetch("/v1/auth/me/deletion", {
      token: owner.token,
      json: { confirm: owner.email, password: "correct horse" },
    });
  assert.equal((await share(other.id)).status, 200);
  await setDisabled(other.id, "PUT");
  for (const go of [stepDown, leave, deleteAccount]) assert.equal((await go()).status, 409);
  await setDisabled(other.id, "DELETE");
  assert.equal((await stepDown()).status, 200, "a re-enabled account counts");
  const { token } = (await signIn(other.email)).body;
  const json = { userId: third.id, roles: ["viewer"] };
  assert.equal((await service.fetch(users, { token, json })).status, 200);
});
