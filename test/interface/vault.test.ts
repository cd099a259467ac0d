import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { resources } from "../../server/modules/vault/resources.ts";

const { fetch, newUser, newProject } = service;

async function makeOwner() {
  const user = await newUser();
  const project = await newProject(user.token);
  return { ...user, project };
}

describe("specification, Vault: a generic document store", () => {
  it("POST /v1/vault/{resource}: the body is sent directly, the created document comes back", async () => {
    const { token } = await newUser();
    const json = { websiteURL: "https://a.example/", title: "A", colors: { main: "#fff" } };
    const { status, body, headers } = await fetch("/v1/vault/projects", { token, json });
    assert.equal(status, 201);
    assert.equal(body.title, "A");
    assert.equal(body.websiteURL, "https://a.example/");
    assert.deepEqual(body.colors, { main: "#fff" });
    assert.match(body._id, /^[0-9a-f]{24}$/);
    assert.equal(headers.get("location"), body.links.self);
    assert.ok(headers.get("etag"));
  });

  it("a document answer is flat: its fields beside _id, id, createdAt, createdBy, updatedAt, updatedBy, version, links", async () => {
    const { token, id, project } = await makeOwner();
    assert.equal(project["id"], project["_id"]);
    assert.equal(project["version"], 1);
    assert.equal(project["createdBy"], id);
    assert.equal(project["updatedBy"], id);
    assert.match(String(project["createdAt"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { body } = await fetch(`/v1/vault/projects/${project.id}`, { token });
    assert.deepEqual(body, project);
    assert.deepEqual(body.metadata, {});
  });

  it("document ids are time-ordered: seconds since 1970 first", async () => {
    const { project } = await makeOwner();
    const seconds = Number.parseInt(project.id.slice(0, 8), 16);
    assert.ok(Math.abs(seconds - service.clock.now().getTime() / 1000) < 30);
  });

  it("GET /v1/vault/{resource}: documents; GET …/{documentId}: the document", async () => {
    const { token, project } = await makeOwner();
    const list = await fetch("/v1/vault/projects", { token });
    assert.equal(list.status, 200);
    assert.deepEqual(
      list.body.map((p: { id: string }) => p.id),
      [project.id],
    );
  });

  it("PUT replaces: what is not sent is gone, unknown fields are kept as they came", async () => {
    const { token, project } = await makeOwner();
    const path = `/v1/vault/projects/${project.id}`;
    await fetch(path, { method: "PATCH", token, json: { fonts: { body: "serif" } } });
    const json = { websiteURL: "https://b.example", title: "B", weird: { a: [1, null, "é"] } };
    const { status, body } = await fetch(path, { method: "PUT", token, json });
    assert.equal(status, 200);
    assert.equal(body.fonts, undefined);
    assert.deepEqual(body.weird, { a: [1, null, "é"] });
    assert.equal(body.version, 3);
  });

  it("PATCH is an RFC 7396 merge patch: null removes, objects merge", async () => {
    const { token, project } = await makeOwner();
    const path = `/v1/vault/projects/${project.id}`;
    await fetch(path, { method: "PATCH", token, json: { colors: { main: "#111", alt: "#222" } } });
    const { body } = await fetch(path, {
      method: "PATCH",
      token,
      json: { colors: { main: null } },
    });
    assert.deepEqual(body.colors, { alt: "#222" });
    const bad = await fetch(path, { method: "PATCH", token, json: { title: null } });
    assert.equal(bad.status, 400);
    assert.deepEqual(bad.body.errors, [{ path: "/title", message: "is required" }]);
  });

  it("DELETE of a configuration is 204, then it is 404", async () => {
    const { token, project } = await makeOwner();
    const made = await fetch("/v1/vault/contracts", { token, json: { projectId: project.id } });
    const path = `/v1/vault/contracts/${made.body.id}`;
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 204);
    assert.equal((await fetch(path, { token })).status, 404);
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 404);
  });

  it("DELETE of a project asks for ?confirm={id} and takes its configurations along", async () => {
    const { token, project } = await makeOwner();
    const cookies = await fetch("/v1/vault/cookies", { token, json: { projectId: project.id } });
    const path = `/v1/vault/projects/${project.id}`;
    const unconfirmed = await fetch(path, { method: "DELETE", token });
    assert.equal(unconfirmed.status, 400);
    assert.equal(unconfirmed.body.errors[0].path, "?confirm");
    assert.equal(
      (await fetch(`${path}?confirm=${project.id}`, { method: "DELETE", token })).status,
      204,
    );
    assert.equal((await fetch(path, { token })).status, 404);
    assert.equal((await fetch(`/v1/vault/cookies/${cookies.body.id}`, { token })).status, 404);
  });

  it("answers {base_url}/vault/… and {base_url}/v1/vault/… alike, with or without a trailing slash", async () => {
    const { token, project } = await makeOwner();
    for (const path of ["/vault/projects", "/v1/vault/projects/", "/vault/projects/"]) {
      const { status, body } = await fetch(path, { token });
      assert.equal(status, 200, path);
      assert.equal(body[0].id, project.id);
    }
    assert.equal((await fetch(`/vault/projects/${project.id}`, { token })).body.id, project.id);
  });

  it("service fields in a request body are ignored", async () => {
    const { token, id } = await newUser();
    const json = {
      websiteURL: "https://a.example",
      title: "A",
      _id: "0".repeat(24),
      version: 99,
      createdBy: "somebody",
      active: true,
      billing: { subscription: "active" },
      metadata: { lastPublishedAt: "2020-01-01T00:00:00.000Z" },
    };
    const { body } = await fetch("/v1/vault/projects", { token, json });
    assert.notEqual(body._id, json._id);
    assert.equal(body.version, 1);
    assert.equal(body.createdBy, id);
    assert.equal(body.active, false);
    assert.deepEqual(body.metadata, {});
    assert.equal(body.billing.subscription, "none");
  });
});

describe("specification, Project", () => {
  it("websiteURL and title are required on creation, and nothing else", async () => {
    const { token } = await newUser();
    const { status, body } = await fetch("/v1/vault/projects", { token, json: {} });
    assert.equal(status, 400);
    assert.deepEqual(body.errors.map((e: { path: string }) => e.path).toSorted(), [
      "/title",
      "/websiteURL",
    ]);
  });

  it("websiteURL is an http or https address", async () => {
    const { token } = await newUser();
    for (const websiteURL of [
      "javascript:alert(1)",
      "ftp://a.example",
      "a.example",
      "http://",
      "https:// a",
    ]) {
      const { status, body } = await fetch("/v1/vault/projects", {
        token,
        json: { websiteURL, title: "A" },
      });
      assert.equal(status, 400, websiteURL);
      assert.equal(body.errors[0].path, "/websiteURL");
    }
  });

  it("name is accepted for title and answered beside it", async () => {
    const { token } = await newUser();
    const { status, body } = await fetch("/v1/vault/projects", {
      token,
      json: { websiteURL: "https://a.example", name: "Named" },
    });
    assert.equal(status, 201);
    assert.equal(body.title, "Named");
    assert.equal(body.name, "Named");
  });

  it("organization id is optional; an organization must be one that the caller may see", async () => {
    const { token } = await newUser();
    const stranger = await newUser();
    const organization = await fetch("/v1/vault/organizations", { token, json: { name: "Org" } });
    const mine = await newProject(token, { organizationId: organization.body.id });
    assert.equal(mine["organizationId"], organization.body.id);
    const json = {
      websiteURL: "https://a.example",
      title: "A",
      organizationId: organization.body.id,
    };
    const foreign = await fetch("/v1/vault/projects", { token: stranger.token, json });
    assert.equal(foreign.status, 422);
    assert.equal(foreign.body.errors[0].path, "/organizationId");
  });
});

describe("specification, Cookie configuration and Step", () => {
  const step = { name: "a", layout: "category" };
  const create = async (fields: Record<string, unknown>) => {
    const { token, project } = await makeOwner();
    return fetch("/v1/vault/cookies", { token, json: { projectId: project.id, ...fields } });
  };

  it("a working project is required: an unknown or foreign projectId is 422, a missing one 400", async () => {
    const { token } = await newUser();
    const { project } = await makeOwner();
    const missing = await fetch("/v1/vault/cookies", { token, json: {} });
    assert.equal(missing.status, 400);
    assert.deepEqual(missing.body.errors, [{ path: "/projectId", message: "is required" }]);
    for (const projectId of ["f".repeat(24), project.id]) {
      const { status, body } = await fetch("/v1/vault/cookies", { token, json: { projectId } });
      assert.equal(status, 422);
      assert.equal(body.errors[0].path, "/projectId");
    }
  });

  it("keeps steps, strings, consentWidgetStrings and settings", async () => {
    const fields = {
      steps: [
        {
          ...step,
          title: "T",
          topTitle: "TT",
          subTitle: "S",
          message: "<p>Hé</p>",
          image: "img",
          showToggleAllSwitch: true,
          strings: { ok: "Yes" },
          vendors: [{ name: "ga", title: "GA" }],
        },
      ],
      strings: { a: "b" },
      consentWidgetStrings: { c: "d" },
      settings: { e: true },
    };
    const { status, body } = await create(fields);
    assert.equal(status, 201, JSON.stringify(body));
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(body[name], value);
  });

  it("step name is a unique identifier", async () => {
    const { status, body } = await create({ steps: [step, step] });
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map((e: { path: string }) => e.path),
      ["/steps/1/name"],
    );
    assert.equal(
      (await create({ steps: [{ layout: "category" }] })).body.errors[0].path,
      "/steps/0/name",
    );
  });

  it("layout is one of welcome, category, info, iab, soft_consent", async () => {
    const { status, body } = await create({ steps: [{ name: "a", layout: "popup" }] });
    assert.equal(status, 400);
    assert.deepEqual(body.errors, [
      {
        path: "/steps/0/layout",
        message: "must be one of welcome, category, info, iab, soft_consent",
      },
    ]);
  });

  for (const layout of ["info", "iab", "soft_consent"])
    it(`layout ${layout} is not available on the free tier: 422 naming the step`, async () => {
      const { status, body } = await create({ steps: [{ name: "pay", layout }] });
      assert.equal(status, 422);
      assert.equal(body.errors[0].path, "/steps/0/layout");
      assert.match(body.errors[0].message, /the step pay/);
    });

  it("vendors are not compatible with layout welcome", async () => {
    const { status, body } = await create({
      steps: [{ name: "a", layout: "welcome", vendors: [{ name: "x" }] }],
    });
    assert.equal(status, 400);
    assert.equal(body.errors[0].path, "/steps/0/vendors");
    assert.equal(
      (await create({ steps: [{ name: "a", layout: "welcome", vendors: [] }] })).status,
      201,
    );
  });

  it("timeout is milliseconds over 0, only for layouts soft_consent and info", async () => {
    const wrongLayout = await create({ steps: [{ ...step, timeout: 500 }] });
    assert.equal(wrongLayout.status, 400);
    assert.equal(wrongLayout.body.errors[0].path, "/steps/0/timeout");
    for (const timeout of [0, -1, "500"]) {
      const { status, body } = await create({ steps: [{ name: "a", layout: "info", timeout }] });
      assert.equal(status, 400);
      assert.equal(body.errors[0].path, "/steps/0/timeout");
    }
  });

  it("vendor names are slugs, unique in the configuration", async () => {
    const twice = await create({
      steps: [
        { ...step, vendors: [{ name: "ga" }] },
        { ...step, name: "b", vendors: [{ name: "ga" }] },
      ],
    });
    assert.equal(twice.status, 400);
    assert.deepEqual(
      twice.body.errors.map((e: { path: string }) => e.path),
      ["/steps/1/vendors/0/name"],
    );
    const spaced = await create({ steps: [{ ...step, vendors: [{ name: "not a slug" }] }] });
    assert.equal(spaced.status, 400);
    assert.equal(spaced.body.errors[0].path, "/steps/0/vendors/0/name");
  });

  it("a string in vendors stands for the id of a vault vendor, which has to be visible", async () => {
    const { token, project } = await makeOwner();
    const stranger = await newUser();
    const vendor = await fetch("/v1/vault/vendors", { token, json: { name: "ga", title: "GA" } });
    const foreign = await fetch("/v1/vault/vendors", {
      token: stranger.token,
      json: { name: "x" },
    });
    const post = (vendors: string[]) =>
      fetch("/v1/vault/cookies", {
        token,
        json: { projectId: project.id, steps: [{ ...step, vendors }] },
      });
    assert.equal((await post([vendor.body.id])).status, 201);
    const { status, body } = await post([foreign.body.id]);
    assert.equal(status, 422);
    assert.equal(body.errors[0].path, "/steps/0/vendors/0");
  });

  it("all faults are told at once", async () => {
    const { body } = await create({
      steps: [{ layout: "nope", timeout: "x" }, 7],
      isDefault: "yes",
    });
    const at = new Set(body.errors.map((e: { path: string }) => e.path));
    for (const path of [
      "/steps/0/name",
      "/steps/0/layout",
      "/steps/0/timeout",
      "/steps/1",
      "/isDefault",
    ])
      assert.ok(at.has(path), path);
  });

  it("a configuration stays in its project", async () => {
    const { token, project } = await makeOwner();
    const other = await newProject(token);
    const made = await fetch("/v1/vault/cookies", { token, json: { projectId: project.id } });
    const moved = await fetch(`/v1/vault/cookies/${made.body.id}`, {
      method: "PUT",
      token,
      json: { projectId: other.id },
    });
    assert.equal(moved.status, 422);
  });
});

