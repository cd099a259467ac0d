import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import { faultPaths, getMe, password, signIn, signUp, unique } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";
import { poll } from "../poll.ts";
import { linkOf, listMails, tokenOf, waitForMail } from "./mails.ts";
import { create, newSite, publishAsIs, toCookies } from "./site.ts";

const at = "/v1/auth/invitations";
const newEmail = (): string => `guest-${unique()}@example.org`;
const invite = (token: string, json: unknown): Promise<TestAnswer> =>
  service.fetch(at, { token, json });

interface Invited {
  token: string;
  id: string;
}

async function inviteTo(
  owner: { token: string; project: { id: string } },
  fields: Record<string, unknown> = {},
): Promise<Invited> {
  const data = { collection: "projects", id: owner.project.id };
  const answer = await invite(owner.token, { email: newEmail(), data, ...fields });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { token: answer.body.invitationToken.value, id: answer.body.id };
}

const seen = async (token: string, projectId: string): Promise<number> =>
  (await service.fetch(`/v1/vault/projects/${projectId}`, { token })).status;

test("two people sign up, invite by mail, sign up with the invitation, and publish as editor; a viewer may not", async () => {
  const site = await newSite();
  const email = newEmail();
  const data = { collection: "projects", id: site.id };
  const invited = await invite(site.token, { email, displayName: "Grace", role: "editor", data });
  assert.equal(invited.status, 200);
  assert.deepEqual(Object.keys(invited.body).toSorted(), [
    "boundToAddress",
    "id",
    "invitationToken",
    "mailed",
  ]);
  assert.equal(invited.body.mailed, true);
  assert.deepEqual(Object.keys(invited.body.invitationToken).toSorted(), ["expiration", "value"]);
  const link = linkOf(await waitForMail(email, /You are invited/));
  const token = link.searchParams.get("token") ?? "";
  assert.equal(token, invited.body.invitationToken.value);
  const shown = await service.fetch(`${at}/${token}`);
  assert.equal(shown.status, 200);
  assert.deepEqual(shown.body.data, { ...data, title: "Shop" });
  assert.deepEqual([shown.body.email, shown.body.role], [email, "editor"]);
  const joined = await signUp({ email, password, invitationToken: token });
  assert.equal(joined.status, 200);
  const editor = joined.body.token;
  await create(editor, "cookies", toCookies(site.id, { title: "Mine" }));
  await publishAsIs({ ...site, token: editor });
  const viewer = await service.newUser();
  const second = await inviteTo({ token: site.token, project: { id: site.id } });
  const accepted = await service.fetch(`${at}/${second.token}`, {
    method: "POST",
    token: viewer.token,
  });
  assert.equal(accepted.status, 200);
  assert.deepEqual([accepted.body.success, accepted.body.role], [true, "viewer"]);
  assert.equal(await seen(viewer.token, site.id), 200);
  const refused = await service.fetch(`/v1/publish/jobs/${site.id}`, {
    method: "POST",
    token: viewer.token,
  });
  assert.equal(refused.status, 403);
});

test("accepting an invitation audits the account, its address, and whether it was the invited one", async () => {
  const owner = await service.newOwner();
  const email = newEmail();
  const own = await inviteTo(owner, { email });
  await signUp({ email: email.toUpperCase(), password, invitationToken: own.token });
  const other = await service.newUser();
  const passedOn = await inviteTo(owner);
  await service.fetch(`${at}/${passedOn.token}`, { method: "POST", token: other.token });
  const query = `projectId=${owner.project.id}&event=invitation.accepted`;
  const { body } = await service.fetch(`/v1/vault/audit?${query}`, { token: owner.token });
  type Entry = { actor: { email: string }; details: Record<string, unknown> };
  assert.deepEqual(
    body.items.map(({ actor, details }: Entry) => [actor.email.toLowerCase(), details]),
    [
      [other.email, { invitationId: passedOn.id, role: "viewer", isInvited: false }],
      [email, { invitationId: own.id, role: "viewer", isInvited: true }],
    ],
  );
});

