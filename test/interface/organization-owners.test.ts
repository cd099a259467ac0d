import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { create, toCookies } from "./site.ts";

type User = Awaited<ReturnType<typeof service.newUser>>;
const { fetch } = service;

const give = async (by: User, path: string, user: User, role: string): Promise<number> => {
  const json = { userId: user.id, roles: [role] };
  return (await fetch(`${path}/users`, { token: by.token, json })).status;
};

const take = async (by: User, path: string, user: User): Promise<number> =>
  (await fetch(`${path}/users/${user.id}`, { method: "DELETE", token: by.token })).status;

const patch = async (user: User, path: string): Promise<number> =>
  (await fetch(path, { method: "PATCH", token: user.token, json: { title: "Mine" } })).status;

const read = async (user: User, path: string): Promise<number> =>
  (await fetch(path, { token: user.token })).status;

const end = async ({ token }: { token: string }, path: string): Promise<number> => {
  const confirmed = `${path}?confirm=${path.split("/").at(-1)}`;
  return (await fetch(confirmed, { method: "DELETE", token })).status;
};

const invite = ({ token }: User, projectId: string) =>
  fetch("/v1/auth/invitations", {
    token,
    json: { email: "new@example.org", data: { collection: "projects", id: projectId } },
  });

/** An organization, its owner, an editor, and a project that the editor created there and so owns. */
async function newTeam() {
  const owner = await service.newUser();
  const editor = await service.newUser();
  const organizationId = await create(owner.token, "organizations", { name: "Org" });
  const organization = `/v1/vault/organizations/${organizationId}`;
  assert.equal(await give(owner, organization, editor, "editor"), 200);
  const { id } = await service.newProject(editor.token, { organizationId });
  const { body } = await fetch(`/v1/vault/projects/${id}`, { token: editor.token });
  assert.equal(body.organizationId, organizationId);
  return { owner, editor, organizationId, organization, id, project: `/v1/vault/projects/${id}` };
}

async function lastRights({ token }: User, organizationId: string): Promise<unknown> {
  const query = `?organizationId=${organizationId}&event=rights.changed`;
  const { body } = await fetch(`/v1/vault/audit${query}`, { token });
  return body.items[0].details;
}