describe("specification, Processing and Contract", () => {
  it("a processing keeps every field of the table", async () => {
    const { token, project } = await makeOwner();
    const json = {
      projectId: project.id,
      title: "Newsletter",
      subTitle: "Once a month",
      picture: "https://shop.example/icon.svg",
      message: "<p>May we write to you?</p>",
      purpose: "Sending the newsletter",
      buttons: [
        { text: "Yes", color: "primary", value: true },
        { text: "No", color: "default", value: false },
      ],
      confirmations: {
        accept: { title: "Thanks", message: "<p>Done</p>", backButtonText: "Back" },
      },
      processors: [
        {
          name: "Mailer",
          shortDescription: "Sends",
          role: "processor",
          website: "https://mail.example",
        },
      ],
      personalDataTypes: ["e-mail address"],
      automatedDecisions: true,
      automatedDecisionsContact: "dpo@shop.example",
      automatedDecisionsDetails: "Segments",
      consentWithdraw: "Click unsubscribe",
      storageDuration: 36,
    };
    const { status, body } = await fetch("/v1/vault/processings", { token, json });
    assert.equal(status, 201, JSON.stringify(body));
    for (const [name, value] of Object.entries(json)) assert.deepEqual(body[name], value, name);
  });

  it("buttons' color is primary or default; storageDuration is 0 or more; automatedDecisions asks for contact and details", async () => {
    const { token, project } = await makeOwner();
    const post = (fields: object) =>
      fetch("/v1/vault/processings", { token, json: { projectId: project.id, ...fields } });
    assert.equal(
      (await post({ buttons: [{ text: "x", color: "red" }] })).body.errors[0].path,
      "/buttons/0/color",
    );
    assert.equal((await post({ storageDuration: -1 })).body.errors[0].path, "/storageDuration");
    const { body } = await post({ automatedDecisions: true });
    assert.deepEqual(
      body.errors.map((e: { path: string }) => e.path),
      ["/automatedDecisionsContact", "/automatedDecisionsDetails"],
    );
  });

  it("a contract keeps every field of the table; file is an http(s) URL or an asset id", async () => {
    const { token, project } = await makeOwner();
    const post = (fields: object) =>
      fetch("/v1/vault/contracts", { token, json: { projectId: project.id, ...fields } });
    const json = {
      file: "https://shop.example/terms.pdf",
      title: "Terms",
      subTitle: "of sale",
      name: "terms",
      message: "<b>Read</b>",
      idRequired: true,
      buttons: [{ text: "I agree", color: "primary", value: "yes" }],
    };
    const { body } = await post(json);
    for (const [name, value] of Object.entries(json)) assert.deepEqual(body[name], value, name);
    assert.equal((await post({ file: "a".repeat(24) })).status, 201);
    for (const file of ["javascript:alert(1)", "terms.pdf", 7])
      assert.equal((await post({ file })).body.errors[0].path, "/file", String(file));
  });

  it("HTML is cleaned on write, and the answer tells what was removed", async () => {
    const { token, project } = await makeOwner();
    const message = '<p onclick="steal()">Hi</p><script>alert(1)</script>';
    const { body } = await fetch("/v1/vault/contracts", {
      token,
      json: { projectId: project.id, message },
    });
    assert.equal(body.message, "<p>Hi</p>");
    assert.equal(body.warnings[0].path, "/message");
    assert.match(body.warnings[0].message, /script/);
    const again = await fetch(`/v1/vault/contracts/${body.id}`, { token });
    assert.equal(again.body.warnings, undefined);
  });
});

