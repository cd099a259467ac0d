import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import { password, unique } from "./accounts.ts";
import { linkOf, listMails, waitForMail } from "./mails.ts";
import { create, toCookies } from "./site.ts";

const { fetch, newOwner } = service;
const additions = "/v1/vault/additions";

interface Person {
  id: string;
  token: string;
  email: string;
  name: string;
}

/** A user with a name that the address does not contain. */
async function newPerson(): Promise<Person> {
  const user = await service.newUser();
  const name = `Name ${unique()}`;
  await fetch("/v1/auth/me", { method: "PATCH", token: user.token, json: { displayName: name } });
  return { ...user, name };
}

const usersOf = (id: string, resource = "projects") => `/v1/vault/${resource}/${id}/users`;

async function add(owner: { token: string }, at: string, json: object): Promise<TestAnswer> {
  const answer = await fetch(at, { token: owner.token, json });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer;
}

type Card = Record<"id" | "email" | "displayName" | "emailConfirmed" | "roles", unknown>;
const cardOf = ({ body }: TestAnswer, id: string): Card => body.find((one: Card) => one.id === id);

/** Asserts whether `viewer` sees the name and the address of a user of a document. */
async function assertSeen(
  viewer: { token: string },
  { at, person, isSeen }: { at: string; person: Person; isSeen: boolean },
): Promise<void> {
  const answer = await fetch(at, { token: viewer.token });
  const { email, displayName } = cardOf(answer, person.id);
  const expected = isSeen ? [person.email, person.name] : [null, null];
  assert.deepEqual([email, displayName], expected);
  if (!isSeen) assertUnnamed(answer, person);
}

function assertUnnamed(answer: TestAnswer, { email, name }: Person): void {
  const text = JSON.stringify(answer.body);
  assert.ok(!text.includes(email) && !text.includes(name), text);
}

const leave = (person: Pick<Person, "id" | "token">, at: string) =>
  fetch(`${at}/${person.id}`, { method: "DELETE", token: person.token });

