import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch, newUser, newProject, newOwner } = service;

describe("specification, Project", () => {
  it("requires websiteURL and title on creation, and nothing else", async () => {
    const { token } = await newUser();
    const { status, body } = await fetch("/v1/vault/projects", { token, json: {} });
    assert.equal(status, 400);
    assert.deepEqual(body.errors.map((e: { path: string }) => e.path).toSorted(), [
      "/title",
      "/websiteURL",
    ]);
  });

  it("requires an http or https address as websiteURL", async () => {
    const { token } = await newUser();
    for (const websiteURL of [
      "javascript:alert(1)",
      "ftp://a.example",
      "a.example",
      "http://",
      "https:// a",
      "https://user:password@a.example/",
      "https://a.example@evil.example",
    ]) {
      const { status, body } = await fetch("/v1/vault/projects", {
        token,
        json: { websiteURL, title: "A" },
      });
      assert.equal(status, 400, websiteURL);
      assert.equal(body.errors[0].path, "/websiteURL");
    }
  });

  it("accepts name for title, and returns both", async () => {
    const { token } = await newUser();
    const { status, body } = await fetch("/v1/vault/projects", {
      token,
      json: { websiteURL: "https://a.example", name: "Named" },
    });
    assert.equal(status, 201);
    assert.equal(body.title, "Named");
    assert.equal(body.name, "Named");
  });

  it("has an optional organization id, which must be visible to the caller", async () => {
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
    const { token, project } = await newOwner();
    return fetch("/v1/vault/cookies", { token, json: { projectId: project.id, ...fields } });
  };

  it("require a working project: an unknown or foreign projectId is 422, a missing one 400", async () => {
    const { token } = await newUser();
    const { project } = await newOwner();
    const missing = await fetch("/v1/vault/cookies", { token, json: {} });
    assert.equal(missing.status, 400);
    assert.deepEqual(missing.body.errors, [{ path: "/projectId", message: "is required" }]);
    for (const projectId of ["f".repeat(24), project.id]) {
      const { status, body } = await fetch("/v1/vault/cookies", { token, json: { projectId } });
      assert.equal(status, 422);
      assert.equal(body.errors[0].path, "/projectId");
    }
  });

  it("keep steps, strings, consentWidgetStrings and settings", async () => {
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

  it("have unique step names", async () => {
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

  it("have a layout of welcome, category, info, iab, soft_consent", async () => {
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
    it(`with layout ${layout} are rejected on the free tier: 422 naming the step`, async () => {
      const { status, body } = await create({ steps: [{ name: "pay", layout }] });
      assert.equal(status, 422);
      assert.equal(body.errors[0].path, "/steps/0/layout");
      assert.match(body.errors[0].message, /the step pay/);
    });

  it("with layout welcome have no vendors", async () => {
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

  it("have a timeout in milliseconds over 0, only for layouts soft_consent and info", async () => {
    const wrongLayout = await create({ steps: [{ ...step, timeout: 500 }] });
    assert.equal(wrongLayout.status, 400);
    assert.equal(wrongLayout.body.errors[0].path, "/steps/0/timeout");
    for (const timeout of [0, -1, "500"]) {
      const { status, body } = await create({ steps: [{ name: "a", layout: "info", timeout }] });
      assert.equal(status, 400);
      assert.equal(body.errors[0].path, "/steps/0/timeout");
    }
  });

  it("have slugs as vendor names, unique in the configuration", async () => {
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

  it("accept a string in vendors as the id of a visible vault vendor, and warn about other ids", async () => {
    const { token, project } = await newOwner();
    const stranger = await newUser();
    const vendor = await fetch("/v1/vault/vendors", { token, json: { name: "ga", title: "GA" } });
    const foreign = await fetch("/v1/vault/vendors", {
      token: stranger.token,
      json: { name: "x" },
    });
    const post = (vendors: unknown[]) =>
      fetch("/v1/vault/cookies", {
        token,
        json: { projectId: project.id, steps: [{ ...step, vendors }] },
      });
    const known = await post([vendor.body.id]);
    assert.equal(known.status, 201);
    assert.equal(known.body.warnings, undefined);
    const catalogue = "5e5fb4a5a5a5a5a5a5a5a5a5";
    const vendors = [foreign.body.id, "a catalogue/9", { _id: catalogue, title: "A" }, { id: 755 }];
    const { status, body } = await post(vendors);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(body.steps[0].vendors, vendors);
    const warnings: { path: string; message: string }[] = body.warnings;
    assert.deepEqual(
      warnings.map(({ path, message }) => [path, message.split(" is no vendor")[0]]),
      [
        ["/steps/0/vendors/0", foreign.body.id],
        ["/steps/0/vendors/1", "a catalogue/9"],
        ["/steps/0/vendors/2", catalogue],
        ["/steps/0/vendors/3", "755"],
      ],
    );
  });

  it("reject vendors without a name and an id, and check the fields of those with an id", async () => {
    const faultsOf = async (vendor: unknown) => {
      const { status, body } = await create({ steps: [{ ...step, vendors: [vendor] }] });
      assert.equal(status, 400, JSON.stringify(body));
      return body.errors.map(({ path }: { path: string }) => path);
    };
    const at = "/steps/0/vendors/0";
    assert.deepEqual(await faultsOf({ title: "A" }), [`${at}/name`]);
    assert.deepEqual(await faultsOf({ _id: "" }), [`${at}/name`]);
    assert.deepEqual(await faultsOf({ _id: "x", name: "not a slug" }), [`${at}/name`]);
    const scripted = await faultsOf({ _id: "x", policyUrl: "javascript:alert(1)" });
    assert.ok(scripted.includes(`${at}/policyUrl`), scripted.join());
    assert.deepEqual(await faultsOf(""), [at]);
  });

  it("are rejected with all errors at once", async () => {
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

  it("stay in their project", async () => {
    const { token, project } = await newOwner();
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
  it("keep every field of the table (processing)", async () => {
    const { token, project } = await newOwner();
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

  it("have primary or default buttons' color and storageDuration of 0 or more; automatedDecisions requires contact and details", async () => {
    const { token, project } = await newOwner();
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

  it("keep every field of the table (contract); file is an http(s) URL or an asset id", async () => {
    const { token, project } = await newOwner();
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

  it("have sanitized HTML, and a response that lists what was removed", async () => {
    const { token, project } = await newOwner();
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
