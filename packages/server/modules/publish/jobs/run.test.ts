import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  newCookies,
  newSite,
  subscribe,
  waitForJob,
} from "../../../../../test/interface/publishing.ts";
import {
  first,
  getJob,
  last,
  newJob,
  openPublishing,
  widget,
} from "../../../../../test/interface/stepwise.ts";
import { service } from "../../../../../test/harness.ts";
import { openMemoryObjects } from "../../../platform/objects/memory.ts";
import { readObject } from "../../../platform/objects/objects.ts";
import { removeFiles, resumeJobs } from "./jobs.ts";
import type { Publishing } from "../publications/publishing.ts";
import { runJob } from "./run.ts";
import { uploadFiles } from "./upload.ts";

async function readFile(app: Publishing, key: string) {
  const bytes = await readObject(app.objects, key);
  return bytes && JSON.parse(bytes.toString("utf8"));
}

/** A job that was given up, as a worker has it that hung in the step upload and comes back. */
async function giveUpUpload(app: Publishing, projectId: string) {
  const id = await newJob(projectId);
  const cdn = { invalidatePaths: () => Promise.reject(new Error("unreachable")) };
  await assert.rejects(runJob({ ...app, cdn }, id, first));
  const hung = { ...(await getJob(id)), step: "upload" as const };
  await runJob({ ...app, cdn }, id, last);
  return hung;
}

