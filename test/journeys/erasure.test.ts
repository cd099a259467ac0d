import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseConsistency } from "../../packages/verifier/formats/bundle.ts";
import { parseTlogProof } from "../../packages/verifier/formats/tlog-proof.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { type ProgramResult, runAvow } from "../command.ts";
import { service } from "../harness.ts";
import { erase, waitForReceipt } from "../interface/erasures.ts";
import { waitForProof } from "../interface/proofs.ts";
import { type Site, collect, collectBatch, newSite, publish } from "../interface/site.ts";
import { poll } from "../poll.ts";

const folder = await mkdtemp(join(tmpdir(), "avow-erasure-"));
after(() => rm(folder, { recursive: true, force: true }));

async function prove(site: Site, token: string) {
  const { body } = await collect(site, "cookies", site.cookies, { token, accept: true });
  return waitForProof(body.consentId as string, token);
}

/** Runs `avow verify` on a receipt, which is written to a file. */
async function runVerify(receipt: string, key: string): Promise<ProgramResult> {
  const file = join(folder, "receipt.json");
  await writeFile(file, receipt);
  return runAvow(["verify", file, "--key", key]);
}

describe("an erasure, from the service to the verifier", () => {
  it("is proven by `avow verify`, which rejects a receipt with one flipped bit", async () => {
    const site = await newSite();
    await publish(site);
    await prove(site, "erased");
    const { body } = await erase(site, "erased");
    const receipt = await waitForReceipt(site, body.links.self);
    const [key] = receipt.keys;
    const text = JSON.stringify(receipt);
    const good = await runVerify(text, key);
    assert.equal(good.code, 0, good.out + good.err);
    assert.match(
      good.out,
      /one record of project \w+ was erased, of which 1 had a commitment in the log/,
    );
    assert.match(good.out, /Reason +on request/);
    const flipped = text.replace('"count":1', '"count":3');
    assert.notEqual(flipped, text);
    const bad = await runVerify(flipped, key);
    assert.equal(bad.code, 1, bad.out + bad.err);
    assert.match(bad.out, /✗ .* does not match the log at index/);
  });

  it("is one receipt of several entries when thousands of records were erased", async () => {
    const site = await newSite();
    const count = 4_200;
    const ids = Array.from({ length: count }, (_, n) => `id-${n}`);
    const shared = { collection: "cookies", identifier: site.cookies, accept: true, token: "many" };
    for (let at = 0; at < count; at += 500) {
      const batch = ids.slice(at, at + 500).map((id) => ({ id, ...shared }));
      assert.equal((await collectBatch(site, batch)).status, 200);
    }
    const newest = await prove(site, "many");
    // A busy service answers 503.
    const { body } = await poll({
      read: () => erase(site, "many"),
      isRight: ({ status }) => status !== 503,
      waitMs: 60_000,
      toMessage: (last) => JSON.stringify(last.body),
    });
    assert.equal(body.count, count + 1, JSON.stringify(body));
    const receipt = await waitForReceipt(site, body.links.self);
    const entries: { record: { leaves: number[] } }[] = receipt.erasure;
    assert.deepEqual(
      entries.map(({ record }) => record.leaves.length),
      [4_000, count + 1 - 4_000],
    );
    const { index } = parseTlogProof(newest.consent.proof);
    assert.ok(entries.some(({ record }) => record.leaves.includes(index)));
    const trustedKeys = await Promise.all(receipt.keys.map(parseVerifierKey));
    const report = await verifyBundle(JSON.stringify(receipt), { trustedKeys });
    assert.equal(report.verdict, "proven", JSON.stringify(report.checks, null, 2));
    const [first] = receipt.erasure;
    const half = await verifyBundle(JSON.stringify({ ...receipt, erasure: [first] }), {
      trustedKeys,
    });
    assert.equal(half.verdict, "broken", "a missing entry is detected");
    const list = await service.fetch(body.links.erasures, { token: site.token });
    assert.deepEqual(list.body.items, [body]);
  });

  it("leaves the tree and the proofs of others unchanged", async () => {
    const site = await newSite();
    await publish(site);
    const erased = await prove(site, "erased");
    const kept = parseTlogProof(erased.consent.proof);
    const before = await prove(site, "somebody else");
    const tile = `/log/tile/entries/000${kept.checkpoint.size < 256 ? `.p/${kept.checkpoint.size}` : ""}`;
    const entries = (await service.fetch(tile)).body;
    const { body } = await erase(site, "erased");
    const receipt = await waitForReceipt(site, body.links.self);
    assert.deepEqual(receipt.erasure[0].record.leaves, [kept.index]);
    assert.equal((await service.fetch(tile)).body, entries, "its leaf stays");

    const trustedKeys = await Promise.all(receipt.keys.map(parseVerifierKey));
    const { size } = parseTlogProof(receipt.erasure[0].proof).checkpoint;
    const sizes = { from: kept.checkpoint.size, to: size };
    const href = hrefOf("", paths.consistency, { projectId: site.id }, sizes);
    const consistency = [parseConsistency(JSON.stringify((await service.fetch(href)).body))];
    const checkpoint = kept.checkpoint.source;
    const trust = { trustedKeys, checkpoint, consistency };
    const report = await verifyBundle(JSON.stringify(receipt), trust);
    assert.equal(report.verdict, "proven", JSON.stringify(report.checks, null, 2));

    const fresh = await waitForProof(before.consent.record.consentId, "somebody else");
    assert.equal(fresh.consent.salt, before.consent.salt);
    const other = await verifyBundle(JSON.stringify(fresh), { trustedKeys });
    assert.equal(other.verdict, "proven", JSON.stringify(other.checks, null, 2));
    // Anyone who has an earlier copy of the proof can still verify it.
    const theirs = await verifyBundle(JSON.stringify(erased), { trustedKeys });
    assert.equal(theirs.verdict, "proven");
  });
});