describe("a user who is added by id", () => {
  it("has the role at once, and is shown by id only until the first request to the document", async () => {
    const owner = await newOwner();
    const person = await newPerson();
    const at = usersOf(owner.project.id);
    const added = await add(owner, at, { userId: person.id, roles: ["editor"] });
    assertUnnamed(added, person);
    const card = cardOf(added, person.id);
    assert.deepEqual(
      [card.email, card.displayName, card.emailConfirmed, card.roles],
      [null, null, false, ["editor"]],
    );
    await assertSeen(owner, { at, person, isSeen: false });
    assertUnnamed(await add(owner, at, { userId: person.id, roles: ["viewer"] }), person);
    const read = await fetch(`/v1/vault/projects/${owner.project.id}`, { token: person.token });
    assert.equal(read.status, 200);
    await assertSeen(owner, { at, person, isSeen: true });
  });

  it("is shown after a request to a child or to the project's statistics, not after lists and rejected requests", async () => {
    const owner = await newOwner();
    const projectId = owner.project.id;
    const cookies = await create(owner.token, "cookies", toCookies(projectId));
    const at = usersOf(projectId);
    const [byChild, byStatistics] = [await newPerson(), await newPerson()];
    for (const person of [byChild, byStatistics]) {
      await add(owner, at, { userId: person.id });
      for (const [path, request] of [
        ["/v1/vault/projects", {}],
        [`/v1/vault/cookies?projectId=${projectId}`, {}],
        ["/v1/client/", {}],
        [additions, {}],
        [`/v1/publish/jobs/${projectId}`, { method: "POST" }],
      ] as const)
        await fetch(path, { token: person.token, ...request });
      await assertSeen(owner, { at, person, isSeen: false });
    }
    await fetch(`/v1/vault/cookies/${cookies}/versions`, { token: byChild.token });
    await fetch(`/v1/app/stats/${projectId}`, { token: byStatistics.token });
    for (const person of [byChild, byStatistics])
      await assertSeen(owner, { at, person, isSeen: true });
  });

  it("gives the ownership back by leaving, or by deleting the account, if no other owner is left", async () => {
    for (const how of ["leave", "delete"]) {
      const owner = await newOwner();
      const person = await newPerson();
      const at = usersOf(owner.project.id);
      await add(owner, at, { userId: person.id, roles: ["owner"] });
      assert.equal((await leave(owner, at)).status, 200);
      assert.equal((await fetch(at, { token: owner.token })).status, 404);
      const json = { confirm: person.email, password };
      const left = await (how === "leave"
        ? leave(person, at)
        : fetch("/v1/auth/me/deletion", { token: person.token, json }));
      assert.ok(left.status < 300, JSON.stringify(left.body));
      const { status, body } = await fetch(at, { token: owner.token });
      assert.equal(status, 200, how);
      assert.deepEqual(
        body.map(({ id, roles }: Card) => [id, roles]),
        [[owner.id, ["owner"]]],
      );
      const trail = await fetch(`/v1/vault/audit?projectId=${owner.project.id}`, {
        token: owner.token,
      });
      assertUnnamed(trail, person);
    }
  });

  it("is shown by a request to a project of the organization", async () => {
    const owner = await service.newUser();
    const person = await newPerson();
    const organizationId = await create(owner.token, "organizations", { name: "Org" });
    const { id: projectId } = await service.newProject(owner.token, { organizationId });
    const at = usersOf(organizationId, "organizations");
    await add(owner, at, { userId: person.id });
    await assertSeen(owner, { at: usersOf(projectId), person, isSeen: false });
    await fetch(`/v1/vault/projects/${projectId}`, { token: person.token });
    await assertSeen(owner, { at, person, isSeen: true });
  });

  it("is shown to those who share an opened document, and to nobody by documents that were never opened", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const person = await newPerson();
    const at = usersOf(owner.project.id);
    await add(owner, at, { userId: person.id });
    const second = await service.newProject(owner.token);
    await add(owner, usersOf(second.id), { userId: person.id });
    await assertSeen(owner, { at, person, isSeen: false });

    const shared = await service.newProject(person.token);
    await add(person, usersOf(shared.id), { userId: owner.id });
    await add(owner, at, { userId: other.id, roles: ["owner"] });
    await assertSeen(owner, { at, person, isSeen: true });
    await assertSeen(other, { at, person, isSeen: false });
    await fetch(`/v1/vault/projects/${shared.id}?confirm=${shared.id}`, {
      method: "DELETE",
      token: person.token,
    });
    await assertSeen(owner, { at, person, isSeen: false });
  });

  it("sees itself and the others; one who is added by address is shown at once", async () => {
    const owner = await newOwner();
    const [person, byAddress] = [await newPerson(), await newPerson()];
    const at = usersOf(owner.project.id);
    await add(owner, at, { userId: person.id });
    const added = await add(owner, at, { email: byAddress.email });
    assert.equal(cardOf(added, byAddress.id).displayName, byAddress.name);
    const seen = await fetch(at, { token: person.token });
    const names = seen.body.map(({ displayName }: Card) => displayName);
    assert.ok(names.includes(person.name) && names.includes(byAddress.name), names.join());
  });

  it("is notified by mail, with the adder and the document, unless the mailbox has got too many", async () => {
    const owner = await newOwner();
    const person = await newPerson();
    const at = usersOf(owner.project.id);
    await add(owner, at, { userId: person.id });
    const mail = await waitForMail(person.email, /You were added to a team/);
    assert.match(mail.text ?? "", /added you to “Shop”, as viewer/);
    assert.match(mail.text ?? "", /see neither your name nor your e-mail address until you open/);
    assert.equal(linkOf(mail).pathname, "/admin/projects");
    await add(owner, at, { userId: person.id, roles: ["editor"] });
    for (let n = 0; n < 7; n += 1) {
      assert.equal((await leave(person, at)).status, 200);
      await add(owner, at, { userId: person.id });
    }
    const marker = await newOwner();
    await add(marker, usersOf(marker.project.id), { userId: person.id });
    const named = async () => (await listMails(person.email)).filter(isAddition);
    const isAddition = ({ subject }: { subject?: string | undefined }) => subject === mail.subject;
    while (!(await named()).some(({ text }) => text?.includes(marker.email.split("@")[0] ?? "")))
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await named()).length, 6, "five of one adder an hour, and the other's");
  });

  it("gets the mail in French, where the adder's browser prefers it", async () => {
    const owner = await newOwner();
    const person = await newPerson();
    const headers = { "accept-language": "fr" };
    const { token } = owner;
    await fetch(usersOf(owner.project.id), { token, headers, json: { userId: person.id } });
    const mail = await waitForMail(person.email, /Vous avez été ajouté à une équipe/);
    assert.match(mail.text ?? "", /vous a ajouté à « Shop », en tant que lecteur/);
  });
});