describe("wire section 2: rights", () => {
  it("POST …/users adds a user, GET lists, DELETE removes; the three ids are the user's", async () => {
    const { token, project } = await makeOwner();
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
    const { token, id, project } = await makeOwner();
    const path = `/v1/vault/projects/${project.id}/users`;
    assert.deepEqual((await fetch(path, { token })).body[0].roles, ["owner"]);
    assert.equal((await fetch(`${path}/${id}`, { method: "DELETE", token })).status, 409);
    assert.equal(
      (await fetch(path, { token, json: { userId: id, roles: ["viewer"] } })).status,
      409,
    );
  });

  it("an unknown user is 422 and neither userId nor email is 400", async () => {
    const { token, project } = await makeOwner();
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

  it("roles: what each of owner, editor, viewer and auditor may do", async () => {
    const { token, project } = await makeOwner();
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

  it("hides another user's document on every route and resource: 404, never 403", async () => {
    const { token, project } = await makeOwner();
    const stranger = await newUser();
    for (const resource of resources) {
      const json = {
        projectId: project.id,
        name: "x",
        websiteURL: "https://a.example",
        title: "A",
      };
      const made = await fetch(resource.path, { token, json });
      assert.equal(made.status, 201, `${resource.name} ${JSON.stringify(made.body)}`);
      const path = `${resource.path}/${made.body.id}`;
      const asStranger = { token: stranger.token };
      for (const [method, at, body] of [
        ["GET", path],
        ["PUT", path, json],
        ["PATCH", path, { a: 1 }],
        ["DELETE", `${path}?confirm=${made.body.id}`],
        ["GET", `${path}/users`],
        ["POST", `${path}/users`, { userId: stranger.id }],
        ["DELETE", `${path}/users/${stranger.id}`],
        ["GET", `${path}/versions`],
        ["GET", `${path}/versions/1`],
        ["GET", `${path}/versions/1/diff/1`],
        ["POST", `${path}/versions/1/restore`],
      ] as const) {
        const answer = await fetch(at, { ...asStranger, method, ...(body ? { json: body } : {}) });
        assert.equal(answer.status, 404, `${method} ${at}`);
        assert.equal(answer.body.type, "/problems/not-found");
      }
      assert.deepEqual((await fetch(resource.path, asStranger)).body, []);
    }
  });

  it("without a valid token every route is 403 with WWW-Authenticate, before anything else is looked at", async () => {
    const id = "0".repeat(24);
    for (const resource of resources)
      for (const [method, at] of [
        ["GET", resource.path],
        ["POST", resource.path],
        ["GET", `${resource.path}/${id}`],
        ["PUT", `${resource.path}/${id}`],
        ["PATCH", `${resource.path}/${id}`],
        ["DELETE", `${resource.path}/${id}`],
        ["POST", `${resource.path}/${id}/users`],
        ["GET", `${resource.path}/${id}/versions`],
      ] as const) {
        const body =
          method === "GET" || method === "DELETE"
            ? {}
            : { body: "not json", headers: { "content-type": "application/json" } };
        for (const token of [undefined, "wrong"]) {
          const answer = await fetch(at, { method, ...body, ...(token ? { token } : {}) });
          assert.equal(answer.status, 403, `${method} ${at}`);
          assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer/);
        }
      }
  });
});

describe("wire section 2: versions", () => {
  it("every write keeps the version before it: who, when, what; diff is RFC 6902; restore writes a new version", async () => {
    const { token, id, project } = await makeOwner();
    const path = `/v1/vault/projects/${project.id}`;
    await fetch(path, { method: "PATCH", token, json: { title: "Second" } });
    const { body: versions, headers } = await fetch(`${path}/versions`, { token });
    assert.deepEqual(
      versions.map((v: { version: number }) => v.version),
      [2, 1],
    );
    assert.equal(headers.get("x-total-count"), "2");
    assert.equal(versions[0].createdBy, id);
    assert.equal(versions[0].operation, "patch");
    const first = await fetch(`${path}/versions/1`, { token });
    assert.equal(first.body.document.title, "Shop");
    const diff = await fetch(`${path}/versions/1/diff/2`, { token });
    assert.deepEqual(diff.body, [{ op: "replace", path: "/title", value: "Second" }]);
    const restored = await fetch(`${path}/versions/1/restore`, { method: "POST", token });
    assert.equal(restored.status, 200);
    assert.equal(restored.body.title, "Shop");
    assert.equal(restored.body.version, 3);
    assert.equal((await fetch(`${path}/versions/9`, { token })).status, 404);
    assert.equal((await fetch(`${path}/versions/0`, { token })).status, 400);
  });
});
