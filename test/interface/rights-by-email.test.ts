import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import { faultPaths, unique } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";
import { tokenOf, waitForMail } from "./mails.ts";

const MISSES_MAX = 100;
const HOUR_MS = 3_600_000;
/** A node of the same service that gives roles to confirmed addresses only, as with a mail server. */
const strict = await openAnotherService(service.databaseUrl, { RIGHTS_BY_EMAIL: "confirmed" });
after(() => strict[Symbol.asyncDispose]());

interface Owner {
  token: string;
  project: { id: string };
}

const give = (owner: Owner, json: object, at = ""): Promise<TestAnswer> =>
  service.fetch(`${at}/v1/vault/projects/${owner.project.id}/users`, { token: owner.token, json });
const newAddress = (): string => `nobody-${unique()}@example.org`;

test("an account with an unconfirmed address gets no role by it, and is indistinguishable from none", async () => {
  const owner = await service.newOwner();
  const squatter = await service.newUser();
  const refused = await give(owner, { email: squatter.email, roles: ["owner"] }, strict.url);
  assert.deepEqual([refused.status, faultPaths(refused)], [422, ["/email"]]);
  assert.match(
    refused.body.detail,
    /no user of this service who has confirmed it: send an invitation instead/,
  );
  const unknown = await give(owner, { email: newAddress(), roles: ["owner"] }, strict.url);
  const { instance: _one, ...shown } = refused.body;
  const { instance: _other, ...shownUnknown } = unknown.body;
  assert.deepEqual(shown, shownUnknown);
  const path = `/v1/vault/projects/${owner.project.id}`;
  assert.equal((await service.fetch(path, { token: squatter.token })).status, 404);

  const token = tokenOf(await waitForMail(squatter.email, /Confirm your/));
  await service.fetch("/account/confirm", { form: { token } });
  const given = await give(owner, { email: squatter.email.toUpperCase() }, strict.url);
  assert.equal(given.status, 200, JSON.stringify(given.body));
  assert.equal((await service.fetch(path, { token: squatter.token })).status, 200);
});

test("an id names its account whether or not the address is confirmed, and the list shows which", async () => {
  const owner = await service.newOwner();
  const user = await service.newUser();
  const { status, body } = await give(owner, { userId: user.id }, strict.url);
  assert.equal(status, 200);
  const card = body.find(({ id }: { id: string }) => id === user.id);
  assert.equal(card.emailConfirmed, false);
});

test("limits unknown ids and addresses to a hundred an hour, also concurrent ones; those of users do not count", async (t) => {
  t.after(() => service.clock.reset());
  const owner = await service.newOwner();
  const known = await service.newUser();
  for (let n = 0; n < 3; n += 1)
    assert.equal((await give(owner, { email: known.email })).status, 200);
  const answers = await Promise.all(
    Array.from({ length: MISSES_MAX + 10 }, (_, n) =>
      give(owner, n % 2 === 0 ? { email: newAddress() } : { userId: unique().repeat(2) }),
    ),
  );
  const countOf = (wanted: number): number =>
    answers.filter(({ status }) => status === wanted).length;
  assert.deepEqual([countOf(422), countOf(429)], [MISSES_MAX, 10]);
  const refused = await give(owner, { email: known.email });
  assert.equal(refused.status, 429, "finding a user reveals nothing more either");
  assert.ok(Number(refused.headers.get("retry-after")) > 3_000);
  const stranger = await service.newUser();
  assert.equal((await give(owner, { userId: stranger.id })).status, 429);
  const present = await give(owner, { userId: known.id, roles: ["editor"] });
  assert.equal(present.status, 200, "users of the document are listed anyway");
  assert.equal((await give(await service.newOwner(), { email: known.email })).status, 200);
  service.clock.advance(HOUR_MS + 1_000);
  assert.equal((await give(owner, { email: known.email })).status, 200);
});

test("only owners of a document learn which addresses have an account", async () => {
  const owner = await service.newOwner();
  const stranger = { ...(await service.newUser()), project: owner.project };
  for (const email of [owner.email, newAddress()])
    assert.equal((await give(stranger, { email })).status, 404);
});

test("a user with an unconfirmed address cannot invite if mails are sent", async () => {
  const owner = await service.newOwner();
  const known = await service.newUser();
  const invite = (email: string): Promise<TestAnswer> =>
    service.fetch(`${strict.url}/v1/auth/invitations`, {
      token: owner.token,
      json: { email, data: { collection: "projects", id: owner.project.id } },
    });
  const answers = [await invite(known.email), await invite(newAddress())];
  for (const { status, body } of answers)
    assert.deepEqual([status, body.detail.startsWith("Confirm your e-mail")], [403, true]);
  const token = tokenOf(await waitForMail(owner.email, /Confirm your/));
  await service.fetch("/account/confirm", { form: { token } });
  assert.equal((await invite(known.email)).status, 200);
});
