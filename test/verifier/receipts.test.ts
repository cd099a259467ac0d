import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { type Trust, verifyBundle } from "../../packages/verifier/verify.ts";
import { TestLog, consentRecord } from "./log.ts";

const { projectId } = consentRecord;
const erasure = {
  type: "erasure",
  v: 1,
  erasureId: "6741f0a2c9e77c0012ab34cf",
  projectId,
  erasedAt: "2026-11-21T09:00:00.000Z",
  reason: "request",
  orderedBy: "6741f0a2c9e77c0012ab34d0",
  count: 3,
};
type Entry = Record<string, unknown>;

/** A receipt of these entries, in a log with eight entries before them and five after. */
function newReceipt(entries: readonly Entry[]) {
  const log = new TestLog();
  log.fill(8);
  const added = entries.map((entry) => log.add({ ...erasure, ...entry }));
  log.fill(5);
  const receipt = {
    format: "avow-erasure-receipt/v1",
    origin: log.origin,
    keys: log.keys.map(({ text }) => text),
    erasure: added.map(({ record, salt, index }) => ({
      record,
      salt: salt.toString("base64"),
      proof: log.proof(index),
    })),
  };
  return { log, receipt };
}

const whole = { part: 1, parts: 1, leaves: [2, 5] };
const parts = [
  { part: 1, parts: 2, leaves: [2, 5] },
  { part: 2, parts: 2, leaves: [7] },
];

async function verify(log: TestLog, receipt: unknown, trust: Partial<Trust> = {}) {
  const trustedKeys = await Promise.all(log.keys.map(({ text }) => parseVerifierKey(text)));
  const text = typeof receipt === "string" ? receipt : JSON.stringify(receipt);
  const { verdict, checks } = await verifyBundle(text, { trustedKeys, ...trust });
  const fails = checks.filter(({ holds }) => holds === false).map(({ name }) => name);
  return { verdict, fails, says: checks.map(({ says }) => says).join("\n") };
}

describe("the receipt of an erasure", () => {
  it("is proven by the log's key, in English and in French", async () => {
    const { log, receipt } = newReceipt([whole]);
    const english = await verify(log, receipt);
    assert.equal(english.verdict, "proven", english.says);
    assert.match(
      english.says,
      /3 records of project \w+ were erased, of which 2 had a commitment in the log/,
    );
    const { says } = await verify(log, receipt, { language: "fr" });
    assert.match(says, /3 enregistrements du projet \w+ ont été effacés, dont 2 figuraient/);
  });

  it("is proven with several entries, and with one that erased nothing from the log", async () => {
    for (const entries of [parts, [{ part: 1, parts: 1, leaves: [] }]]) {
      const { log, receipt } = newReceipt(entries);
      const { verdict, says } = await verify(log, receipt);
      assert.equal(verdict, "proven", says);
    }
  });

  it("is consistent with an older kept checkpoint", async () => {
    const { log, receipt } = newReceipt(parts);
    const consistency = [log.consistency(6)];
    const kept = { checkpoint: log.checkpoint(6) };
    const { verdict, says } = await verify(log, { ...receipt, consistency }, kept);
    assert.equal(verdict, "proven", says);
    assert.equal((await verify(log, receipt, kept)).verdict, "open");
  });

  const wrong: Record<string, readonly Entry[]> = {
    "another record": [{ ...whole, type: "consent" }],
    "another version": [{ ...whole, v: 2 }],
    "no id": [{ ...whole, erasureId: "" }],
    "a missing part": [{ ...whole, parts: 2 }],
    "reordered parts": parts.toReversed(),
    "a part of another erasure": [parts[0] ?? {}, { ...parts[1], orderedBy: "somebody else" }],
    "a wrong count in a part": [parts[0] ?? {}, { ...parts[1], count: 4 }],
    "a leaf twice": [{ ...whole, leaves: [2, 2] }],
    "a leaf in two parts": [parts[0] ?? {}, { ...parts[1], leaves: [5] }],
    "a leaf after its own": [{ ...whole, leaves: [2, 9] }],
    "its own leaf": [{ ...whole, leaves: [8] }],
    "more leaves than records": [{ ...whole, leaves: [1, 2, 3, 4] }],
    "invalid leaves": [{ ...whole, leaves: [1, "2"] }],
    "a fractional leaf": [{ ...whole, leaves: [1.5] }],
    "no leaves": [{ ...whole, leaves: null }],
    "an invalid count": [{ ...whole, count: "3" }],
  };
  for (const [name, entries] of Object.entries(wrong))
    it(`is not proven with ${name}, although the log contains it`, async () => {
      const { log, receipt } = newReceipt(entries);
      const { verdict, fails } = await verify(log, receipt);
      assert.equal(verdict, "broken");
      assert.deepEqual(fails, ["record"]);
    });

  it("is not proven under two trees, without an entry, or with unchecked members", async () => {
    const { log, receipt } = newReceipt(parts);
    const [first, second] = receipt.erasure;
    const proof = log.proof(9, 11);
    const twoTrees = { ...receipt, erasure: [first, { ...second, proof }] };
    assert.deepEqual((await verify(log, twoTrees)).fails, ["tree"]);
    assert.deepEqual((await verify(log, { ...receipt, erasure: [] })).fails, ["format"]);
    assert.deepEqual((await verify(log, { ...receipt, consent: null })).fails, ["format"]);
    const more = { ...receipt, erasure: [{ ...first, note: "1" }, second] };
    assert.deepEqual((await verify(log, more)).fails, ["format"]);
    const other = { ...receipt, format: "avow-erasure-receipt/v2" };
    assert.deepEqual((await verify(log, other)).fails, ["format"]);
  });

  it("fails with any one bit changed", async () => {
    const { log, receipt } = newReceipt(parts);
    const text = JSON.stringify(receipt);
    assert.equal((await verify(log, text)).verdict, "proven");
    const trustedKeys = await Promise.all(log.keys.map(({ text: key }) => parseVerifierKey(key)));
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ (1 << ((at + Math.floor(at / 8)) % 8));
      const { verdict } = await verifyBundle(changed, { trustedKeys });
      assert.notEqual(verdict, "proven", `byte ${at}`);
    }
  });
});
