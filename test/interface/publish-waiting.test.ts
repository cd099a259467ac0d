import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import {
  changeProject,
  getFile,
  newSite,
  publish,
  publishAndWait,
  waitForJob,
} from "./publishing.ts";

const { fetch, newUser, clock } = service;
const inSeconds = (seconds: number): string =>
  new Date(clock.now().getTime() + seconds * 1_000).toISOString();

describe("a scheduled publication (publishAt)", () => {
  it("is Pending until its time, publishes the project as it is then, and delays no other", async () => {
    const { token, project } = await newSite();
    const publishAt = inSeconds(3);
    const waiting = await publish(token, project.id, { publishAt });
    assert.equal(waiting.status, 202, JSON.stringify(waiting.body));
    assert.deepEqual([waiting.body.status, waiting.body.publishAt], ["Pending", publishAt]);
    const now = await publishAndWait(token, project.id);
    assert.deepEqual([now.status, now.version], ["Done", 1]);
    await changeProject(token, project.id);
    const title = (await fetch(`/v1/vault/projects/${project.id}`, { token })).body.title;
    const done = await waitForJob(token, waiting.body);
    assert.deepEqual([done.status, done.version], ["Done", 2]);
    assert.ok(done.startedAt >= publishAt, `${done.startedAt} is not before ${publishAt}`);
    assert.equal((await getFile(project.id)).body.projectName, title);
  });

  it("is unique per environment; repeating the request returns it, another time is a conflict", async () => {
    const { token, project } = await newSite();
    const publishAt = inSeconds(3_600);
    const first = await publish(token, project.id, { publishAt });
    const again = await publish(token, project.id, { publishAt });
    assert.equal(again.body.id, first.body.id);
    const other = await publish(token, project.id, { publishAt: inSeconds(7_200) });
    assert.equal(other.status, 409);
    assert.ok(other.body.detail.includes(first.body.id), other.body.detail);
    const staging = { publishAt: inSeconds(7_200), environment: "staging" };
    assert.equal((await publish(token, project.id, staging)).status, 202);
  });

  it("is cancelled by DELETE, by those who may publish, and only while it is scheduled", async () => {
    const { token, project } = await newSite();
    const stranger = await newUser();
    const { body } = await publish(token, project.id, { publishAt: inSeconds(3_600) });
    const remove = (by: string) => fetch(body.links.self, { method: "DELETE", token: by });
    assert.equal((await remove(stranger.token)).status, 404);
    assert.equal((await fetch(body.links.self, { method: "DELETE" })).status, 403);
    assert.equal((await remove(token)).status, 204);
    const job = (await fetch(body.links.self, { token })).body;
    assert.equal(job.status, "Error");
    assert.match(job.message, /was cancelled/);
    assert.equal((await remove(token)).status, 409);
    const done = await publishAndWait(token, project.id);
    assert.equal((await fetch(done.links.self, { method: "DELETE", token })).status, 409);
    const unknown = "/v1/publish/jobs/0123456789abcdef01234567";
    assert.equal((await fetch(unknown, { method: "DELETE", token })).status, 404);
  });

  it("is cancelled by its project's id only when that is unambiguous", async () => {
    const { token, project } = await newSite();
    const publishAt = inSeconds(3_600);
    const [live, staging] = [
      await publish(token, project.id, { publishAt }),
      await publish(token, project.id, { publishAt, environment: "staging" }),
    ];
    const at = `/v1/publish/jobs/${project.id}`;
    const remove = (query = "") => fetch(at + query, { method: "DELETE", token });
    const statusOf = async ({ body }: typeof live) =>
      (await fetch(body.links.self, { token })).body.status;
    const unclear = await remove();
    assert.equal(unclear.status, 409);
    assert.match(unclear.body.detail, /environment/);
    assert.deepEqual([await statusOf(live), await statusOf(staging)], ["Pending", "Pending"]);
    assert.equal((await remove("?environment=staging")).status, 204);
    assert.deepEqual([await statusOf(live), await statusOf(staging)], ["Pending", "Error"]);
    assert.equal((await remove()).status, 204);
    assert.equal(await statusOf(live), "Error");
  });

  it("is cancelled when the project is unpublished", async () => {
    const { token, project } = await newSite();
    const { body } = await publish(token, project.id, { publishAt: inSeconds(3_600) });
    await fetch(`/v1/publish/projects/${project.id}`, { method: "DELETE", token });
    const job = (await fetch(body.links.self, { token })).body;
    assert.equal(job.status, "Error");
    assert.match(job.message, /was unpublished/);
  });

  it("publishes nothing for a user who has lost the right in the meantime", async () => {
    const { token, project } = await newSite();
    const editor = await newUser();
    const users = `/v1/vault/projects/${project.id}/users`;
    await fetch(users, { token, json: { userId: editor.id, roles: ["editor"] } });
    const { status, body } = await publish(editor.token, project.id, { publishAt: inSeconds(2) });
    assert.equal(status, 202);
    await fetch(`${users}/${editor.id}`, { method: "DELETE", token });
    const job = await waitForJob(token, body);
    assert.equal(job.status, "Error");
    assert.match(
      job.message,
      /^The user who scheduled this no longer may publish the project\. .*publish again/,
    );
    assert.equal((await getFile(project.id)).status, 404);
  });

  it("requires a future time within a year", async () => {
    const { token, project } = await newSite();
    const wrong = [inSeconds(-60), inSeconds(400 * 86_400), "tomorrow", 7, "2026-13-01T00:00:00Z"];
    for (const publishAt of wrong) {
      const { status, body } = await publish(token, project.id, { publishAt });
      assert.equal(status, 400, String(publishAt));
      assert.match(body.errors[0].path, /publishAt/);
    }
    const jobs = await fetch(`/v1/publish/jobs?projectId=${project.id}`, { token });
    assert.deepEqual(jobs.body, []);
  });
});
