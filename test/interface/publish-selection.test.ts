import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { getFile, newCookies, newSite, publish, publishAndWait } from "./publishing.ts";

const { fetch } = service;

/** A consent form with nothing that the law asks for. */
async function newBareForm(token: string, projectId: string): Promise<{ id: string }> {
  const json = { projectId, name: "bare", title: "Newsletter" };
  const { status, body } = await fetch("/v1/vault/processings", { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

async function patch(token: string, path: string, json: object): Promise<void> {
  const { status, body } = await fetch(path, { token, method: "PATCH", json });
  assert.equal(status, 200, JSON.stringify(body));
}

const namesOf = (list: { name: string }[]): string[] => list.map(({ name }) => name);

describe("a configuration with errors of the publish check", () => {
  it("is held back with its findings, and the others go live", async () => {
    const { token, project, cookies } = await newSite();
    const form = await newBareForm(token, project.id);
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Done", job.message);
    assert.deepEqual(job.published, [
      { collection: "cookies", identifier: cookies.id, name: "shop-en", version: 1 },
    ]);
    assert.deepEqual(job.unchanged, []);
    const [held, ...others] = job.heldBack;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [held.collection, held.identifier, held.name, held.version],
      ["processings", form.id, "bare", 1],
    );
    assert.ok(held.findings.length > 1);
    for (const { rule, path, message, fix } of held.findings)
      assert.ok(rule && message && fix && path.startsWith("/"), path);
    assert.ok(held.reason.startsWith(held.findings[0].message), held.reason);
    assert.equal(job.warnings.length, 1);
    assert.match(job.warnings[0].message, /“bare” is held back/);
    const { body: file } = await getFile(project.id);
    assert.deepEqual(namesOf(file.cookies), ["shop-en"]);
    assert.deepEqual(file.processings, []);
  });

  it("stays at its live version when a later change has errors", async () => {
    const { token, project, cookies } = await newSite();
    const other = await newCookies(token, project.id, { name: "other" });
    await publishAndWait(token, project.id);
    const { body: before } = await getFile(project.id);
    const steps = [{ name: "stats", layout: "category", vendors: ["0".repeat(24)] }];
    const path = `/v1/vault/cookies/${cookies.id}`;
    const { body: stored } = await fetch("/v1/vault/vendors", {
      token,
      json: { projectId: project.id, name: "matomo", title: "Matomo" },
    });
    await patch(token, path, { title: "Broken", steps: [{ ...steps[0], vendors: [stored.id] }] });
    await fetch(`/v1/vault/vendors/${stored.id}`, { token, method: "DELETE" });
    await patch(token, `/v1/vault/cookies/${other.id}`, { title: "Other" });
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Done", job.message);
    assert.deepEqual(namesOf(job.published), ["other"]);
    assert.deepEqual(namesOf(job.heldBack), ["shop-en"]);
    assert.equal(job.heldBack[0].version, 2);
    const { body: after } = await getFile(project.id);
    assert.deepEqual(after.cookies[0], before.cookies[0]);
    assert.equal(after.cookies[1].title, "Other");
  });

  it("is listed by the check before the publication", async () => {
    const { token, project } = await newSite();
    await newBareForm(token, project.id);
    const { body } = await fetch(`/v1/publish/projects/${project.id}/check`, { token });
    assert.deepEqual([namesOf(body.heldBack), body.blocked], [["bare"], false]);
  });

  it("fails the job with strict, and what is live stays live", async () => {
    const { token, project } = await newSite();
    await publishAndWait(token, project.id);
    const { body: before } = await getFile(project.id);
    await newBareForm(token, project.id);
    await patch(token, `/v1/vault/projects/${project.id}`, { title: "New" });
    const job = await publishAndWait(token, project.id, { strict: true });
    assert.deepEqual([job.status, job.step, job.strict], ["Error", "limits", true]);
    assert.deepEqual(namesOf(job.heldBack), ["bare"]);
    assert.deepEqual((await getFile(project.id)).body, before);
  });

  it("fails the job at limits when nothing of what was asked can be published", async () => {
    const { token, project } = await newSite();
    const form = await newBareForm(token, project.id);
    const job = await publishAndWait(token, project.id, { processings: [form.id] });
    assert.deepEqual([job.status, job.step], ["Error", "limits"]);
    assert.match(job.message, /Fix the errors and publish again/);
    assert.equal((await getFile(project.id)).status, 404);
  });

  it("is published with force, unless it uses a vendor that does not exist", async () => {
    const { token, project, cookies } = await newSite();
    await newBareForm(token, project.id);
    const { body: vendor } = await fetch("/v1/vault/vendors", {
      token,
      json: { projectId: project.id, name: "matomo", title: "Matomo" },
    });
    const steps = [{ name: "stats", layout: "category", vendors: [vendor.id] }];
    await newCookies(token, project.id, { name: "gone", steps });
    await fetch(`/v1/vault/vendors/${vendor.id}`, { token, method: "DELETE" });
    const job = await publishAndWait(token, project.id, { force: true });
    assert.equal(job.status, "Done", job.message);
    assert.deepEqual(namesOf(job.published), ["bare", "shop-en"].toSorted().toReversed());
    assert.deepEqual(namesOf(job.heldBack), ["gone"]);
    assert.equal(job.heldBack[0].findings[0].rule, "unknown-vendor");
    assert.equal(job.heldBack[0].findings[0].path, "/steps/0/vendors/0");
    assert.ok(job.overridden.errors > 0);
    void cookies;
  });
});

describe("a publication of a selection", () => {
  it("leaves what it does not name at its live version, the project's own part as well", async () => {
    const { token, project, cookies } = await newSite();
    const other = await newCookies(token, project.id, { name: "other", title: "Other" });
    await publishAndWait(token, project.id);
    const { body: before } = await getFile(project.id);
    await patch(token, `/v1/vault/cookies/${cookies.id}`, { title: "First" });
    await patch(token, `/v1/vault/cookies/${other.id}`, { title: "Second" });
    await patch(token, `/v1/vault/projects/${project.id}`, {
      title: "New",
      colors: { main: "#000000" },
    });
    const job = await publishAndWait(token, project.id, { cookies: [other.id] });
    assert.equal(job.status, "Done", job.message);
    assert.deepEqual(job.services, ["cookies"]);
    assert.deepEqual(job.cookies, [other.id]);
    assert.deepEqual(namesOf(job.published), ["other"]);
    assert.deepEqual([job.unchanged, job.heldBack], [[], []]);
    const { body: after } = await getFile(project.id);
    assert.deepEqual(after.cookies[0], before.cookies[0]);
    assert.equal(after.cookies[1].title, "Second");
    assert.deepEqual([after.projectName, after.client], [before.projectName, before.client]);
    const rest = await publishAndWait(token, project.id, { services: ["project"] });
    assert.equal(rest.status, "Done", rest.message);
    const { body: last } = await getFile(project.id);
    assert.deepEqual([last.projectName, last.cookies], ["New", after.cookies]);
  });

  it("publishes the whole of a service that is named without ids, and removes what was deleted from it", async () => {
    const { token, project, cookies } = await newSite();
    const other = await newCookies(token, project.id, { name: "other" });
    await publishAndWait(token, project.id);
    await fetch(`/v1/vault/cookies/${other.id}`, { token, method: "DELETE" });
    await patch(token, `/v1/vault/cookies/${cookies.id}`, { title: "First" });
    const job = await publishAndWait(token, project.id, { services: ["cookies"], processings: [] });
    assert.deepEqual(job.services, ["cookies"]);
    assert.deepEqual(namesOf(job.published), ["shop-en"]);
    const { body: file } = await getFile(project.id);
    assert.deepEqual(namesOf(file.cookies), ["shop-en"]);
  });

  it("ends as the same version when the selection has no change", async () => {
    const { token, project, cookies } = await newSite();
    const first = await publishAndWait(token, project.id);
    await patch(token, `/v1/vault/projects/${project.id}`, { title: "New" });
    const job = await publishAndWait(token, project.id, { services: ["cookies"] });
    assert.deepEqual([job.sameVersion, job.version], [true, first.version]);
    assert.deepEqual(namesOf(job.unchanged), ["shop-en"]);
    assert.equal(job.unchanged[0].identifier, cookies.id);
  });

  it("publishes only what is named the first time, with the project's own part", async () => {
    const { token, project } = await newSite();
    const other = await newCookies(token, project.id, { name: "other" });
    const job = await publishAndWait(token, project.id, { cookies: [other.id] });
    assert.equal(job.status, "Done", job.message);
    const { body: file } = await getFile(project.id);
    assert.deepEqual(namesOf(file.cookies), ["other"]);
    assert.equal(file.projectName, project["title"]);
  });

  it("rejects a selection of nothing, which is no publication of everything", async () => {
    const { token, project } = await newSite();
    for (const json of [{ services: [] }, { cookies: [] }, { services: [], processings: [] }]) {
      const at = `/v1/publish/jobs/${project.id}`;
      const { status, body } = await fetch(at, { token, json });
      assert.deepEqual([status, body.errors[0].path], [400, "/services"], JSON.stringify(json));
    }
  });

  it("rejects an unknown service and an id that is no configuration of the project", async () => {
    const { token, project, cookies } = await newSite();
    const stranger = await newSite();
    const bodies = [
      [{ services: ["vendors"] }, "services/0"],
      [{ cookies: [stranger.cookies.id] }, "cookies"],
      [{ processings: [cookies.id] }, "processings"],
      [{ cookies: ["shop-en"] }, "cookies/0"],
    ] as const;
    for (const [json, path] of bodies) {
      const { status, body } = await publish(token, project.id, json);
      assert.equal(status, 400, JSON.stringify(body));
      assert.ok(
        body.errors.some((one: { path: string }) => one.path.replace(/^\//, "") === path),
        JSON.stringify(body.errors),
      );
    }
  });

  it("is 409 while a job of another selection waits or runs, and the same job for the same selection", async () => {
    const { token, project, cookies } = await newSite();
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    const json = { publishAt, services: ["cookies"] };
    const first = await publish(token, project.id, json);
    const again = await publish(token, project.id, json);
    assert.deepEqual([again.status, again.body.id], [202, first.body.id]);
    const other = await publish(token, project.id, { publishAt, cookies: [cookies.id] });
    assert.equal(other.status, 409);
  });
});

describe("POST /v1/publish/projects/{id}:unpublish", () => {
  it("unpublishes a project, as DELETE does", async () => {
    const { token, project } = await newSite();
    await publishAndWait(token, project.id);
    const path = `/v1/publish/projects/${project.id}:unpublish`;
    assert.equal((await fetch(path, { method: "POST", token })).status, 204);
    const { body } = await fetch(`/v1/vault/projects/${project.id}`, { token });
    assert.equal(body.active, false);
  });

  it("is 404 for a stranger", async () => {
    const [{ project }, stranger] = [await newSite(), await newSite()];
    const path = `/v1/publish/projects/${project.id}:unpublish`;
    assert.equal((await fetch(path, { method: "POST", token: stranger.token })).status, 404);
  });
});