describe("publish jobs, step by step", () => {
  it("failures outside the project's fault are retried, then Error says whose they are", async () => {
    const { project } = await newSite();
    const id = await newJob(project.id);
    const memory = openMemoryObjects();
    const putObject = () => Promise.reject(new Error("disk full"));
    const app = openPublishing({ objects: { ...memory, putObject } });
    await assert.rejects(runJob(app, id, first), /disk full/);
    const waiting = await getJob(id);
    assert.deepEqual([waiting.status, waiting.step], ["Active", "upload"]);
    await runJob(app, id, last);
    const failed = await getJob(id);
    assert.deepEqual([failed.status, failed.step], ["Error", "upload"]);
    assert.match(failed.message ?? "", /not through the project.*operator/);
    assert.doesNotMatch(failed.message ?? "", /disk full/);
  });

  it("a job that is tried again goes on from its step and publishes what it had bundled", async () => {
    const { token, project } = await newSite();
    const id = await newJob(project.id);
    const app = openPublishing();
    const cdn = { invalidatePaths: () => Promise.reject(new Error("unreachable")) };
    await assert.rejects(runJob({ ...app, cdn }, id, first), /unreachable/);
    const before = await readFile(app, `${project.id}.json`);
    await newCookies(token, project.id, { name: "later" });
    await runJob(app, id, first);
    assert.equal((await getJob(id)).status, "Done");
    assert.deepEqual(await readFile(app, `${project.id}.json`), before);
    assert.equal(before.cookies.length, 1);
  });

  it("two workers on one job end each step once", async () => {
    const { project } = await newSite();
    const id = await newJob(project.id);
    const app = openPublishing();
    await Promise.all([runJob(app, id, first), runJob(app, id, first), runJob(app, id, first)]);
    const job = await getJob(id);
    assert.equal(job.status, "Done");
    const events = await service.db
      .selectFrom("events")
      .select("name")
      .where("document_id", "=", id)
      .execute();
    assert.deepEqual(events, [{ name: "publish.done" }]);
    assert.equal((await readFile(app, `${project.id}.json`)).hash, job.hash);
  });

  it("an older job never replaces a newer file", async () => {
    const { project } = await newSite();
    const app = openPublishing();
    const hung = await giveUpUpload(app, project.id);
    const newer = await newJob(project.id);
    await runJob(app, newer, first);
    await uploadFiles(app, hung);
    const file = await readFile(app, `${project.id}.json`);
    assert.deepEqual([file.jobId, file.version], [newer, 2]);
  });

  it("a job that has ended does not write the file again that was removed since", async () => {
    const { project } = await newSite();
    const app = openPublishing();
    const hung = await giveUpUpload(app, project.id);
    await app.objects.deleteObject(`${project.id}.json`);
    await uploadFiles(app, hung);
    assert.equal(await readFile(app, `${project.id}.json`), undefined);
  });

  it("asks the payment provider afresh: a plan that ended there is an Error at subscription", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    await subscribe(organization, "active");
    await newCookies(token, project.id, { steps: [{ name: "i", layout: "info" }] });
    const id = await newJob(project.id);
    const asked: string[] = [];
    const app = openPublishing({
      payments: {
        provider: "stale",
        async findSubscription(organizationId) {
          asked.push(organizationId);
          return {
            plan: "pro",
            status: "canceled",
            currentPeriodEnd: null,
            unpaidSince: null,
            cancelsAt: null,
            customer: null,
            updatedAt: new Date(),
          };
        },
      },
    });
    await runJob(app, id, first);
    const job = await getJob(id);
    assert.deepEqual([job.status, job.step], ["Error", "subscription"]);
    assert.match(job.message ?? "", /plan Free does not include these layouts: info/);
    assert.deepEqual(asked, [organization]);
    assert.equal(await app.objects.findObject(`${project.id}.json`), undefined);
  });

  it("unpublishing ends what runs, and what it was about to write is not written", async () => {
    const { token, project } = await newSite();
    const id = await newJob(project.id);
    const app = openPublishing();
    const memory = app.objects;
    const objects = {
      ...memory,
      async putObject(object: Parameters<typeof memory.putObject>[0]) {
        const path = `/v1/publish/projects/${project.id}`;
        if (object.key.includes("/"))
          assert.equal((await service.fetch(path, { method: "DELETE", token })).status, 204);
        await memory.putObject(object);
      },
    };
    await runJob({ ...app, objects }, id, first);
    const job = await getJob(id);
    assert.deepEqual([job.status, job.step], ["Error", "upload"]);
    assert.match(job.message ?? "", /was unpublished/);
    assert.equal(await memory.findObject(`${project.id}.json`), undefined);
    const links = { self: `/v1/publish/jobs/${id}` };
    assert.equal((await waitForJob(token, { links })).status, "Error");
  });

  it("a late removal leaves the file of a later publication", async () => {
    const { project } = await newSite();
    const app = openPublishing();
    const at = new Date(0).toISOString();
    await runJob(app, await newJob(project.id), first);
    await removeFiles(app, { projectId: project.id, at });
    assert.ok(await app.objects.findObject(`${project.id}.json`));
  });

  it("what has not changed is written again where the widget is lost, and the network forgets it", async () => {
    const { project } = await newSite();
    const told: string[] = [];
    const cdn = {
      invalidatePaths: async ({ paths }: { paths: readonly string[] }) => {
        told.push(...paths);
        return { id: "", note: "Told." };
      },
    };
    const app = openPublishing({ cdn });
    await runJob(app, await newJob(project.id), first);
    const keys = ["", ".br", ".gz"].map((coding) => `widget/widget.${widget.hash}.js${coding}`);
    for (const key of keys) {
      await app.objects.deleteObject(key);
      told.length = 0;
      const id = await newJob(project.id);
      await runJob(app, id, first);
      const { status, version, unchanged } = await getJob(id);
      assert.deepEqual([status, version, unchanged], ["Done", 1, true]);
      assert.ok(await app.objects.findObject(key), key);
      assert.ok(told.some((path) => path.endsWith(`/${key}`)));
    }
    told.length = 0;
    await runJob(app, await newJob(project.id), first);
    assert.deepEqual(told, []);
  });

  it("a request to unpublish does not wait for storage, and what was being written does not stay", async () => {
    const { token, project } = await newSite();
    const app = openPublishing();
    const memory = app.objects;
    const putting = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const objects = {
      ...memory,
      async putObject(object: Parameters<typeof memory.putObject>[0]) {
        if (object.key === `${project.id}.json`) {
          putting.resolve();
          await held.promise;
        }
        await memory.putObject(object);
      },
    };
    const id = await newJob(project.id);
    const running = runJob({ ...app, objects }, id, first);
    await putting.promise;
    const at = `/v1/publish/projects/${project.id}`;
    const ask = () => service.fetch(at, { method: "DELETE", token });
    // More than there are connections; storage answers only after all of them.
    const answers = await Promise.all(Array.from({ length: 14 }, ask));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    held.resolve();
    await running;
    const job = await getJob(id);
    assert.deepEqual([job.status, job.step], ["Error", "upload"]);
    await removeFiles(app, { projectId: project.id });
    assert.equal(await memory.findObject(`${project.id}.json`), undefined);
    const row = await service.fetch(`/v1/publish/projects/${project.id}/versions`, { token });
    assert.deepEqual(
      row.body.map(({ live }: { live: boolean }) => live),
      [false],
    );
  });

  it("one whose time has come is taken up each minute while another one of its place runs", async () => {
    const { project } = await newSite();
    const now = service.clock.now();
    const id = await newJob(project.id);
    await service.db
      .updateTable("publish_jobs")
      .set({ status: "Waiting", publish_at: now })
      .where("id", "=", id)
      .execute();
    const running = await newJob(project.id);
    const sent: unknown[] = [];
    const { jobs, ...app } = openPublishing();
    const sendJob = async (_tx: unknown, { data }: { data: unknown }) => void sent.push(data);
    const resume = () => resumeJobs({ ...app, jobs: { ...jobs, sendJob } }, new Date(0));
    await runJob({ ...app, jobs }, id, first);
    assert.equal((await getJob(id)).status, "Waiting");
    await resume();
    await resume();
    const own = sent.filter((data) => JSON.stringify(data) === JSON.stringify({ jobId: id }));
    assert.equal(own.length, 2);
    await runJob({ ...app, jobs }, running, first);
    await runJob({ ...app, jobs }, id, first);
    assert.equal((await getJob(id)).status, "Done");
  });

  it("versions of failed jobs are not given again", async () => {
    const { project } = await newSite();
    const app = openPublishing();
    const putObject = () => Promise.reject(new Error("disk full"));
    const failing = { ...app, objects: { ...app.objects, putObject } };
    const failed = await newJob(project.id);
    await runJob(failing, failed, last);
    assert.equal((await getJob(failed)).version, 1);
    const next = await newJob(project.id);
    await runJob(app, next, first);
    assert.equal((await getJob(next)).version, 2);
  });
});
