import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { operatorToken, service } from "../harness.ts";
import { poll } from "../poll.ts";
import { create, toCookies } from "./site.ts";

type User = Awaited<ReturnType<typeof service.newUser>>;
const { fetch } = service;

const usersOf = (resource: string, id: string): string => `/v1/vault/${resource}/${id}/users`;

async function newOrganization(owner: User, name = "Org"): Promise<string> {
  return create(owner.token, "organizations", { name });
}

/** Gives a user a role, by a user who may. */
async function give(by: User, at: string, user: User, role: string): Promise<void> {
  const { status } = await fetch(at, { token: by.token, json: { userId: user.id, roles: [role] } });
  assert.equal(status, 200);
}

const leave = async (user: User, at: string): Promise<number> =>
  (await fetch(`${at}/${user.id}`, { method: "DELETE", token: user.token })).status;

const move = (user: User, projectId: string, organizationId: string | null) =>
  fetch(`/v1/vault/projects/${projectId}`, {
    method: "PATCH",
    token: user.token,
    json: { organizationId },
  });

/** Whether a request waits for a document that another one has locked. */
async function isOneWaiting(): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"documents"%'`.execute(
    service.db,
  );
  return rows.length > 0;
}

const read = async (user: User, path: string): Promise<number> =>
  (await fetch(path, { token: user.token })).status;

describe("rights are inherited from an organization by its projects and their configurations", () => {
  it("a user with several roles may do what any of them allows", async () => {
    const owner = await service.newUser();
    const member = await service.newUser();
    const organizationId = await newOrganization(owner);
    const { id: projectId } = await service.newProject(owner.token, { organizationId });
    const cookies = await create(owner.token, "cookies", toCookies(projectId));
    const at = `/v1/vault/cookies/${cookies}`;
    const write = async () =>
      (await fetch(at, { method: "PATCH", token: member.token, json: { title: "B" } })).status;
    assert.deepEqual([await read(member, at), await write()], [404, 404]);
    await give(owner, usersOf("organizations", organizationId), member, "auditor");
    assert.deepEqual([await read(member, at), await write()], [403, 403]);
    await give(owner, usersOf("projects", projectId), member, "viewer");
    assert.deepEqual([await read(member, at), await write()], [200, 403]);
    await give(owner, usersOf("cookies", cookies), member, "editor");
    assert.deepEqual([await read(member, at), await write()], [200, 200]);
    const { body } = await fetch(usersOf("cookies", cookies), { token: owner.token });
    const card = body.find((user: { id: string }) => user.id === member.id);
    assert.deepEqual(card.roles.toSorted(), ["auditor", "editor", "viewer"]);
  });
});