test("an invitation works once, also for two concurrent requests, and not after seven days", async (t) => {
  t.after(() => service.clock.reset());
  const owner = await service.newOwner();
  const { token } = await inviteTo(owner);
  const guests = await Promise.all([service.newUser(), service.newUser()]);
  const answers = await Promise.all(
    guests.map((guest) => service.fetch(`${at}/${token}`, { method: "POST", token: guest.token })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 404],
  );
  const seenBy = await Promise.all(guests.map((guest) => seen(guest.token, owner.project.id)));
  assert.deepEqual(
    seenBy.toSorted((a, b) => a - b),
    [200, 404],
  );
  const late = await inviteTo(owner);
  service.clock.advance(7 * 86_400_000 + 1_000);
  for (const method of ["GET", "POST"]) {
    const guest = await service.newUser();
    const answer = await service.fetch(`${at}/${late.token}`, { method, token: guest.token });
    assert.equal(answer.status, 404);
  }
  const email = newEmail();
  const answer = await signUp({ email, password, invitationToken: late.token });
  assert.deepEqual([answer.status, faultPaths(answer)], [422, ["/invitationToken"]]);
  assert.equal((await signIn(email)).status, 401, "a rejected sign-up stores nothing");
});

test("only owners invite: others get 403 or, without access, 404", async () => {
  const owner = await service.newOwner();
  const data = { collection: "projects", id: owner.project.id };
  for (const role of ["editor", "viewer", "auditor"]) {
    const guest = await service.newUser();
    const { token } = await inviteTo(owner, { role });
    await service.fetch(`${at}/${token}`, { method: "POST", token: guest.token });
    assert.equal((await invite(guest.token, { email: newEmail(), data })).status, 403, role);
  }
  const stranger = await service.newUser();
  assert.equal((await invite(stranger.token, { email: newEmail(), data })).status, 404);
  assert.equal((await service.fetch(at, { json: { email: newEmail(), data } })).status, 403);
  const { token } = owner;
  assert.deepEqual(faultPaths(await invite(token, { email: "nope", data })), ["/email"]);
  const wrong = { collection: "cookies", id: owner.project.id };
  assert.deepEqual(faultPaths(await invite(token, { email: newEmail(), data: wrong })), [
    "/data/collection",
  ]);
  const asOther = { collection: "organizations", id: owner.project.id };
  assert.equal((await invite(token, { email: newEmail(), data: asOther })).status, 404);
});

test("an invitation gives only roles that the inviter may still give", async () => {
  const owner = await service.newOwner();
  const second = await service.newUser();
  const { token } = await inviteTo(owner, { role: "owner" });
  await service.fetch(`${at}/${token}`, { method: "POST", token: second.token });
  const given = await inviteTo({ token: second.token, project: owner.project });
  const left = await service.fetch(`/v1/vault/projects/${owner.project.id}/users/${second.id}`, {
    method: "DELETE",
    token: owner.token,
  });
  assert.equal(left.status, 200);
  const guest = await service.newUser();
  const answer = await service.fetch(`${at}/${given.token}`, {
    method: "POST",
    token: guest.token,
  });
  assert.equal(answer.status, 404);
  assert.equal(await seen(guest.token, owner.project.id), 404);
});

test("an invitation adds a role to existing ones, and removes none", async () => {
  const owner = await service.newOwner();
  const { token } = await inviteTo(owner, { role: "viewer" });
  assert.equal(
    (await service.fetch(`${at}/${token}`, { method: "POST", token: owner.token })).status,
    200,
  );
  const users = await service.fetch(`/v1/vault/projects/${owner.project.id}/users`, {
    token: owner.token,
  });
  assert.deepEqual(users.body[0].roles.toSorted(), ["owner", "viewer"]);
});

test("DELETE revokes by token or id, for the inviter and owners; for others it is not found", async () => {
  const owner = await service.newOwner();
  const stranger = await service.newUser();
  const remove = async (which: string, token: string): Promise<number> =>
    (await service.fetch(`${at}/${which}`, { method: "DELETE", token })).status;
  const first = await inviteTo(owner);
  assert.equal(await remove(first.token, stranger.token), 404);
  assert.equal(await remove(first.id, stranger.token), 404);
  assert.equal(await remove(first.id, owner.token), 204);
  assert.equal((await service.fetch(`${at}/${first.token}`)).status, 404);
  const second = await inviteTo(owner);
  assert.equal(await remove(second.token, owner.token), 204);
  assert.equal(await remove(second.token, owner.token), 404);
});

