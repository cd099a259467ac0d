import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseDemoProject } from "../../packages/server/commands/demo-project.ts";
import { service } from "../harness.ts";
import { type Site, newSite, publish } from "./site.ts";

/** A live project whose site is the page itself, which any account can create. */
async function newDemoSite(title: string): Promise<Site> {
  const site = await newSite();
  const json = { title, websiteURL: `${service.config.http.publicUrl}/demo` };
  const path = `/v1/vault/projects/${site.id}`;
  const { status } = await service.fetch(path, { method: "PATCH", token: site.token, json });
  assert.equal(status, 200);
  await publish(site);
  return site;
}

async function readPage(): Promise<string> {
  const { status, body } = await service.fetch("/demo");
  assert.equal(status, 200);
  return body;
}

describe("the demo's page", { concurrency: false }, () => {
  it("does not show a project of its address that the demo did not create", async () => {
    const intruder = await newDemoSite("Takeover");
    const page = await readPage();
    assert.doesNotMatch(page, /Takeover/);
    assert.ok(!page.includes(intruder.id));
  });

  it("shows the project that the demo chose, whatever others publish later", async () => {
    const first = await newDemoSite("First kiln");
    await chooseDemoProject(first.id, service.databaseUrl);
    assert.match(await readPage(), /First kiln/);
    await newDemoSite("Takeover");
    const page = await readPage();
    assert.match(page, /First kiln/);
    assert.ok(page.includes(first.id));
    assert.doesNotMatch(page, /Takeover/);
  });

  it("shows the project of the last run", async () => {
    for (const title of ["Second kiln", "Third kiln"]) {
      const site = await newDemoSite(title);
      await chooseDemoProject(site.id, service.databaseUrl);
      assert.match(await readPage(), new RegExp(title));
    }
  });

  it("asks to run the demo again once its project is gone", async () => {
    const site = await newDemoSite("Fourth kiln");
    await chooseDemoProject(site.id, service.databaseUrl);
    const path = `/v1/vault/projects/${site.id}?confirm=${site.id}`;
    const { status } = await service.fetch(path, { method: "DELETE", token: site.token });
    assert.equal(status, 204);
    const page = await readPage();
    assert.match(page, /npm run demo/);
    assert.doesNotMatch(page, /kiln/);
  });

  it("keeps its project when another database's project is chosen", async () => {
    const site = await newDemoSite("Fifth kiln");
    await chooseDemoProject(site.id, service.databaseUrl);
    const unknown = chooseDemoProject("0123456789abcdef01234567", service.databaseUrl);
    await assert.rejects(unknown, /The database has no such project/);
    assert.match(await readPage(), /Fifth kiln/);
  });
});