describe("the list of additions", () => {
  it("has the documents that the caller has not opened, newest first, with links to open and to leave", async () => {
    const owner = await newOwner();
    const person = await newPerson();
    const organizationId = await create(owner.token, "organizations", { name: "Org" });
    await add(owner, usersOf(owner.project.id), { userId: person.id, roles: ["auditor"] });
    await add(owner, usersOf(organizationId, "organizations"), { userId: person.id });
    const read = async () => (await fetch(additions, { token: person.token })).body;
    const [first, second] = await read();
    assert.deepEqual(
      [first.resource, first.id, first.title, first.roles],
      ["organizations", organizationId, "Org", ["viewer"]],
    );
    assert.deepEqual([second.id, second.roles], [owner.project.id, ["auditor"]]);
    const page = await fetch(`${additions}?perPage=1&page=2`, { token: person.token });
    assert.deepEqual(page.body, [second]);
    assert.equal(page.headers.get("x-total-count"), "2");
    const pathOf = (href: string) => new URL(href).pathname;
    assert.equal((await fetch(pathOf(first.links.document), { token: person.token })).status, 200);
    assert.deepEqual(await read(), [second]);
    const left = await fetch(pathOf(second.links.user), { method: "DELETE", token: person.token });
    assert.equal(left.status, 200);
    assert.deepEqual(await read(), []);
  });

  it("is the caller's own, and needs a token", async () => {
    const owner = await newOwner();
    const person = await newPerson();
    await add(owner, usersOf(owner.project.id), { userId: person.id });
    assert.deepEqual((await fetch(additions, { token: owner.token })).body, []);
    assert.equal((await fetch(additions)).status, 403);
  });
});

describe("leaving a document", () => {
  it("works with every role, and does not show a user who never opened it, not even in the audit trail", async () => {
    const owner = await newOwner();
    const at = usersOf(owner.project.id);
    const trail = () =>
      fetch(`/v1/vault/audit?projectId=${owner.project.id}&limit=1`, { token: owner.token });
    for (const role of ["owner", "editor", "viewer", "auditor"]) {
      const person = await newPerson();
      await add(owner, at, { userId: person.id, roles: [role] });
      const left = await leave(person, at);
      assert.equal(left.status, 200, role);
      assert.equal(cardOf(left, person.id), undefined);
      const answer = await trail();
      assertUnnamed(answer, person);
      const [entry] = answer.body.items;
      assert.equal(entry.actor.id, person.id);
      assert.deepEqual(entry.details, { userId: person.id, roles: [], isOpened: false });
      assert.equal(entry.network, undefined);
      const read = await fetch(`/v1/vault/projects/${owner.project.id}`, { token: person.token });
      assert.equal(read.status, 404);
    }
    const opener = await newPerson();
    await add(owner, at, { userId: opener.id });
    await fetch(`/v1/vault/projects/${owner.project.id}`, { token: opener.token });
    await leave(opener, at);
    const [entry] = (await trail()).body.items;
    assert.deepEqual([entry.actor.email, entry.actor.displayName], [opener.email, opener.name]);
  });

  it("answers 409 to the last owner, 409 for an inherited role and 404 without a role", async () => {
    const owner = { ...(await newPerson()) };
    const organizationId = await create(owner.token, "organizations", { name: "Org" });
    const { id: projectId } = await service.newProject(owner.token, { organizationId });
    assert.equal((await leave(owner, usersOf(organizationId, "organizations"))).status, 409);
    const person = await newPerson();
    assert.equal((await leave(person, usersOf(projectId))).status, 404);
    await add(owner, usersOf(organizationId, "organizations"), { userId: person.id });
    assert.equal((await leave(person, usersOf(projectId))).status, 409);
    await assertSeen(owner, { at: usersOf(projectId), person, isSeen: false });
  });
});