test("inviting the same address again replaces the previous invitation", async () => {
  const owner = await service.newOwner();
  const email = newEmail();
  const first = await inviteTo(owner, { email });
  const second = await inviteTo(owner, { email });
  assert.equal((await service.fetch(`${at}/${first.token}`)).status, 404);
  assert.equal((await service.fetch(`${at}/${second.token}`)).status, 200);
});

test("an organization's members see its projects", async () => {
  const owner = await service.newUser();
  const organizationId = await create(owner.token, "organizations", { name: "Shops" });
  const project = await service.newProject(owner.token, { organizationId });
  const data = { collection: "organizations", id: organizationId };
  const made = await invite(owner.token, { email: newEmail(), role: "viewer", data });
  const guest = await service.newUser();
  const token = made.body.invitationToken.value;
  assert.equal(
    (await service.fetch(`${at}/${token}`, { method: "POST", token: guest.token })).status,
    200,
  );
  assert.equal(await seen(guest.token, project.id), 200);
});

test("names in an invitation are plain text on one line, with nothing that a mail program links", async () => {
  const owner = await service.newUser();
  await service.fetch("/v1/auth/me", {
    method: "PATCH",
    token: owner.token,
    json: { displayName: "Click https://evil.example/now or write eve@evil.example" },
  });
  const project = await service.newProject(owner.token, { title: "<b>Shop</b>" });
  const email = newEmail();
  await invite(owner.token, { email, data: { collection: "projects", id: project.id } });
  const mail = await waitForMail(email, /You are invited/);
  for (const part of [mail.subject, mail.text, mail.html])
    assert.doesNotMatch(part ?? "", /evil\.example|eve@evil|https:\/\/evil|<b>/);
  assert.equal(mail.subject, "You are invited to collaborate", "nothing from the inviter");
  assert.match(mail.text ?? "", /the name “Click https.+” invites you to work on “b Shop/);
  const page = await service.fetch(`/account/invitation?token=${tokenOf(mail)}`);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.body, /<b>/);
});

test("the page behind an invitation creates an account, or accepts an existing one", async () => {
  const owner = await service.newOwner();
  const email = newEmail();
  const { token } = await inviteTo(owner, { email });
  const page = await service.fetch(`/account/invitation?token=${token}`);
  assert.equal(page.status, 200);
  assert.ok(page.body.includes(`value="${email}"`));
  const send = (form: Record<string, string>): Promise<TestAnswer> =>
    service.fetch("/account/invitation", { form });
  const made = await send({ token, email, password, do: "signup" });
  assert.deepEqual([made.status, /You have accepted/.test(made.body)], [200, true]);
  const { body } = await signIn(email);
  assert.equal(await seen(body.token, owner.project.id), 200);
  const other = await inviteTo(owner, { role: "editor" });
  const taken = await send({ token: other.token, email, password, do: "signup" });
  assert.equal(taken.status, 409);
  const wrong = await send({ token: other.token, email, password: "wrong", do: "signin" });
  assert.equal(wrong.status, 401);
  const known = await send({ token: other.token, email, password, do: "signin" });
  assert.equal(known.status, 200);
  assert.equal((await send({ token: other.token, email, password, do: "signin" })).status, 404);
  assert.equal((await getMe(body.token)).status, 200);
});

test("a user without the right to invite uses up no invitation quota of an address", async () => {
  const [site, stranger] = [await newSite(), await service.newUser()];
  const email = newEmail();
  const data = { collection: "projects", id: site.id };
  for (let i = 0; i < 6; i += 1)
    assert.equal((await invite(stranger.token, { email, data })).status, 404);
  const other = await newSite();
  const theirs = { collection: "projects", id: other.id };
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1)
    statuses.push((await invite(other.token, { email, data: theirs })).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429], "an inviter's own count");
  assert.equal((await invite(site.token, { email, data })).status, 200);
});

