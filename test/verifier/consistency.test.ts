import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { parseConsistency } from "../../packages/verifier/formats/bundle.ts";
import { FormatError } from "../../packages/verifier/formats/errors.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { TestLog, newBundle, newKey } from "./log.ts";

interface VerifyInput {
  log: TestLog;
  bundle: object;
  checkpoint?: string;
  proofs?: unknown[];
}

async function verify({ log, bundle, checkpoint, proofs = [] }: VerifyInput) {
  const report = await verifyBundle(JSON.stringify(bundle), {
    trustedKeys: await Promise.all(log.keys.map(({ text }) => parseVerifierKey(text))),
    checkpoint,
    consistency: proofs.map((proof) => parseConsistency(JSON.stringify(proof))),
  });
  const found = report.checks.filter(({ name }) => /kept|consistency/.test(name));
  return {
    verdict: report.verdict,
    checks: Object.fromEntries(found.map(({ name, holds }) => [name, holds])),
    says: found.map(({ says }) => says).join("\n"),
  };
}

describe("a bundle and an older kept checkpoint", () => {
  it("are proven with a consistency proof, in the bundle or in a separate file", async () => {
    const { log, bundle } = newBundle();
    const [checkpoint, proof] = [log.checkpoint(6), log.consistency(6)];
    for (const input of [
      { log, checkpoint, bundle: { ...bundle, consistency: [proof] } },
      { log, checkpoint, bundle, proofs: [{ ...proof, links: { self: "…" } }] },
    ]) {
      const { verdict, checks, says } = await verify(input);
      assert.equal(verdict, "proven", says);
      assert.deepEqual(checks, { "kept-checkpoint": true, consistency: true });
      assert.match(says, /the log of 13 entries begins with all 6 entries of the older one/);
    }
  });

  it("are open without one, with a hint on how to get it", async () => {
    const { log, bundle } = newBundle();
    const { verdict, says } = await verify({ log, bundle, checkpoint: log.checkpoint(6) });
    assert.equal(verdict, "open");
    assert.match(
      says,
      /GET \/v1\/app\/proofs\/6741f0a2c9e77c0012ab34cd\/consistency\?from=6&to=13 and add it/,
    );
  });

  it("need no proof for an equal size or the empty log", async () => {
    const { log, bundle } = newBundle();
    for (const size of [0, 13])
      assert.equal(
        (await verify({ log, bundle, checkpoint: log.checkpoint(size) })).verdict,
        "proven",
      );
  });

  it("are proven when the kept checkpoint is the newer one", async () => {
    const { log, bundle } = newBundle();
    log.fill(20);
    const input = { log, bundle, checkpoint: log.checkpoint() };
    assert.equal((await verify(input)).verdict, "open");
    const { verdict } = await verify({ ...input, proofs: [log.consistency(13)] });
    assert.equal(verdict, "proven");
  });

  it("fail when the checkpoint is of another log or by another key", async () => {
    const { log, bundle } = newBundle();
    const other = new TestLog("other.example/log", log.keys);
    other.fill(13);
    const { checks, says } = await verify({ log, bundle, checkpoint: other.checkpoint() });
    assert.equal(checks["kept-checkpoint"], false);
    assert.match(says, /of another log, other\.example\/log/);
    const forged = new TestLog(log.origin, [newKey(log.origin)]);
    forged.entries.push(...log.entries);
    const forgedReport = await verify({ log, bundle, checkpoint: forged.checkpoint() });
    assert.deepEqual(forgedReport.checks, { "kept-checkpoint": false, consistency: true });
  });

  it("are open with an unrelated proof, and fail with a wrong one", async () => {
    const { log, bundle } = newBundle();
    const unused = { ...bundle, consistency: [log.consistency(5)] };
    const open = await verify({ log, bundle: unused, checkpoint: log.checkpoint(13) });
    assert.deepEqual([open.verdict, open.checks["consistency-proof"]], ["open", null]);
    const wrong = { ...log.consistency(5), from: 6 };
    const { verdict, checks } = await verify({
      log,
      bundle: { ...bundle, consistency: [wrong] },
      checkpoint: log.checkpoint(6),
    });
    assert.equal(verdict, "broken");
    assert.deepEqual(checks, { "kept-checkpoint": true, consistency: false });
  });

  it("are rejected when the checkpoint or the proof cannot be parsed", async () => {
    const { log, bundle } = newBundle();
    await assert.rejects(verify({ log, bundle, checkpoint: "x" }), FormatError);
    for (const wrong of [[], {}, { from: 1, to: 2 }, { from: "1", to: 2, proof: [] }])
      assert.throws(() => parseConsistency(JSON.stringify(wrong)), FormatError);
  });
});

describe("any two checkpoints of one log", () => {
  it("are consistent at any sizes", async () => {
    const log = new TestLog();
    const { bundle } = newBundle(log, { before: 60, after: 30 });
    const size = log.entries.length;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: size }), async (from) => {
        const proofs = from > 0 && from < size ? [log.consistency(from)] : [];
        const input = { log, bundle, checkpoint: log.checkpoint(from), proofs };
        assert.equal((await verify(input)).verdict, "proven");
      }),
      { numRuns: 60 },
    );
  });

  it("are not consistent once an entry of the older one has changed: a rewritten log is detected", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        fc.boolean(),
        async (from, at, isHonest) => {
          const log = new TestLog();
          log.fill(30);
          const kept = log.checkpoint(from);
          const before = log.consistency(from, 30);
          // The same key signs the rewritten log, with the best possible proof.
          log.entries[at % from] = randomBytes(32);
          const { bundle } = newBundle(log, { before: 0, after: 0 });
          const proof = isHonest ? log.consistency(from) : { ...before, to: log.entries.length };
          const { verdict, checks } = await verify({
            log,
            bundle,
            checkpoint: kept,
            proofs: [proof],
          });
          assert.equal(verdict, "broken");
          assert.equal(checks["consistency"], false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("at one size with different trees are reported as a split view", async () => {
    const { log, bundle } = newBundle();
    log.entries[0] = randomBytes(32);
    const { verdict, says } = await verify({ log, bundle, checkpoint: log.checkpoint() });
    assert.equal(verdict, "broken");
    assert.match(says, /two different logs of 13 entries with the same name/);
  });
});

describe("a bundle whose two proofs are under different checkpoints", () => {
  it("is proven with a consistency proof between them, and open without one", async () => {
    const { log, bundle } = newBundle();
    const older = { ...bundle.publication, proof: log.proof(4, 9) };
    const input = { log, bundle: { ...bundle, publication: older } };
    const { verdict, checks, says } = await verify(input);
    assert.deepEqual([verdict, checks["publication-consistency"]], ["open", null], says);
    const proofs = [log.consistency(9)];
    assert.equal((await verify({ ...input, proofs })).verdict, "proven");
  });

  it("is not proven when one of them is of another tree, or by another key", async () => {
    const { log, bundle } = newBundle();
    const other = new TestLog(log.origin, log.keys);
    other.entries.push(...log.entries.slice(0, 9));
    other.entries[0] = randomBytes(32);
    const forged = { ...bundle, publication: { ...bundle.publication, proof: other.proof(4) } };
    const proofs = [log.consistency(9)];
    assert.equal((await verify({ log, bundle: forged, proofs })).verdict, "broken");
    const stranger = new TestLog(log.origin, [newKey(log.origin)]);
    stranger.entries.push(...log.entries.slice(0, 9));
    const strange = { ...bundle, publication: { ...bundle.publication, proof: stranger.proof(4) } };
    assert.equal((await verify({ log, bundle: strange, proofs })).verdict, "broken");
  });
});
