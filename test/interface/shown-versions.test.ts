import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { type Site, collect, collectBatch, newSite, publishAsIs, readStatuses } from "./site.ts";

/** A site whose newsletter asks for more since its second version. */
async function newChangedSite(): Promise<Site> {
  const site = await newSite();
  await publishAsIs(site);
  const at = `/v1/vault/processings/${site.processing}`;
  const json = { storageDuration: 60, personalDataTypes: ["email", "health"] };
  assert.equal((await service.fetch(at, { token: site.token, method: "PATCH", json })).status, 200);
  await publishAsIs(site);
  return site;
}

describe("an answer that names the displayed version", () => {
  it("refers to that version, not to a later publication", async () => {
    const site = await newChangedSite();
    const answer = { accept: true, token: "ann", version: 1 };
    const { status, body } = await collect(site, "processings", site.processing, answer);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.version, body.grade], [1, "browser"]);
    assert.equal((await readStatuses(site, "ann"))[site.processing], "superseded");
    const item = { ...answer, token: "bob", id: "b1", collection: "processings" };
    const batch = await collectBatch(site, [{ ...item, identifier: site.processing }]);
    assert.equal(batch.body[0].version, 1, JSON.stringify(batch.body));
    assert.equal((await readStatuses(site, "bob"))[site.processing], "superseded");
    const list = `/v1/client/${site.id}/tokens/accepted/${site.processing}`;
    assert.deepEqual((await service.fetch(list, { token: site.token })).body.items, []);
  });

  it("refers to the live version if it names that, a later one, one that never existed, or none", async () => {
    const site = await newChangedSite();
    for (const version of [2, 3, 0, -1, 1.5, "1", null, undefined, {}]) {
      const token = `t-${JSON.stringify(version)}`;
      const answer = { accept: true, token, version };
      const { status, body } = await collect(site, "processings", site.processing, answer);
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.version, 2, token);
    }
  });
});
