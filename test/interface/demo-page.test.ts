import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseDemoProject } from "../../packages/server/commands/demo-project.ts";
import { service } from "../harness.ts";
import { type Site, newSite, publish } from "./site.ts";

/** A live project whose site is the page itself, which any account can create. */
async function newDemoSite(): Promise<Site> {
  const site = await newSite();
  const json = { websiteURL: `${service.config.http.publicUrl}/demo` };
  const path = `/v1/vault/projects/${site.id}`;
  const { status } = await service.fetch(path, { method: "PATCH", token: site.token, json });
  assert.equal(status, 200);
  await publish(site);
  return site;
}

/** The project of the page; undefined if the page asks to run the demo. */
async function findShown(): Promise<string | undefined> {
  const { status, body } = await service.fetch("/demo");
  assert.equal(status, 200);
  const [, id] = /data-project="([0-9a-f]{24})"/.exec(body) ?? [];
  assert.equal(id === undefined, /npm run demo/.test(body));
  return id;
}

describe("the demo's page", { concurrency: false }, () => {
  it("does not show a project with its address that the demo did not choose", async () => {
    await newDemoSite();
    assert.equal(await findShown(), undefined);
  });

  it("shows the project of the demo's last run, whatever others publish", async () => {
    for (let run = 0; run < 2; run += 1) {
      const { id } = await newDemoSite();
      await chooseDemoProject(id, service.databaseUrl);
      assert.equal(await findShown(), id);
      await newDemoSite();
      assert.equal(await findShown(), id);
    }
  });

  it("keeps its project when a project of another database is chosen", async () => {
    const { id } = await newDemoSite();
    await chooseDemoProject(id, service.databaseUrl);
    const unknown = chooseDemoProject("0123456789abcdef01234567", service.databaseUrl);
    await assert.rejects(unknown, /The database has no such project/);
    assert.equal(await findShown(), id);
  });

  it("asks to run the demo again once its project is deleted", async () => {
    const { id, token } = await newDemoSite();
    await chooseDemoProject(id, service.databaseUrl);
    const path = `/v1/vault/projects/${id}?confirm=${id}`;
    assert.equal((await service.fetch(path, { method: "DELETE", token })).status, 204);
    assert.equal(await findShown(), undefined);
  });
});
