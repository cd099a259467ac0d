import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch, newOwner, newProject, newUser } = service;

type Roles = ("owner" | "editor" | "viewer" | "auditor")[];
const isRefused = (status: number) => [404, 422].includes(status);

async function share(path: string, token: string, userId: string, roles: Roles) {
  const { status, body } = await fetch(`${path}/users`, { token, json: { userId, roles } });
  assert.equal(status, 200, JSON.stringify(body));
}

async function newOrganization(token: string): Promise<string> {
  return (await fetch("/v1/vault/organizations", { token, json: { name: "Org" } })).body.id;
}

describe("wire section 2: configurations inherit the rights of their project, projects those of their organization", () => {
  it("an editor of a project only may change it, whatever organization it is in", async () => {
    const { token } = await newUser();
    const editor = await newUser();
    const organizationId = await newOrganization(token);
    const project = await newProject(token, { organizationId });
    const path = `/v1/vault/projects/${project.id}`;
    await share(path, token, editor.id, ["editor"]);
    const asEditor = { token: editor.token };
    const patched = await fetch(path, { ...asEditor, method: "PATCH", json: { title: "New" } });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    assert.equal(
      (await fetch(path, { ...asEditor, method: "PUT", json: patched.body })).status,
      200,
    );
    const out = await fetch(path, { ...asEditor, method: "PATCH", json: { organizationId: null } });
    assert.equal(out.status, 403, "only an owner moves a project");
  });

  it("a vendor that another editor referenced by id blocks nobody's edits", async () => {
    const { token, project } = await newOwner();
    const editor = await newUser();
    await share(`/v1/vault/projects/${project.id}`, token, editor.id, ["editor"]);
    const vendor = await fetch("/v1/vault/vendors", { token, json: { name: "own" } });
    const steps = [{ name: "a", layout: "category", vendors: [vendor.body.id] }];
    const made = await fetch("/v1/vault/cookies", {
      token,
      json: { projectId: project.id, steps },
    });
    const path = `/v1/vault/cookies/${made.body.id}`;
    const asEditor = { token: editor.token, method: "PATCH" };
    assert.equal((await fetch(path, { ...asEditor, json: { title: "New" } })).status, 200);
    const other = await fetch("/v1/vault/vendors", { token, json: { name: "other" } });
    const more = [{ name: "a", layout: "category", vendors: [vendor.body.id, other.body.id] }];
    assert.equal((await fetch(path, { ...asEditor, json: { steps: more } })).status, 422);
  });

  it("documents of a project are owned by the project's owners: a creator's rights end with their role", async () => {
    const { token, id, project } = await newOwner();
    const [creator, stranger] = [await newUser(), await newUser()];
    const path = `/v1/vault/projects/${project.id}`;
    await share(path, token, creator.id, ["editor"]);
    const json = { projectId: project.id };
    const made = await fetch("/v1/vault/cookies", { token: creator.token, json });
    const cookies = `/v1/vault/cookies/${made.body.id}`;
    const users = await fetch(`${cookies}/users`, { token });
    assert.deepEqual(
      users.body.map((u: Record<string, unknown>) => [u["id"], u["roles"], u["inheritedFrom"]]),
      [
        [id, ["owner"], project.id],
        [creator.id, ["editor"], project.id],
      ],
    );
    const give = { token: creator.token, json: { userId: stranger.id, roles: ["owner"] } };
    assert.equal((await fetch(`${cookies}/users`, give)).status, 403);
    const off = await fetch(`${cookies}/users/${creator.id}`, { method: "DELETE", token });
    assert.equal(off.status, 409, "inherited roles are removed where they come from");
    await fetch(`${path}/users/${creator.id}`, { method: "DELETE", token });
    assert.equal((await fetch(cookies, { token: creator.token })).status, 404);
  });

  it("a user who moves a project out of its organization becomes its owner", async () => {
    const { token } = await newUser();
    const [owner] = [await newUser()];
    const organizationId = await newOrganization(token);
    await share(`/v1/vault/organizations/${organizationId}`, token, owner.id, ["owner"]);
    const project = await newProject(token, { organizationId });
    const path = `/v1/vault/projects/${project.id}`;
    const out = await fetch(path, {
      token: owner.token,
      method: "PATCH",
      json: { organizationId: null },
    });
    assert.equal(out.status, 200, JSON.stringify(out.body));
    assert.equal((await fetch(path, { token: owner.token })).status, 200);
  });
});