describe("moving a project between organizations", () => {
  it("requires an owner of the project who may write in the other organization", async () => {
    const [here, there, both] = [
      await service.newUser(),
      await service.newUser(),
      await service.newUser(),
    ];
    const from = await newOrganization(here);
    const to = await newOrganization(there);
    const { id: projectId } = await service.newProject(here.token, { organizationId: from });
    // Users with a role on the project itself keep it; those with the organization's only do not.
    assert.equal(await leave(here, usersOf("projects", projectId)), 200);
    // The project's owner does not see the other organization, and that one's owner not the project.
    assert.equal((await move(here, projectId, to)).status, 422);
    assert.equal((await move(there, projectId, to)).status, 404);
    await give(here, usersOf("organizations", from), both, "editor");
    await give(there, usersOf("organizations", to), both, "editor");
    assert.equal((await move(both, projectId, to)).status, 403, "an editor of the project");
    await give(here, usersOf("organizations", from), both, "owner");
    await give(there, usersOf("organizations", to), both, "viewer");
    assert.equal((await move(both, projectId, to)).status, 403, "a viewer there");
    await give(there, usersOf("organizations", to), both, "editor");
    assert.equal((await move(both, projectId, to)).status, 200);
    const at = `/v1/vault/projects/${projectId}`;
    assert.deepEqual([await read(here, at), await read(there, at)], [404, 200]);
    for (const [reader, organizationId] of [
      [here, from],
      [there, to],
    ] as const) {
      const query = `?organizationId=${organizationId}&event=project.moved`;
      const { body } = await fetch(`/v1/vault/audit${query}`, { token: reader.token });
      assert.deepEqual(body.items[0].details, { from, to });
    }
  });

  it("requires an owner of the organization that it leaves: a project's creator there cannot take it", async () => {
    const owner = await service.newUser();
    const creator = await service.newUser();
    const from = await newOrganization(owner);
    await give(owner, usersOf("organizations", from), creator, "editor");
    const { id: projectId } = await service.newProject(creator.token, { organizationId: from });
    const own = await newOrganization(creator);
    const at = `/v1/vault/projects/${projectId}`;
    for (const to of [null, own]) {
      const { status, body } = await move(creator, projectId, to);
      assert.equal(status, 403);
      assert.match(body.detail, /owner of its organization/);
    }
    const { body: shown } = await fetch(at, { token: creator.token });
    const { organizationId: _left, ...without } = shown;
    const put = { method: "PUT", token: creator.token, json: without };
    assert.equal((await fetch(at, put)).status, 403, "PUT without it moves out too");
    assert.equal((await fetch(at, { ...put, json: shown })).status, 200, "and with it does not");
    // An owner of both may.
    assert.equal(await leave(creator, usersOf("organizations", from)), 200);
    assert.equal((await move(creator, projectId, null)).status, 404, "gone from there");
    assert.equal((await move(owner, projectId, null)).status, 200);
  });

  it("requires a person: no API key moves a project out or in", async () => {
    const owner = await service.newUser();
    const organizationId = await newOrganization(owner);
    const inside = await service.newProject(owner.token, { organizationId });
    const outside = await service.newProject(owner.token);
    const newKey = async (more: object): Promise<User> => {
      const json = { label: "k", scopes: ["vault:read", "vault:write"], ...more };
      const { body } = await fetch("/v1/auth/tokens", { token: owner.token, json });
      return { ...owner, token: body.token };
    };
    const wide = await newKey({});
    const narrow = await newKey({ projectId: inside.id });
    for (const key of [wide, narrow]) {
      const { status, body } = await move(key, inside.id, null);
      assert.deepEqual([status, /An API key cannot move a project/.test(body.detail)], [403, true]);
    }
    assert.equal((await move(wide, outside.id, organizationId)).status, 403);
    const at = `/v1/vault/projects/${inside.id}`;
    const title = { method: "PATCH", token: narrow.token, json: { title: "Another" } };
    assert.equal((await fetch(at, title)).status, 200, "it writes everything else as before");
  });

  it("locks both organizations in one order, so that two opposite moves do not deadlock", async () => {
    const owner = await service.newUser();
    const made = [await newOrganization(owner), await newOrganization(owner)];
    const [low = "", high = ""] = made.toSorted();
    const { id: projectId } = await service.newProject(owner.token, { organizationId: low });
    const moving = await service.db.transaction().execute(async (tx) => {
      const hold = (id: string) => tx.selectFrom("documents").select("id").where("id", "=", id);
      await hold(low).forUpdate().execute();
      const begun = move(owner, projectId, high);
      await poll({
        read: isOneWaiting,
        isRight: Boolean,
        waitMs: 60_000,
        toMessage: () => "none waits",
      });
      await hold(high).forUpdate().noWait().execute();
      return { begun };
    });
    assert.equal((await moving.begun).status, 200);
  });

  it("applies the plan of its new organization", async () => {
    const owner = await service.newUser();
    const [free, paid] = [await newOrganization(owner), await newOrganization(owner)];
    const { status } = await fetch(`/v1/billing/organizations/${paid}`, {
      method: "PUT",
      token: operatorToken,
      json: { plan: "pro" },
    });
    assert.equal(status, 200);
    const { id } = await service.newProject(owner.token, { organizationId: free });
    const billing = async () =>
      (await fetch(`/v1/vault/projects/${id}`, { token: owner.token })).body.billing;
    assert.deepEqual(await billing(), { plan: "free", subscription: "none" });
    assert.equal((await move(owner, id, paid)).status, 200);
    assert.deepEqual(await billing(), { plan: "pro", subscription: "active" });
    assert.equal((await move(owner, id, null)).status, 200);
    assert.deepEqual(await billing(), { plan: "free", subscription: "none" });
  });

  it("revokes the previous team's access: keys no longer see it, and their invitations are void", async () => {
    const before = await service.newUser();
    const after = await service.newUser();
    const from = await newOrganization(before);
    const to = await newOrganization(after);
    await give(before, usersOf("organizations", from), after, "owner");
    const { id: projectId } = await service.newProject(after.token, { organizationId: from });
    const key = await fetch("/v1/auth/tokens", {
      token: before.token,
      json: { label: "old", scopes: ["vault:read", "publish:write"], projectId },
    });
    const invited = await fetch("/v1/auth/invitations", {
      token: before.token,
      json: { email: "new@example.org", data: { collection: "projects", id: projectId } },
    });
    assert.deepEqual([key.status, invited.status], [201, 200]);
    const at = `/v1/vault/projects/${projectId}`;
    assert.equal((await fetch(at, { token: key.body.token })).status, 200);
    assert.equal((await move(after, projectId, to)).status, 200);
    assert.equal((await fetch(at, { token: key.body.token })).status, 404);
    const publish = { method: "POST", token: key.body.token };
    assert.equal((await fetch(`/v1/publish/jobs/${projectId}`, publish)).status, 404);
    const guest = await service.newUser();
    const accepting = `/v1/auth/invitations/${invited.body.invitationToken.value}`;
    assert.equal((await fetch(accepting, { method: "POST", token: guest.token })).status, 404);
    assert.equal(await read(guest, at), 404);
  });
});

