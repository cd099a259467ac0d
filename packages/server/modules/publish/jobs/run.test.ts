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

/** Fails a job, and returns it as a worker still has it that hung in the step `upload`. */
async function failUpload(app: Publishing, projectId: string) {
  const id = await newJob(projectId);
  const cdn = { invalidatePaths: () => Promise.reject(new Error("unreachable")) };
  await assert.rejects(runJob({ ...app, cdn }, id, first));
  const hung = { ...(await getJob(id)), step: "upload" as const };
  await runJob({ ...app, cdn }, id, last);
  return hung;
}

describe("publish jobs, step by step", () => {
  it("retries failures of the service, then ends with Error and refers to the operator", async () => {
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
    assert.match(failed.message ?? "", /problem of the service, not of the project.*operator/);
    assert.doesNotMatch(failed.message ?? "", /disk full/);
  });

  it("resumes a retried job at its step and publishes what it had bundled", async () => {
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

  it("ends each step once when two workers run one job", async () => {
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

  it("never replaces a newer file by that of an older job", async () => {
    const { project } = await newSite();
    const app = openPublishing();
    const hung = await failUpload(app, project.id);
    const newer = await newJob(project.id);
    await runJob(app, newer, first);
    await uploadFiles(app, hung);
    const file = await readFile(app, `${project.id}.json`);
    assert.deepEqual([file.jobId, file.version], [newer, 2]);
  });

  it("does not write a removed file again for a job that has ended", async () => {
    const { project } = await newSite();
    const app = openPublishing();
    const hung = await failUpload(app, project.id);
    await app.objects.deleteObject(`${project.id}.json`);
    await uploadFiles(app, hung);
    assert.equal(await readFile(app, `${project.id}.json`), undefined);
  });

  it("asks the payment provider and fails at subscription when the plan has ended there", async () => {
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

  it("fails a running job by unpublishing, before it writes its file", async () => {
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

  it("keeps the file of a later publication in a late removal", async () => {
    const { project } = await newSite();
    const app = openPublishing();
    const at = new Date(0).toISOString();
    await runJob(app, await newJob(project.id), first);
    await removeFiles(app, { projectId: project.id, at });
    assert.ok(await app.objects.findObject(`${project.id}.json`));
  });

  it("writes an unchanged version again when the widget is lost, and invalidates it in the CDN", async () => {
    const { project } = await newSite();
    const invalidated: string[] = [];
    const cdn = {
      invalidatePaths: async ({ paths }: { paths: readonly string[] }) => {
        invalidated.push(...paths);
        return { id: "", note: "Invalidated." };
      },
    };
    const app = openPublishing({ cdn });
    await runJob(app, await newJob(project.id), first);
    const keys = ["", ".br", ".gz"].map((coding) => `widget/widget.${widget.hash}.js${coding}`);
    for (const key of keys) {
      await app.objects.deleteObject(key);
      invalidated.length = 0;
      const id = await newJob(project.id);
      await runJob(app, id, first);
      const { status, version, unchanged } = await getJob(id);
      assert.deepEqual([status, version, unchanged], ["Done", 1, true]);
      assert.ok(await app.objects.findObject(key), key);
      assert.ok(invalidated.some((path) => path.endsWith(`/${key}`)));
    }
    invalidated.length = 0;
    await runJob(app, await newJob(project.id), first);
    assert.deepEqual(invalidated, []);
  });

  it("unpublishes without waiting for storage, and removes a file that was being written", async () => {
    const { token, project } = await newSite();
    const app = openPublishing();
    const memory = app.objects;
    const putting = Promise.withResolvers<void>();
    const storage = Promise.withResolvers<void>();
    const objects = {
      ...memory,
      async putObject(object: Parameters<typeof memory.putObject>[0]) {
        if (object.key === `${project.id}.json`) {
          putting.resolve();
          await storage.promise;
        }
        await memory.putObject(object);
      },
    };
    const id = await newJob(project.id);
    const running = runJob({ ...app, objects }, id, first);
    await putting.promise;
    const at = `/v1/publish/projects/${project.id}`;
    const unpublish = () => service.fetch(at, { method: "DELETE", token });
    // More requests than database connections; storage responds only after all of them.
    const answers = await Promise.all(Array.from({ length: 14 }, unpublish));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    storage.resolve();
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

  it("sends a due scheduled job each minute while another job of its project runs", async () => {
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

  it("does not reuse version numbers of failed jobs", async () => {
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
