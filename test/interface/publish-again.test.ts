import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { changeProject, getFile, newSite, publishAndWait } from "./publishing.ts";

const folder = join(service.config.dataDir, "published");

/** Every file of a project, with its inode, which changes when the file is rewritten. */
async function listFiles(projectId: string): Promise<string[]> {
  const names = [
    ...(await readdir(folder)).filter((name) => name.startsWith(projectId)),
    ...(await readdir(join(folder, projectId))).map((name) => join(projectId, name)),
  ];
  const files = names.map(async (name) => `${name} ${(await stat(join(folder, name))).ino}`);
  return (await Promise.all(files)).toSorted();
}

describe("publishing without changes", () => {
  it("ends Done with the same version and hash; no file is written and nothing is invalidated", async () => {
    const { token, project } = await newSite();
    const first = await publishAndWait(token, project.id);
    const files = await listFiles(project.id);
    const again = await publishAndWait(token, project.id);
    assert.equal(again.status, "Done", again.message);
    assert.equal(again.sameVersion, true);
    assert.notEqual(again.id, first.id);
    for (const field of ["version", "hash", "size", "url"])
      assert.equal(again[field], first[field], field);
    assert.deepEqual(again.files, first.files);
    assert.deepEqual(await listFiles(project.id), files);
    const steps = again.steps.map((step: Record<string, string>) => [step["name"], step["status"]]);
    assert.ok(steps.every(([, status]: string[]) => status === "Done"));
    assert.equal(again.steps.at(-1).message, "Nothing has changed.");
    const { body } = await service.fetch(first.links.versions, { token });
    assert.equal(body.length, 1);
    assert.equal((await getFile(project.id)).body.jobId, first.id);
  });

  it("creates another version for any change, also for its reversal later", async () => {
    const { token, project } = await newSite();
    const first = await publishAndWait(token, project.id);
    await changeProject(token, project.id);
    const second = await publishAndWait(token, project.id);
    assert.deepEqual([second.version, second.sameVersion], [2, undefined]);
    assert.notEqual(second.hash, first.hash);
    const title = project["title"];
    const at = `/v1/vault/projects/${project.id}`;
    await service.fetch(at, { token, method: "PATCH", json: { title } });
    assert.equal((await publishAndWait(token, project.id)).version, 3);
  });

  it("restores files that storage lost or corrupted, as the same version, byte for byte", async () => {
    const { token, project } = await newSite();
    const first = await publishAndWait(token, project.id);
    const own = [`${project.id}.json`, join(project.id, `${first.hash}.json`)];
    const codings = ["", ".br", ".gz"];
    const names = own.flatMap((name) => codings.map((coding) => join(folder, name + coding)));
    const before = await Promise.all(names.map((name) => readFile(name)));
    for (const name of names)
      for (const spoil of [() => rm(name), () => writeFile(name, "garbage")]) {
        await spoil();
        const again = await publishAndWait(token, project.id);
        assert.deepEqual([again.status, again.version, again.sameVersion], ["Done", 1, true], name);
        assert.match(again.steps[4].message, /were written again/, name);
        assert.deepEqual(await Promise.all(names.map((one) => readFile(one))), before, name);
      }
    const { body } = await service.fetch(first.links.versions, { token });
    assert.deepEqual([body.length, body[0].jobId], [1, first.id]);
  });

  it("creates another version after the project was unpublished", async () => {
    const { token, project } = await newSite();
    await publishAndWait(token, project.id);
    const at = `/v1/publish/projects/${project.id}`;
    assert.equal((await service.fetch(at, { token, method: "DELETE" })).status, 204);
    assert.equal((await publishAndWait(token, project.id)).version, 2);
    assert.equal((await getFile(project.id)).status, 200);
  });
});

describe("the files of a publication", () => {
  it("have integrity hashes for browsers, and compressed copies beside them", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    assert.equal(job.files.length, 3);
    for (const { url, integrity, size } of job.files) {
      const answer = await fetch(url, { headers: { "accept-encoding": "identity" } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(bytes.length, size, url);
      const digest = createHash("sha384").update(bytes).digest("base64");
      assert.equal(integrity, `sha384-${digest}`, url);
    }
    assert.equal(job.files[0].url, job.url);
    const names = (await listFiles(project.id)).map((file) => file.split(" ")[0]);
    for (const coding of [".br", ".gz"])
      for (const { url } of job.files.slice(0, 2)) {
        const name = decodeURIComponent(new URL(url).pathname).replace("/cdn/", "");
        assert.ok(names.includes(name + coding), `${name}${coding} of ${names.join()}`);
      }
    const br = await fetch(job.url, { headers: { "accept-encoding": "br" } });
    assert.equal(br.headers.get("content-encoding"), "br");
    assert.equal(((await br.json()) as { hash: string }).hash, job.hash);
  });
});
