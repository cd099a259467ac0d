import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { newPicture, uploadOne } from "../../../../../test/interface/pictures.ts";
import { newCookies, newSite } from "../../../../../test/interface/publishing.ts";
import { first, getJob, newJob, openPublishing } from "../../../../../test/interface/stepwise.ts";
import { openMemoryObjects } from "../../../platform/objects/memory.ts";
import { readObject } from "../../../platform/objects/objects.ts";
import type { RenderSpec } from "../../assets/formats/tasks.ts";
import type { RenderRequest } from "../../assets/renders/renders.ts";
import type { RenderRow } from "../../assets/storage/renders-store.ts";
import { PICTURES_QUEUE } from "../jobs/publish.ts";
import { runJob } from "../jobs/run.ts";

/** Publishing with fake pictures, which records the pictures made and the jobs sent. */
function openCounting() {
  const rows = new Map<string, RenderRow>();
  const made: string[] = [];
  const sent: object[] = [];
  const keyOf = ({ sha256 }: { sha256: string }, spec: RenderSpec) =>
    `${sha256} ${JSON.stringify(spec)}`;
  const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
  type Content = { sha256: string; type: string };
  const app = openPublishing();
  const renders = {
    ...app.renders,
    find: async (content: Content, spec: RenderSpec) => rows.get(keyOf(content, spec)),
    async get(content: Content, spec: RenderSpec) {
      const key = keyOf(content, spec);
      const row: RenderRow = {
        sha256: content.sha256,
        digest: hashOf(key).slice(0, 32),
        type: "image/webp",
        size: key.length,
        hash: hashOf(key),
        created_at: new Date(),
        used_at: new Date(),
      };
      made.push(key);
      rows.set(key, row);
      return row;
    },
    async open(content: Content, { spec, known: render }: RenderRequest) {
      const key = keyOf(content, spec);
      assert.ok(render);
      const facts = { contentType: render.type, cacheControl: "", etag: '"1"' };
      const body = Readable.from([Buffer.from(key)]);
      return { render, object: { ...facts, sizeBytes: key.length, body } };
    },
  };
  const sendJob = async (_tx: unknown, job: object) => void sent.push(job);
  const jobs = { ...app.jobs, sendJob };
  return { app: { ...app, objects: openMemoryObjects(), renders, jobs }, made, sent };
}

/** A project that references `count` pictures. */
async function newPicturedSite(count: number, fields: Record<string, unknown> = {}) {
  const site = await newSite();
  const images = await Promise.all(
    Array.from({ length: count }, async () => {
      const bytes = await newPicture({ width: 400, height: 400 }).png().toBuffer();
      return (await uploadOne(site.token, { bytes })).id;
    }),
  );
  const vendors = images.map((image, at) => ({ name: `v${at}`, title: `V ${at}`, image }));
  const steps = [{ name: "all", layout: "category", vendors }];
  await newCookies(site.token, site.project.id, { name: "pictured", steps, ...fields });
  return site;
}

describe("publish jobs with pictures", () => {
  it("makes pictures in their own queue, where other projects run between those of one with many", async () => {
    const { app, made, sent } = openCounting();
    const many = await newPicturedSite(6);
    const few = await newPicturedSite(1);
    const [long, short] = [await newJob(many.project.id), await newJob(few.project.id)];
    await runJob(app, long, first);
    assert.deepEqual(made, []);
    assert.deepEqual(sent, [{ queue: PICTURES_QUEUE, data: { jobId: long } }]);
    assert.deepEqual(await getJob(long).then(({ status, step }) => [status, step]), [
      "Active",
      "bundle",
    ]);
    // Four pictures or copies for each run.
    const openBudget = () => {
      let left = 4;
      return { hasTime: () => (left -= 1) >= 0 };
    };
    await runJob(app, long, first, openBudget());
    assert.equal(sent.length, 2);
    assert.equal((await getJob(long)).status, "Active");
    await runJob(app, short, first, openBudget());
    assert.equal((await getJob(short)).status, "Done");
    for (let run = 0; run < 30 && (await getJob(long)).status !== "Done"; run += 1)
      await runJob(app, long, first, openBudget());
    assert.equal((await getJob(long)).status, "Done");
    assert.equal(made.length, new Set(made).size, "each is made once");
    assert.equal(made.length, 14);
    const text = await readObject(app.objects, `${many.project.id}.json`);
    assert.equal(String(text).split('"renders"').length - 1, 6);
  });

  it("makes no pictures when the plan does not allow the content", async () => {
    const { app, made, sent } = openCounting();
    const { project } = await newPicturedSite(1, { note: "x".repeat(70_000) });
    const id = await newJob(project.id);
    await runJob(app, id, first);
    const { status, step, message } = await getJob(id);
    assert.deepEqual([status, step], ["Error", "limits"]);
    assert.match(message ?? "", /the plan Free allows 65,536 bytes/);
    assert.deepEqual([made, sent], [[], []]);
  });
});
