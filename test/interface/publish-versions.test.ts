import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import {
  getFile,
  newCookies,
  newSite,
  publishAndWait,
  waitForJob,
  changeProject,
} from "./publishing.ts";

const { fetch } = service;

describe("wire section 3, versions", () => {
  it("lists published versions by GET /v1/publish/projects/{projectId}/versions, newest first", async () => {
    const { token, project, id } = await newSite();
    const first = await publishAndWait(token, project.id);
    await changeProject(token, project.id);
    const second = await publishAndWait(token, project.id);
    const { status, body, headers } = await fetch(`/v1/publish/projects/${project.id}/versions`, {
      token,
    });
    assert.equal(status, 200);
    assert.equal(headers.get("x-total-count"), "2");
    assert.deepEqual(
      body.map((v: Record<string, unknown>) => [
        v["version"],
        v["live"],
        v["hash"],
        v["jobId"],
        v["publishedBy"],
      ]),
      [
        [2, true, second.hash, second.id, id],
        [1, false, first.hash, first.id, id],
      ],
    );
    assert.equal(
      body[1].links.rollback,
      `${service.url}/v1/publish/projects/${project.id}/versions/1/rollback`,
    );
  });

  it("puts an earlier version live as a new job by POST .../versions/{n}/rollback", async () => {
    const { token, project } = await newSite();
    const first = await publishAndWait(token, project.id);
    const { body: before } = await getFile(project.id);
    await newCookies(token, project.id, { name: "second" });
    await publishAndWait(token, project.id);
    const path = `/v1/publish/projects/${project.id}/versions/1/rollback`;
    const { status, body } = await fetch(path, { method: "POST", token });
    assert.equal(status, 202);
    assert.notEqual(body.id, first.id);
    assert.equal(body.rollbackOf, 1);
    const job = await waitForJob(token, body);
    assert.equal(job.version, 3);
    const { body: after } = await getFile(project.id);
    const own = { publishedAt: after.publishedAt, version: 3, jobId: job.id, hash: job.hash };
    assert.deepEqual(after, { ...before, ...own });
    assert.deepEqual(
      job.steps.map((step: { status: string }) => step.status),
      Array(6).fill("Done"),
    );
  });

  it("returns 404 for a rollback to an unknown version", async () => {
    const { token, project } = await newSite();
    await publishAndWait(token, project.id);
    const path = (version: string) =>
      `/v1/publish/projects/${project.id}/versions/${version}/rollback`;
    assert.equal((await fetch(path("9"), { method: "POST", token })).status, 404);
    assert.equal((await fetch(path("x"), { method: "POST", token })).status, 400);
    assert.equal((await fetch(path("0"), { method: "POST", token })).status, 400);
  });

  it("publishes beside production for the optional body { environment: staging }", async () => {
    const { token, project } = await newSite();
    const production = await publishAndWait(token, project.id);
    await newCookies(token, project.id, { name: "next" });
    const staging = await publishAndWait(token, project.id, { environment: "staging" });
    assert.equal(staging.environment, "staging");
    assert.equal(staging.version, 1);
    assert.equal(staging.url, `${service.config.cdnUrl}/${project.id}.staging.json`);
    assert.equal((await fetch(staging.url)).body.cookies.length, 2);
    assert.equal((await getFile(project.id)).body.hash, production.hash);
    const { body } = await fetch(staging.links.versions, { token });
    assert.deepEqual(
      body.map((v: Record<string, unknown>) => [v["environment"], v["version"], v["live"]]),
      [["staging", 1, true]],
    );
  });

  it("numbers staging versions separately: the live version in production stays live", async () => {
    const { token, project } = await newSite();
    await publishAndWait(token, project.id);
    await changeProject(token, project.id);
    const production = await publishAndWait(token, project.id);
    const staging = await publishAndWait(token, project.id, { environment: "staging" });
    assert.equal((await fetch(staging.url)).body.hash, staging.hash);
    const { body } = await fetch(production.links.versions, { token });
    assert.deepEqual(
      body.map((v: Record<string, unknown>) => [v["environment"], v["version"], v["live"]]),
      [
        ["production", 2, true],
        ["production", 1, false],
      ],
    );
  });

  it("unpublishes by DELETE /v1/publish/projects/{projectId}; the immutable files stay", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    const { status } = await fetch(`/v1/publish/projects/${project.id}`, {
      method: "DELETE",
      token,
    });
    assert.equal(status, 204);
    await waitUntilGone(job.url);
    const { body } = await fetch(job.links.versions, { token });
    assert.equal(body[0].live, false);
    assert.equal((await fetch(body[0].links.file)).status, 200);
    const found = await fetch(`/v1/vault/projects/${project.id}`, { token });
    assert.equal(found.body.active, false);
    const again = await publishAndWait(token, project.id);
    assert.equal(again.version, 2);
    assert.equal((await getFile(project.id)).status, 200);
  });

  it("unpublishes a deleted project", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    const path = `/v1/vault/projects/${project.id}?confirm=${project.id}`;
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 204);
    await waitUntilGone(job.url);
    assert.equal((await fetch(job.links.self, { token })).status, 404);
  });

  it("audits requests, results, failures and unpublishing, each once", async () => {
    const { token, project } = await newSite();
    await publishAndWait(token, project.id);
    await newCookies(token, project.id, { note: "x".repeat(70_000) });
    await publishAndWait(token, project.id);
    await fetch(`/v1/publish/projects/${project.id}`, { method: "DELETE", token });
    const events = await service.db
      .selectFrom("events")
      .select("name")
      .where("project_id", "=", project.id)
      .where("name", "like", "publish.%")
      .orderBy("id")
      .execute();
    const names = ["requested", "done", "requested", "failed", "withdrawn"];
    assert.deepEqual(
      events.map((event) => event.name),
      names.map((name) => `publish.${name}`),
    );
  });
});

async function waitUntilGone(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await fetch(url)).status === 404) return;
    await delay(50);
  }
  assert.fail(`${url} is still there`);
}
