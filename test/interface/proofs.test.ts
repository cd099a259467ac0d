import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { describe, it } from "node:test";
import { hrefOf, paths } from "../../server/paths.ts";
import { service } from "../harness.ts";
import { waitForProof } from "./proofs.ts";
import { collect, newSite, publish, type Site } from "./site.ts";

async function collected(site: Site, token = "visitor"): Promise<string> {
  const { body } = await collect(site, "cookies", site.cookies, { token, accept: true });
  return body.consentId;
}

describe("the proof of a consent", () => {
  it("commits to the record and to the version that was shown, under a signed tree", async () => {
    const site = await newSite();
    await publish(site);
    const consentId = await collected(site);
    const bundle = await waitForProof(consentId, "visitor");
    assert.equal(bundle.consent.record.consentId, consentId);
    assert.equal(bundle.publication.record.version, 1);
    assert.equal(hash("sha256", bundle.publication.content), bundle.publication.record.hash);
    assert.equal(bundle.consent.record.publication, bundle.publication.record.hash);
    assert.match(bundle.consent.proof, /^c2sp\.org\/tlog-proof@v1\nindex \d+\n/);
  });

  it("is for the visitor with the token, and for who may read the project's consents", async () => {
    const site = await newSite();
    const consentId = await collected(site);
    await waitForProof(consentId, "visitor");
    const at = (query: Record<string, string> = {}) =>
      hrefOf("", paths.proof, { consentId }, query);
    assert.equal((await service.fetch(at())).status, 404);
    assert.equal((await service.fetch(at({ token: "somebody-else" }))).status, 404);
    assert.equal((await service.fetch(at(), { token: site.token })).status, 200);
    const stranger = await newSite();
    assert.equal((await service.fetch(at(), { token: stranger.token })).status, 404);
    assert.equal((await service.fetch(at(), { token: "no-such-token" })).status, 403);
  });
});
