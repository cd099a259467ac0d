import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import {
  getFile,
  newSite,
  openPublishingWorker,
  publish,
  publishAndWait,
  waitForJob,
  changeProject,
} from "./publishing.ts";

const { fetch, newUser } = service;
const stepNames = ["bundle", "limits", "organization", "subscription", "upload", "invalidate"];

describe("wire section 3, jobs", () => {
  it("returns a project's running job instead of starting a second one", async () => {
    const { token, project } = await newSite();
    const answers = await Promise.all(Array.from({ length: 8 }, () => publish(token, project.id)));
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]));
    const job = await waitForJob(token, answers[0]?.body);
    assert.equal(job.status, "Done");
    const rows = await service.db
      .selectFrom("publish_jobs")
      .select(["id", "started_at", "ended_at"])
      .where("project_id", "=", project.id)
      .orderBy("created_at")
      .execute();
    for (const [index, row] of rows.entries()) {
      const before = rows[index - 1]?.ended_at;
      if (before) assert.ok(row.started_at && row.started_at >= before, "two jobs ran at once");
    }
  });

  it("returns the same job for the same Idempotency-Key", async () => {
    const { token, project } = await newSite();
    const headers = { "idempotency-key": "publish-1" };
    const first = await fetch(`/v1/publish/jobs/${project.id}`, { method: "POST", token, headers });
    await waitForJob(token, first.body);
    const again = await fetch(`/v1/publish/jobs/${project.id}`, { method: "POST", token, headers });
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.deepEqual(again.body, first.body);
  });

  it("accepts a job's id in GET /v1/publish/jobs/{id}, or a project's for its latest job", async () => {
    const { token, project } = await newSite();
    const first = await publishAndWait(token, project.id);
    await changeProject(token, project.id);
    const second = await publishAndWait(token, project.id);
    assert.equal(second.version, first.version + 1);
    const latest = await fetch(`/v1/publish/jobs/${project.id}`, { token });
    assert.deepEqual(latest.body, second);
    assert.ok(latest.headers.get("retry-after"));
    const named = await fetch(`/v1/publish/jobs/${first.id}`, { token });
    assert.deepEqual(named.body, first);
  });

  it("lists jobs by GET /v1/publish/jobs?projectId=, newest first, in pages", async () => {
    const { token, project } = await newSite();
    const first = await publishAndWait(token, project.id);
    const second = await publishAndWait(token, project.id, { environment: "staging" });
    const path = `/v1/publish/jobs?projectId=${project.id}`;
    const { body, headers } = await fetch(path, { token });
    assert.deepEqual(body, [second, first]);
    assert.equal(headers.get("x-total-count"), "2");
    assert.ok(headers.get("retry-after"));
    const page = await fetch(`${path}&perPage=1&page=2`, { token });
    assert.deepEqual(page.body, [first]);
    const sorted = await fetch(`${path}&sort=createdAt&environment=production`, { token });
    assert.deepEqual(sorted.body, [first]);
    const none = await fetch("/v1/publish/jobs", { token });
    assert.equal(none.status, 400);
    assert.deepEqual(none.body.errors, [{ path: "?projectId", message: "is required" }]);
    assert.equal((await fetch(`${path}&sort=hash`, { token })).status, 400);
    const publishAt = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const waiting = await publish(token, project.id, { publishAt });
    for (const [status, ids] of [
      ["Pending", [waiting.body.id]],
      ["Error", []],
    ] as const) {
      const found = await fetch(`${path}&status=${status}`, { token });
      assert.deepEqual(
        found.body.map(({ id }: { id: string }) => id),
        ids,
        status,
      );
    }
  });

  it("ends a stream when its reader loses access to the project", async () => {
    const { token, project } = await newSite();
    const editor = await newUser();
    const users = `/v1/vault/projects/${project.id}/users`;
    await service.fetch(users, { token, json: { userId: editor.id, roles: ["editor"] } });
    const publishAt = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const { body } = await publish(token, project.id, { publishAt });
    const stream = await globalThis.fetch(body.links.self, {
      headers: { accept: "text/event-stream", authorization: `Bearer ${editor.token}` },
      signal: AbortSignal.timeout(60_000),
    });
    assert.equal(stream.status, 200);
    await service.fetch(`${users}/${editor.id}`, { method: "DELETE", token });
    assert.doesNotMatch(await stream.text(), /event: job/);
  });

  it("streams each step for Accept: text/event-stream, and ends with the job", async () => {
    const { token, project } = await newSite();
    const { body } = await publish(token, project.id);
    const headers = { accept: "text/event-stream" };
    const stream = await fetch(body.links.self, { token, headers });
    assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(stream.headers.get("cache-control"), "no-store");
    const events = String(stream.body)
      .split("\n\n")
      .filter((event) => event.includes("data: "))
      .map((event) => ({
        name: /^event: (.*)$/m.exec(event)?.[1],
        data: JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ""),
      }));
    const ended = events.filter(({ name, data }) => name === "step" && data.status === "Done");
    assert.deepEqual(
      ended.map(({ data }) => data.name),
      stepNames,
    );
    assert.equal(events.at(-1)?.name, "job");
    assert.deepEqual(events.at(-1)?.data, (await fetch(body.links.self, { token })).body);
    const again = await fetch(body.links.self, {
      token,
      headers: { ...headers, "last-event-id": "end" },
    });
    assert.equal(again.status, 204);
  });

  it("returns 404 for another user's project and job; a viewer may read but not publish", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    const other = await newUser();
    const hidden = [
      await publish(other.token, project.id),
      await fetch(`/v1/publish/jobs/${job.id}`, { token: other.token }),
      await fetch(`/v1/publish/jobs/${project.id}`, { token: other.token }),
      await fetch(`/v1/publish/jobs?projectId=${project.id}`, { token: other.token }),
      await fetch(`/v1/publish/projects/${project.id}/versions`, { token: other.token }),
      await fetch(`/v1/publish/projects/${project.id}`, { method: "DELETE", token: other.token }),
    ];
    assert.deepEqual(
      hidden.map((answer) => answer.status),
      hidden.map(() => 404),
    );
    assert.ok(
      !JSON.stringify(hidden[1]?.body).includes(project.id),
      "the response reveals the project's id",
    );
    const json = { userId: other.id, roles: ["viewer"] };
    await fetch(`/v1/vault/projects/${project.id}/users`, { token, json });
    assert.equal((await publish(other.token, project.id)).status, 403);
    const visible = await fetch(`/v1/publish/jobs/${job.id}`, { token: other.token });
    assert.deepEqual(visible.body, job);
  });

  it("rejects unknown and malformed ids, and unknown environments", async () => {
    const { token, project } = await newSite();
    assert.equal((await publish(token, "0".repeat(24))).status, 404);
    assert.equal((await publish(token, "nothing")).status, 400);
    const wrong = await publish(token, project.id, { environment: "moon" });
    assert.equal(wrong.status, 400);
    assert.deepEqual(wrong.body.errors, [
      { path: "/environment", message: "must be one of production, staging" },
    ]);
    const job = await fetch(`/v1/publish/jobs/${"0".repeat(24)}`, { token });
    assert.equal(job.status, 404);
  });

  it("resumes a job after a restart from the step it was in", async () => {
    const { token, project } = await newSite();
    const done = await publishAndWait(token, project.id);
    // A process that is killed in the step upload leaves the row as that step found it.
    const { content } = await service.db
      .selectFrom("publications")
      .select("content")
      .where("job_id", "=", done.id)
      .executeTakeFirstOrThrow();
    await service.db.deleteFrom("publications").where("job_id", "=", done.id).execute();
    const steps = done.steps.map((step: { name: string }, index: number) =>
      index < 4 ? step : { ...step, status: "Pending", startedAt: null, endedAt: null },
    );
    await service.db
      .updateTable("publish_jobs")
      .set({
        status: "Active",
        step: "upload",
        content,
        ended_at: null,
        steps: JSON.stringify(steps),
        updated_at: new Date(0),
      })
      .where("id", "=", done.id)
      .execute();
    await using _worker = await openPublishingWorker();
    const job = await waitForJob(token, done);
    assert.equal(job.status, "Done");
    assert.equal(job.version, done.version);
    assert.equal(job.hash, done.hash);
    assert.deepEqual(job.steps.slice(0, 4), done.steps.slice(0, 4));
    assert.equal((await getFile(project.id)).body.hash, done.hash);
  });
});