describe("a project that an organization's editor created and owns", () => {
  it("cannot be shared, cleared of users or deleted by that editor", async () => {
    const { owner, editor, organizationId, id, project } = await newTeam();
    const third = await service.newUser();
    const json = { userId: third.id, roles: ["owner"] };
    const refused = await fetch(`${project}/users`, { token: editor.token, json });
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /^Only an owner of its organization/);
    assert.equal(await read(third, project), 404);
    const cookies = `/v1/vault/cookies/${await create(editor.token, "cookies", toCookies(id))}`;
    assert.equal(await give(editor, cookies, third, "viewer"), 403, "nor in its configurations");
    const vendorId = await create(editor.token, "vendors", { name: "V", organizationId });
    const vendor = `/v1/vault/vendors/${vendorId}`;
    assert.equal(await give(editor, vendor, third, "owner"), 403, "nor outside it");
    assert.equal((await invite(editor, id)).status, 403);
    assert.equal(await give(owner, project, third, "viewer"), 200);
    assert.equal(await take(editor, project, third), 403);
    assert.equal(await end(editor, project), 403);
    assert.equal(await patch(editor, project), 200, "everything else is allowed as its owner");
    assert.equal(await take(third, project, third), 200, "everybody may leave");
    assert.equal(await take(editor, project, editor), 200);
  });

  it("is no longer theirs once they are demoted in the organization", async () => {
    const { owner, editor, organizationId, organization, id, project } = await newTeam();
    const cookies = `/v1/vault/cookies/${await create(owner.token, "cookies", toCookies(id))}`;
    assert.equal(await give(owner, cookies, editor, "editor"), 200);
    const json = { userId: editor.id, roles: ["viewer", "owner", "auditor"] };
    assert.equal((await fetch(`${project}/users`, { token: owner.token, json })).status, 200);
    const key = await fetch("/v1/auth/tokens", {
      token: editor.token,
      json: { label: "k", scopes: ["vault:read", "vault:write"], projectId: id },
    });
    assert.equal(key.status, 201);
    const byKey = { ...editor, token: key.body.token };
    assert.equal(await patch(byKey, project), 200);
    assert.equal(await give(owner, organization, editor, "viewer"), 200);
    for (const caller of [editor, byKey]) {
      assert.deepEqual([await patch(caller, project), await read(caller, project)], [403, 200]);
      assert.deepEqual([await patch(caller, cookies), await read(caller, cookies)], [403, 200]);
      assert.equal(await end(caller, project), 403);
    }
    assert.equal(await give(editor, organization, editor, "owner"), 403);
    const { body } = await fetch(`${project}/users`, { token: owner.token });
    const shown = body.find((user: { id: string }) => user.id === editor.id);
    assert.deepEqual(shown.roles.toSorted(), ["auditor", "viewer"], "removed roles stay removed");
    const documentIds = [id, cookies.split("/").at(-1) ?? ""].toSorted();
    assert.deepEqual(await lastRights(owner, organizationId), {
      userId: editor.id,
      roles: ["viewer"],
      below: { count: 2, documentIds },
    });
    // A role that the organization's owner gives on one project is separate, and stays.
    assert.equal(await give(owner, project, editor, "editor"), 200);
    assert.equal(await give(owner, organization, editor, "viewer"), 200);
    assert.equal(await patch(editor, project), 200, "since it was not lowered");
  });

  it("is inaccessible once they are removed, also to users whom they added", async () => {
    const { owner, editor, organizationId, organization, id, project } = await newTeam();
    const third = await service.newUser();
    // An invitation by a former owner of the organization gives nothing.
    assert.equal(await give(owner, organization, editor, "owner"), 200);
    const { status, body } = await invite(editor, id);
    assert.equal(status, 200);
    assert.equal(await give(owner, organization, editor, "editor"), 200);
    assert.equal(await give(owner, project, editor, "owner"), 200);
    const accepting = `/v1/auth/invitations/${body.invitationToken.value}`;
    assert.equal((await fetch(accepting, { method: "POST", token: third.token })).status, 404);
    assert.equal(await give(editor, project, third, "owner"), 403);
    assert.equal(await take(owner, organization, editor), 200);
    assert.deepEqual(await lastRights(owner, organizationId), {
      userId: editor.id,
      roles: [],
      below: { count: 1, documentIds: [id] },
    });
    for (const gone of [editor, third]) {
      assert.deepEqual([await read(gone, project), await patch(gone, project)], [404, 404]);
      const publish = { method: "POST", token: gone.token };
      assert.equal((await fetch(`/v1/publish/jobs/${id}`, publish)).status, 404);
      assert.deepEqual(
        [await give(gone, project, editor, "owner"), await end(gone, project)],
        [404, 404],
      );
    }
  });

  it("is shared, cleared of users and deleted by the organization's owners", async () => {
    const { owner, editor, id, project } = await newTeam();
    const third = await service.newUser();
    assert.equal((await invite(owner, id)).status, 200);
    assert.equal(await give(owner, project, third, "owner"), 200);
    assert.equal(await patch(third, project), 200);
    assert.equal(await give(third, project, editor, "viewer"), 403, "an owner of the project only");
    assert.equal(await take(owner, project, third), 200);
    assert.equal(await take(owner, project, editor), 200);
    const key = async (more: object) => {
      const json = { label: "k", scopes: ["vault:write"], ...more };
      const { status, body } = await fetch("/v1/auth/tokens", { token: owner.token, json });
      assert.equal(status, 201);
      return body;
    };
    assert.equal(
      await end(await key({ projectId: id }), project),
      403,
      "a key of the project only",
    );
    assert.equal(await end(owner, project), 204);
    assert.equal(await read(owner, project), 404);
  });

  it("a project without an organization belongs to its owners as before, and demotions there apply to its configurations", async () => {
    const owner = await service.newUser();
    const [other, third] = [await service.newUser(), await service.newUser()];
    const { id } = await service.newProject(owner.token);
    const project = `/v1/vault/projects/${id}`;
    const cookies = `/v1/vault/cookies/${await create(owner.token, "cookies", toCookies(id))}`;
    assert.equal(await give(owner, project, other, "owner"), 200);
    assert.equal(await give(other, cookies, other, "owner"), 200);
    assert.equal(await give(other, project, third, "viewer"), 200);
    assert.equal(await give(owner, project, other, "editor"), 200);
    assert.equal(await patch(other, cookies), 200);
    assert.equal(await give(other, cookies, third, "owner"), 403);
    assert.equal(await end(owner, project), 204);
  });
});

describe("an editor who is demoted while creating projects", () => {
  it("owns none of them afterwards", async () => {
    const { owner, editor, organizationId, organization } = await newTeam();
    for (let round = 0; round < 4; round += 1) {
      assert.equal(await give(owner, organization, editor, "editor"), 200);
      const json = { websiteURL: "https://a.example", title: "A", organizationId };
      const [demoted, ...made] = await Promise.all([
        give(owner, organization, editor, "viewer"),
        ...Array.from({ length: 5 }, () =>
          fetch("/v1/vault/projects", { token: editor.token, json }),
        ),
      ]);
      assert.equal(demoted, 200);
      for (const { status, body } of made) {
        assert.ok(status === 201 || status === 403, String(status));
        if (status === 201) assert.equal(await patch(editor, `/v1/vault/projects/${body.id}`), 403);
      }
    }
  });
});
