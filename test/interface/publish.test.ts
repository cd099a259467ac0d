import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { newSite, publish, publishAndWait, waitForJob } from "./publishing.ts";

const { fetch } = service;
const stepNames = ["bundle", "limits", "organization", "subscription", "upload", "invalidate"];
const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("specification, Publish", () => {
  it("returns the job payload with the job id and links.self for POST /v1/publish/jobs/{projectId} without a payload", async () => {
    const { token, project } = await newSite();
    const { status, body, headers } = await publish(token, project.id);
    assert.equal(status, 202);
    assert.match(body._id, /^[0-9a-f]{24}$/);
    assert.equal(body.id, body._id);
    assert.equal(body.projectId, project.id);
    assert.equal(body.environment, "production");
    assert.match(body.createdAt, isoPattern);
    assert.equal(body.links.self, `${service.url}/v1/publish/jobs/${body.id}`);
    assert.equal(body.links.project, `${service.url}/v1/vault/projects/${project.id}`);
    assert.equal(headers.get("location"), body.links.self);
    await waitForJob(token, body);
  });

  it("returns the job id immediately, and starts processing", async () => {
    const { token, project } = await newSite();
    const { body } = await publish(token, project.id);
    assert.equal(body.status, "Pending");
    assert.equal(body.startedAt, undefined);
    assert.equal((await waitForJob(token, body)).status, "Done");
  });

  it("polling rule 1: the caller polls using the link in links.self", async () => {
    const { token, project } = await newSite();
    const { body } = await publish(token, project.id);
    const polled = await fetch(body.links.self, { token });
    assert.equal(polled.status, 200);
    assert.equal(polled.body.id, body.id);
    assert.ok(Number(polled.headers.get("retry-after")) >= 1);
    await waitForJob(token, body);
  });

  it("polling rule 2: the interval is in the timeout property, 500 ms", async () => {
    const { token, project } = await newSite();
    const { body } = await publish(token, project.id);
    assert.equal(body.timeout, 500);
    assert.equal((await waitForJob(token, body)).timeout, 500);
  });

  it("polling rule 3: when the job is done, the payload carries the URL of the CDN-hosted file", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    assert.equal(job.url, `${service.config.cdnUrl}/${project.id}.json`);
    assert.equal(job.links.file, job.url);
    const { status, body } = await fetch(job.url);
    assert.equal(status, 200);
    assert.equal(body.jobId, job.id);
  });

  it("States: marked completed at the end, at which point the configuration is live", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Done");
    const { body } = await fetch(`/v1/vault/projects/${project.id}`, { token });
    const { body: file } = await fetch(job.url);
    assert.equal(body.metadata.lastPublishedAt, file.publishedAt);
    assert.equal(body.active, true);
  });

  it("States: the processing steps in order, each with name, status, startedAt, endedAt, message", async () => {
    const { token, project } = await newSite();
    const { steps, startedAt, endedAt } = await publishAndWait(token, project.id);
    assert.deepEqual(
      steps.map((step: { name: string }) => step.name),
      stepNames,
    );
    const times = [startedAt];
    for (const step of steps) {
      assert.equal(step.status, "Done");
      assert.ok(step.message);
      times.push(step.startedAt, step.endedAt);
    }
    times.push(endedAt);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it("has a pending job with six pending steps until a worker takes it", async () => {
    const { token, project } = await newSite();
    const { body } = await publish(token, project.id);
    const pending = { status: "Pending", startedAt: null, endedAt: null, message: null };
    assert.deepEqual(
      body.steps,
      stepNames.map((name) => ({ name, ...pending })),
    );
    await waitForJob(token, body);
  });

  it("step 3: without an organization the project is free tier", async () => {
    const { token, project } = await newSite();
    const { steps } = await publishAndWait(token, project.id);
    assert.equal(steps[2].message, "No organization: free tier.");
  });

  it("requires authentication at all publish endpoints: 403 without a token", async () => {
    const { project } = await newSite();
    const calls = [
      ["POST", `/v1/publish/jobs/${project.id}`],
      ["GET", `/v1/publish/jobs/${project.id}`],
      ["GET", `/v1/publish/jobs?projectId=${project.id}`],
      ["GET", `/v1/publish/projects/${project.id}/versions`],
      ["POST", `/v1/publish/projects/${project.id}/versions/1/rollback`],
      ["DELETE", `/v1/publish/projects/${project.id}`],
    ];
    for (const [method = "", path = ""] of calls) {
      const { status } = await fetch(path, { method });
      assert.equal(status, 403, `${method} ${path}`);
    }
  });
});
