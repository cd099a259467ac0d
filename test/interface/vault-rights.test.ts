import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch, newUser, newProject, newOwner } = service;

describe("wire section 2: rights", () => {
  it("POST …/users adds a user, GET lists, DELETE removes; the three ids are the user's", async () => {
    const { token, project } = await newOwner();
    const other = await newUser();
    const path = `/v1/vault/projects/${project.id}/users`;
    const added = await fetch(path, { token, json: { email: other.email, roles: ["editor"] } });
    assert.equal(added.status, 200);
    const card = added.body.find((u: { id: string }) => u.id === other.id);
    assert.equal(card._id, other.id);
    assert.equal(card.userId, other.id);
    assert.deepEqual(card.roles, ["editor"]);
    assert.equal(card.email, other.email);
    assert.equal(
      (await fetch(`/v1/vault/projects/${project.id}`, { token: other.token })).status,
      200,
    );
    assert.deepEqual((await fetch(path, { token: other.token })).body, added.body);
    const removed = await fetch(`${path}/${other.id}`, { method: "DELETE", token });
    assert.deepEqual(
      removed.body.map((u: { id: string }) => u.id),
      [project["createdBy"]],
    );
    assert.equal(
      (await fetch(`/v1/vault/projects/${project.id}`, { token: other.token })).status,
      404,
    );
  });

  it("the creator is owner; a document always keeps one owner (409)", async () => {
    const { token, id, project } = await newOwner();
    const path = `/v1/vault/projects/${project.id}/users`;
    assert.deepEqual((await fetch(path, { token })).body[0].roles, ["owner"]);
    assert.equal((await fetch(`${path}/${id}`, { method: "DELETE", token })).status, 409);
    assert.equal(
      (await fetch(path, { token, json: { userId: id, roles: ["viewer"] } })).status,
      409,
    );
  });

  it("an unknown user is 422 and neither userId nor email is 400", async () => {
    const { token, project } = await newOwner();
    const path = `/v1/vault/projects/${project.id}/users`;
    assert.equal(
      (await fetch(path, { token, json: { email: "nobody@nowhere.example" } })).status,
      422,
    );
    assert.equal((await fetch(path, { token, json: { userId: "f".repeat(24) } })).status, 422);
    assert.equal((await fetch(path, { token, json: {} })).status, 400);
    assert.equal(
      (await fetch(path, { token, json: { email: "a@b.c", roles: ["king"] } })).status,
      400,
    );
  });

  it("lists only the documents of a role, on themselves or on a parent", async () => {
    const { token, id } = await newUser();
    const json = { name: "Own" };
    const own = (await fetch("/v1/vault/organizations", { token, json })).body.id;
    const other = await newOwner();
    const given = { userId: id, roles: ["editor"] };
    await fetch(`/v1/vault/projects/${other.project.id}/users`, {
      token: other.token,
      json: given,
    });
    const { id: project } = await newProject(token, { organizationId: own });
    const listIds = async (query: string): Promise<string[]> => {
      const { body } = await fetch(`/v1/vault/projects${query}`, { token });
      return body.map((one: { id: string }) => one.id);
    };
    assert.deepEqual(await listIds("?role=owner"), [project]);
    assert.deepEqual(await listIds("?role=editor"), [other.project.id]);
    assert.deepEqual(await listIds("?role=auditor"), []);
    assert.equal((await listIds("")).length, 2);
    assert.equal((await fetch("/v1/vault/projects?role=king", { token })).status, 400);
  });

  it("roles: what each of owner, editor, viewer and auditor may do", async () => {
    const { token, project } = await newOwner();
    const path = `/v1/vault/projects/${project.id}`;
    const expected = {
      owner: { read: 200, write: 200, child: 201, share: 200, list: 1 },
      editor: { read: 200, write: 200, child: 201, share: 403, list: 1 },
      viewer: { read: 200, write: 403, child: 403, share: 403, list: 1 },
      auditor: { read: 403, write: 403, child: 403, share: 403, list: 0 },
    };
    for (const [role, want] of Object.entries(expected)) {
      const user = await newUser();
      await fetch(`${path}/users`, { token, json: { userId: user.id, roles: [role] } });
      const asUser = { token: user.token };
      assert.equal((await fetch(path, asUser)).status, want.read, `${role} reads`);
      assert.equal(
        (await fetch(path, { ...asUser, method: "PATCH", json: { x: role } })).status,
        want.write,
        `${role} writes`,
      );
      assert.equal(
        (await fetch("/v1/vault/cookies", { ...asUser, json: { projectId: project.id } })).status,
        want.child,
        `${role} creates below`,
      );
      assert.equal(
        (await fetch(`${path}/users`, { ...asUser, json: { userId: user.id, roles: [role] } }))
          .status,
        want.share,
        `${role} shares`,
      );
      assert.equal(
        (await fetch("/v1/vault/projects", asUser)).body.length,
        want.list,
        `${role} lists`,
      );
      if (role !== "owner")
        assert.equal(
          (await fetch(`${path}?confirm=${project.id}`, { ...asUser, method: "DELETE" })).status,
          403,
          `${role} deletes`,
        );
    }
  });

  it("configurations inherit the rights of their project, projects those of their organization", async () => {
    const { token } = await newUser();
    const member = await newUser();
    const organization = await fetch("/v1/vault/organizations", { token, json: { name: "Org" } });
    const project = await newProject(token, { organizationId: organization.body.id });
    const cookies = await fetch("/v1/vault/cookies", { token, json: { projectId: project.id } });
    await fetch(`/v1/vault/organizations/${organization.body.id}/users`, {
      token,
      json: { userId: member.id, roles: ["viewer"] },
    });
    const asMember = { token: member.token };
    assert.equal((await fetch(`/v1/vault/projects/${project.id}`, asMember)).status, 200);
    assert.equal((await fetch(`/v1/vault/cookies/${cookies.body.id}`, asMember)).status, 200);
    assert.deepEqual(
      (await fetch(`/v1/vault/cookies`, asMember)).body.map((c: { id: string }) => c.id),
      [cookies.body.id],
    );
    await fetch(`/v1/vault/projects/${project.id}`, {
      method: "PATCH",
      token,
      json: { organizationId: null },
    });
    assert.equal((await fetch(`/v1/vault/cookies/${cookies.body.id}`, asMember)).status, 404);
  });
});