test("pending invitations are listed for owners, newest first, and can be revoked there", async () => {
  const owner = await service.newOwner();
  const target = new URLSearchParams({ collection: "projects", id: owner.project.id });
  const list = (token?: string, more = "") =>
    service.fetch(`${at}?${target.toString()}${more}`, token === undefined ? {} : { token });
  assert.deepEqual((await list(owner.token)).body, []);
  const emails = [newEmail(), newEmail(), newEmail()];
  for (const email of emails) await inviteTo(owner, { email, role: "editor" });
  const listed = await list(owner.token, "&perPage=2");
  assert.equal(listed.status, 200);
  assert.equal(listed.headers.get("x-total-count"), "3");
  const [first, ...others] = listed.body;
  assert.deepEqual(
    listed.body.map(({ email }: { email: string }) => email),
    emails.toReversed().slice(0, 2),
  );
  assert.deepEqual([first.role, others.length], ["editor", 1]);
  assert.ok(new Date(first.expiration) > new Date(first.createdAt));
  assert.ok(!JSON.stringify(listed.body).includes("token"), "a mailed token is not returned again");
  const withdrawn = await service.fetch(first.links.self, { method: "DELETE", token: owner.token });
  assert.equal(withdrawn.status, 204);
  const left = await list(owner.token);
  assert.deepEqual(
    left.body.map(({ email }: { email: string }) => email),
    emails.slice(0, 2).toReversed(),
  );
  const viewer = await service.newUser();
  const role = { userId: viewer.id, roles: ["viewer"] };
  const users = `/v1/vault/projects/${owner.project.id}/users`;
  await service.fetch(users, { token: owner.token, json: role });
  assert.equal((await list(viewer.token)).status, 403);
  assert.equal((await list((await service.newUser()).token)).status, 404);
  assert.equal((await list()).status, 403);
  const unnamed = await service.fetch(at, { token: owner.token });
  assert.deepEqual(faultPaths(unnamed), ["?collection", "?id"]);
});

test("an address is mailed twenty invitations a day from all inviters; beyond, the response says that no mail is sent, and the token works", async (t) => {
  t.after(() => service.clock.reset());
  const email = newEmail();
  const owners = await Promise.all(Array.from({ length: 5 }, () => service.newOwner()));
  const send = async (owner: (typeof owners)[number]): Promise<TestAnswer> => {
    const { id } = await service.newProject(owner.token);
    return invite(owner.token, { email, data: { collection: "projects", id } });
  };
  for (const owner of owners.slice(0, 4))
    for (let count = 0; count < 5; count += 1) assert.equal((await send(owner)).status, 200);
  const [last] = owners.slice(-1);
  assert.ok(last);
  const more = await send(last);
  assert.deepEqual(
    [more.status, more.body.mailed, Object.keys(more.body).toSorted()],
    [200, false, ["boundToAddress", "id", "invitationToken", "mailed"]],
  );
  const shown = await service.fetch(`${at}/${more.body.invitationToken.value}`);
  assert.equal(shown.status, 200);
  const other = newEmail();
  const { id } = last.project;
  await invite(last.token, { email: other, data: { collection: "projects", id } });
  await waitForMail(other, /You are invited/);
  const mailed = (count: number) =>
    poll({
      read: async () => (await listMails(email)).length,
      isRight: (there) => there >= count,
      waitMs: 30_000,
      toMessage: (there) => `${there} mails, not ${count}`,
    });
  await mailed(20);
  assert.equal((await listMails(email)).length, 20);
  service.clock.advance(25 * 3_600_000);
  const later = await send(last);
  assert.deepEqual([later.status, later.body.mailed], [200, true]);
  await mailed(21);
});

test("rejected invitations do not count towards an address' daily limit", async () => {
  const strict = await openAnotherService(service.databaseUrl, { RIGHTS_BY_EMAIL: "confirmed" });
  after(() => strict[Symbol.asyncDispose]());
  const email = newEmail();
  const sendTo = (
    url: string,
    { token, project }: Awaited<ReturnType<typeof service.newOwner>>,
  ): Promise<TestAnswer> => {
    const json = { email, data: { collection: "projects", id: project.id } };
    return service.fetch(url + at, { token, json });
  };
  for (let n = 0; n < 4; n += 1) {
    const unconfirmed = await service.newOwner();
    for (let count = 0; count < 5; count += 1)
      assert.equal((await sendTo(strict.url, unconfirmed)).status, 403);
  }
  assert.equal((await sendTo("", await service.newOwner())).status, 200);
  await waitForMail(email, /You are invited/);
});