describe("leaving", () => {
  it("is allowed to everybody but the last owner", async () => {
    const owner = await service.newUser();
    const at = usersOf("organizations", await newOrganization(owner));
    for (const role of ["editor", "viewer", "auditor"]) {
      const member = await service.newUser();
      await give(owner, at, member, role);
      assert.equal(await leave(member, at), 200, role);
      assert.equal(await read(member, at), 404, role);
    }
    assert.equal(await leave(owner, at), 409);
    const other = await service.newUser();
    await give(owner, at, other, "owner");
    assert.equal(await read(other, at), 200);
    assert.equal(await leave(owner, at), 200);
    assert.equal(await leave(other, at), 409);
  });

  it("keeps one of two owners who leave concurrently, or who make each other viewers", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await service.newUser(), await service.newUser()];
      const at = usersOf("organizations", await newOrganization(one));
      await give(one, at, other, "owner");
      assert.equal(await read(other, at), 200);
      const left = await Promise.all([leave(one, at), leave(other, at)]);
      assert.deepEqual(left.toSorted(), [200, 409]);
      const [stays] = left[0] === 409 ? [one] : [other];
      const leaves = stays === one ? other : one;
      await give(stays, at, leaves, "owner");
      const demote = (by: User, user: User) =>
        fetch(at, { token: by.token, json: { userId: user.id, roles: ["viewer"] } });
      const answers = await Promise.all([demote(one, other), demote(other, one)]);
      const { body } = await fetch(at, { token: one.token });
      const owners = body.filter(({ roles }: { roles: string[] }) => roles.includes("owner"));
      assert.equal(owners.length, 1, JSON.stringify(answers.map(({ status }) => status)));
    }
  });
});

describe("deleting an organization", () => {
  it("is rejected while it has a project or a live subscription", async () => {
    const owner = await service.newUser();
    const id = await newOrganization(owner);
    const at = `/v1/vault/organizations/${id}`;
    const end = async () => fetch(at, { method: "DELETE", token: owner.token });
    const { id: projectId } = await service.newProject(owner.token, { organizationId: id });
    const subscribe = (status: string) =>
      fetch(`/v1/billing/organizations/${id}`, {
        method: "PUT",
        token: operatorToken,
        json: { plan: "pro", status },
      });
    const vendor = { name: "own", title: "Our own", organizationId: id };
    const made = await fetch("/v1/vault/vendors", { token: owner.token, json: vendor });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const cookies = { projectId, name: "banner" };
    assert.equal(
      (await fetch("/v1/vault/cookies", { token: owner.token, json: cookies })).status,
      201,
    );
    const refused = await end();
    assert.equal(refused.status, 409);
    assert.deepEqual(refused.body.projects, [{ id: projectId, title: "Shop" }]);
    assert.equal(
      refused.body.detail,
      `The organization still has projects: “Shop” (${projectId}). Move or delete them first.`,
    );
    await move(owner, projectId, null);
    for (const status of ["active", "trialing", "past_due", "unpaid"]) {
      assert.equal((await subscribe(status)).status, 200);
      const { status: answered, body } = await end();
      assert.deepEqual(
        [answered, body.detail],
        [409, `The organization's subscription is ${status}. Cancel it first.`],
      );
    }
    await subscribe("canceled");
    assert.equal((await end()).status, 204);
    assert.equal(await read(owner, at), 404);
    assert.equal(await read(owner, `/v1/vault/vendors/${made.body.id}`), 404);
    assert.equal(await read(owner, `/v1/vault/projects/${projectId}`), 200);
  });
});