describe("creation concurrent with a change of the parent", () => {
  const rounds = [1, 2, 3, 4, 5];
  const makeMany = (token: string, path: string, json: object) =>
    Array.from({ length: 6 }, () => fetch(path, { token, json }));

  it("never leaves a configuration in an organization that its project has left", async () => {
    const { token } = await newUser();
    const member = await newUser();
    const organizationId = await newOrganization(token);
    await share(`/v1/vault/organizations/${organizationId}`, token, member.id, ["editor"]);
    for (const _ of rounds) {
      const project = await newProject(token, { organizationId });
      const path = `/v1/vault/projects/${project.id}`;
      const [moved, ...made] = await Promise.all([
        fetch(path, { token, method: "PATCH", json: { organizationId: null } }),
        ...makeMany(token, "/v1/vault/cookies", { projectId: project.id }),
      ]);
      assert.equal(moved.status, 200);
      for (const { status, body } of made) {
        assert.equal(status, 201);
        const read = await fetch(`/v1/vault/cookies/${body.id}`, { token: member.token });
        assert.equal(read.status, 404);
      }
    }
  });

  it("leaves nothing under a project that is deleted concurrently", async () => {
    const { token } = await newUser();
    for (const _ of rounds) {
      const project = await newProject(token);
      const path = `/v1/vault/projects/${project.id}?confirm=${project.id}`;
      const [gone, ...made] = await Promise.all([
        fetch(path, { token, method: "DELETE" }),
        ...makeMany(token, "/v1/vault/cookies", { projectId: project.id }),
      ]);
      assert.equal(gone.status, 204);
      for (const { status, body } of made) {
        if (status !== 201) assert.ok(isRefused(status), String(status));
        else assert.equal((await fetch(`/v1/vault/cookies/${body.id}`, { token })).status, 404);
      }
    }
  });

  it("deletes an organization, or gives it projects, but not both", async () => {
    const { token } = await newUser();
    for (const _ of rounds) {
      const organizationId = await newOrganization(token);
      const path = `/v1/vault/organizations/${organizationId}`;
      const json = { websiteURL: "https://a.example", title: "A", organizationId };
      const [gone, ...made] = await Promise.all([
        fetch(path, { token, method: "DELETE" }),
        ...makeMany(token, "/v1/vault/projects", json),
      ]);
      const count = made.filter(({ status }) => status === 201).length;
      assert.ok(gone.status === 204 ? count === 0 : gone.status === 409, `${gone.status} ${count}`);
    }
  });
});

describe("limits", () => {
  it("two versions whose lists have nothing in common are compared quickly", async () => {
    const { token, project } = await newOwner();
    const numbers = Array.from({ length: 20_000 }, (_, n) => n);
    const json = { projectId: project.id, x: numbers };
    const made = await fetch("/v1/vault/cookies", { token, json });
    const path = `/v1/vault/cookies/${made.body.id}`;
    await fetch(path, { method: "PUT", token, json: { ...json, x: numbers.map((n) => -n - 1) } });
    const diff = await fetch(`${path}/versions/1/diff/2`, { token });
    assert.equal(diff.body.length, 20_000);
  });

  it("a text that no pattern can match is rejected unread, however long", async () => {
    const { token, project } = await newOwner();
    const websiteURL = `http://${"a".repeat(900_000)} `;
    const answer = await fetch("/v1/vault/projects", { token, json: { websiteURL, title: "A" } });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors[0].path, "/websiteURL");
    const contract = { projectId: project.id, file: websiteURL };
    assert.equal((await fetch("/v1/vault/contracts", { token, json: contract })).status, 400);
  });

  it("a page of more than 16 MiB is rejected with advice", async () => {
    const { token, project } = await newOwner();
    const json = { projectId: project.id, large: "x".repeat(900_000) };
    for (let n = 0; n < 19; n += 1) await fetch("/v1/vault/contracts", { token, json });
    const all = await fetch("/v1/vault/contracts", { token });
    assert.equal(all.status, 422);
    assert.equal(all.body.errors[0].path, "?perPage");
    assert.equal((await fetch("/v1/vault/contracts?perPage=10", { token })).body.length, 10);
  });

  it("a URL that a browser would run as a script is rejected in every field", async () => {
    const { token, project } = await newOwner();
    const bad = [
      "javascript:alert(1)",
      "data:text/html,x",
      "java\tscript:alert(1)",
      " javascript:x",
    ];
    for (const address of bad) {
      const step = { name: "a", layout: "category", image: address };
      const vendors = [{ name: "v", image: address }];
      const steps = [step, { name: "b", layout: "category", vendors }];
      const cookies = await fetch("/v1/vault/cookies", {
        token,
        json: { projectId: project.id, steps },
      });
      assert.deepEqual(
        cookies.body.errors?.map((e: { path: string }) => e.path),
        ["/steps/0/image", "/steps/1/vendors/0/image"],
        address,
      );
      const processing = {
        projectId: project.id,
        picture: address,
        processors: [{ website: address }],
      };
      const answer = await fetch("/v1/vault/processings", { token, json: processing });
      assert.equal(answer.status, 400, address);
    }
    for (const image of ["cookie-bienvenue", "https://a.example/x.png", "icons/a b.svg", ""]) {
      const steps = [{ name: "a", layout: "category", image }];
      const json = { projectId: project.id, steps };
      assert.equal((await fetch("/v1/vault/cookies", { token, json })).status, 201, image);
    }
  });
});
