import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseConsistency } from "../../packages/verifier/formats/bundle.ts";
import { parseTlogProof } from "../../packages/verifier/formats/tlog-proof.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { type Trust, verifyBundle } from "../../packages/verifier/verify.ts";
import { service } from "../harness.ts";
import { waitForProof } from "../interface/proofs.ts";
import { type Site, collect, newSite, publish } from "../interface/site.ts";

/** The bundle of a collected consent, as the service returns it. */
async function prove(site: Site, token: string) {
  const { body } = await collect(site, "cookies", site.cookies, { token, accept: true });
  return waitForProof(body.consentId as string, token);
}

async function verify(bundle: { keys: string[] }, trust: Partial<Trust> = {}) {
  const trustedKeys = await Promise.all(bundle.keys.map(parseVerifierKey));
  return verifyBundle(JSON.stringify(bundle), { trustedKeys, ...trust });
}

const failsOf = ({ checks }: Awaited<ReturnType<typeof verify>>) =>
  checks.filter(({ holds }) => holds !== true).map(({ name }) => name);

describe("a proof from the service", () => {
  it("is proven by the verifier, which shares no code with the service, and broken after a change", async () => {
    const site = await newSite();
    await publish(site);
    const bundle = await prove(site, "visitor");
    const report = await verify(bundle);
    assert.equal(report.verdict, "proven", JSON.stringify(report.checks, null, 2));
    const { record } = bundle.consent;
    const changed = { ...bundle.consent, record: { ...record, accept: !record.accept } };
    assert.deepEqual(failsOf(await verify({ ...bundle, consent: changed })), ["inclusion"]);
    const content = `${bundle.publication.content} `;
    const shown = { ...bundle, publication: { ...bundle.publication, content } };
    assert.deepEqual(failsOf(await verify(shown)), ["publication-content"]);
  });

  it("is proven before anything was published", async () => {
    const bundle = await prove(await newSite(), "visitor");
    assert.equal(bundle.publication, null);
    assert.equal((await verify(bundle)).verdict, "proven");
  });

  it("is consistent with an older kept checkpoint, by the service's consistency proof", async () => {
    const site = await newSite();
    const kept = parseTlogProof((await prove(site, "first")).consent.proof).checkpoint;
    const bundle = await prove(site, "second");
    const { size } = parseTlogProof(bundle.consent.proof).checkpoint;
    assert.ok(size > kept.size);
    const sizes = { from: String(kept.size), to: String(size) };
    const href = hrefOf("", paths.consistency, { projectId: site.id }, sizes);
    const { status, body } = await service.fetch(href);
    assert.equal(status, 200);
    const checkpoint = kept.source;
    const consistency = [parseConsistency(JSON.stringify(body))];
    const report = await verify(bundle, { checkpoint, consistency });
    assert.equal(report.verdict, "proven", JSON.stringify(report.checks, null, 2));
    const open = await verify(bundle, { checkpoint });
    assert.deepEqual(failsOf(open), ["consistency"]);
    assert.ok(open.checks.some(({ says }) => says.includes(`GET ${href} `)));
  });
});
