import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Trust, verifyBundle } from "../../packages/verifier/verify.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { type TestBundle, TestLog, consentRecord, content, newBundle, newKey } from "./log.ts";

type VerifyOptions = Omit<Trust, "trustedKeys"> & { keys?: string[] };

async function verify(bundle: unknown, { keys = [], ...trust }: VerifyOptions = {}) {
  const text = typeof bundle === "string" ? bundle : JSON.stringify(bundle);
  const trustedKeys = await Promise.all(keys.map(parseVerifierKey));
  const report = await verifyBundle(text, { ...trust, trustedKeys });
  const of = (holds: boolean | null) =>
    report.checks.filter((check) => check.holds === holds).map(({ name }) => name);
  const says = report.checks.map((check) => check.says).join("\n");
  return { verdict: report.verdict, fails: of(false), open: of(null), holds: of(true), says };
}

const trusted = (log: TestLog): { keys: string[] } => ({ keys: log.keys.map(({ text }) => text) });

describe("a proof bundle", () => {
  it("is proven by the log's key, with a plain sentence for each check", async () => {
    const { log, text } = newBundle();
    const report = await verify(text, trusted(log));
    assert.equal(report.verdict, "proven", report.says);
    assert.deepEqual(report.holds, [
      "format",
      "record",
      "inclusion",
      "origin",
      "signature",
      "signer",
      "publication",
      "publication-inclusion",
      "publication-content",
    ]);
    assert.match(
      report.says,
      /is in the log, at index 7 of its 13 entries: not a character was changed/,
    );
    assert.match(
      report.says,
      /signed by a key that you trust: consent\.example\/log\+[0-9a-f]{8}\./,
    );
    const french = await verify(text, { ...trusted(log), language: "fr" });
    assert.match(
      french.says,
      /est dans le journal, à l’indice 7 de ses 13 entrées : pas un caractère/,
    );
  });

  it("is proven in logs of every size, at every index", async () => {
    for (const [before, after] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [13, 40],
      [250, 20],
    ] as const) {
      const { log, text } = newBundle(new TestLog(), { before, after });
      assert.equal((await verify(text, trusted(log))).verdict, "proven", `${before} ${after}`);
    }
  });

  it("is proven as the log's only entry, without a publication that it does not name", async () => {
    const log = new TestLog();
    const record = { ...consentRecord, publication: null, version: null };
    const added = log.add(record);
    const consent = { record, salt: added.salt.toString("base64"), proof: log.proof(0) };
    const keys = log.keys.map(({ text }) => text);
    const bundle = {
      format: "avow-proof-bundle/v1",
      origin: log.origin,
      keys,
      consent,
      publication: null,
    };
    assert.equal((await verify(bundle, trusted(log))).verdict, "proven");
  });

  it("is open without a key: it is consistent, but the signer is not established", async () => {
    const { text } = newBundle();
    const { verdict, open, says } = await verify(text);
    assert.deepEqual([verdict, open], ["open", ["signer"]]);
    assert.match(says, /The signer is not verified/);
  });

  it("is not proven by another key, not even one of the same name", async () => {
    const { text, log } = newBundle();
    const { verdict, fails } = await verify(text, { keys: [newKey(log.origin).text] });
    assert.deepEqual([verdict, fails], ["broken", ["signer"]]);
  });

  it("is not proven by the key of a mere cosigner, only by the log's key", async () => {
    const other = newKey("other.example/log");
    const { text } = newBundle(new TestLog("consent.example/log", [other]));
    const { fails } = await verify(text, { keys: [other.text] });
    assert.deepEqual(fails, ["signature", "signer"]);
  });

  it("is proven by either key during a key rotation, and when the bundle omits keys", async () => {
    const origin = "consent.example/log";
    const keys = [newKey(origin), newKey(origin)];
    const { text, bundle } = newBundle(new TestLog(origin, keys));
    for (const key of keys) {
      assert.equal((await verify(text, { keys: [key.text] })).verdict, "proven");
      const { verdict, open } = await verify({ ...bundle, keys: [] }, { keys: [key.text] });
      assert.deepEqual([verdict, open], ["open", ["signature"]]);
    }
    const both = { keys: keys.map((key) => key.text) };
    assert.equal((await verify({ ...bundle, keys: [] }, both)).verdict, "proven");
  });

  it("reports its witnesses, and fails without one that is required", async () => {
    const origin = "consent.example/log";
    const [log, witness] = [newKey(origin), newKey("witness.example/w1", 0x04)];
    const { text } = newBundle(new TestLog(origin, [log, witness]));
    const { verdict, says } = await verify(text, { keys: [log.text, witness.text] });
    assert.equal(verdict, "proven");
    assert.match(
      says,
      /Witnesses saw this checkpoint: witness\.example\/w1 on 2023-03-20T12:25:47\.000Z/,
    );
    const missing = newKey("witness.example/w2", 0x04);
    const asked = await verify(text, { keys: [log.text, missing.text] });
    assert.deepEqual(asked.fails, ["witness"]);
    // A witness alone shows that it saw the log, not that this is the log it names.
    assert.deepEqual((await verify(text, { keys: [witness.text] })).open, ["signer"]);
  });

  it("reports the published content as not established when the publication is left out", async () => {
    const { log, bundle } = newBundle();
    const { verdict, open } = await verify({ ...bundle, publication: null }, trusted(log));
    assert.deepEqual([verdict, open], ["open", ["publication"]]);
  });
});

/** One change each, with the checks that must fail. */
const changes: [string, (bundle: TestBundle, log: TestLog) => unknown, string[]][] = [
  [
    "an answer",
    ({ consent, ...rest }) => ({
      ...rest,
      consent: { ...consent, record: { ...consent.record, accept: false } },
    }),
    ["inclusion"],
  ],
  [
    "an extra member in the record",
    ({ consent, ...rest }) => ({
      ...rest,
      consent: { ...consent, record: { ...consent.record, more: 1 } },
    }),
    ["inclusion"],
  ],
  [
    "the salt",
    ({ consent, ...rest }) => ({
      ...rest,
      consent: { ...consent, salt: Buffer.alloc(32).toString("base64") },
    }),
    ["inclusion"],
  ],
  [
    "the index",
    ({ consent, ...rest }) => ({
      ...rest,
      consent: { ...consent, proof: consent.proof.replace("index 7", "index 6") },
    }),
    ["inclusion"],
  ],
  [
    "the published words",
    ({ publication, ...rest }) => ({
      ...rest,
      publication: publication && { ...publication, content: content.replace("pouvez", "devez") },
    }),
    ["publication-content"],
  ],
  [
    "the published content with its hash in the record",
    ({ publication, ...rest }) => ({
      ...rest,
      publication: publication && {
        ...publication,
        record: { ...publication.record, hash: "0".repeat(64) },
      },
    }),
    ["publication", "publication-inclusion", "publication-content"],
  ],
  [
    "the publication, replaced by the consent",
    ({ consent, publication, ...rest }) => ({
      ...rest,
      publication: publication && { ...publication, ...consent },
      consent,
    }),
    ["publication", "publication-content"],
  ],
  [
    "the consent, replaced by the publication",
    ({ publication, ...rest }) => {
      const { content: _, ...proven } = publication ?? { content: "" };
      return { ...rest, consent: proven, publication };
    },
    ["record", "publication"],
  ],
  ["the origin", (bundle) => ({ ...bundle, origin: "other.example/log" }), ["origin"]],
  [
    "the tree, signed by another log's key",
    (bundle, log) => {
      const forged = new TestLog(log.origin, [newKey(log.origin)]);
      return { ...newBundle(forged).bundle, keys: bundle.keys };
    },
    ["signature", "signer"],
  ],
  [
    "the tree and the keys",
    (_, log) => newBundle(new TestLog(log.origin, [newKey(log.origin)])).bundle,
    ["signer"],
  ],
];

describe("a bundle with a change in", () => {
  for (const [what, change, failing] of changes) {
    it(`${what} is not proven, and names the failed checks`, async () => {
      const { log, bundle } = newBundle();
      const { verdict, fails, says } = await verify(change(bundle, log), trusted(log));
      assert.equal(verdict, "broken");
      assert.deepEqual(fails, failing, says);
    });
  }

  const consents: [string, Record<string, unknown>, string][] = [
    ["another type", { type: "erasure" }, "record"],
    ["another version of the record's format", { v: 2 }, "record"],
    ["no consent", { consentId: undefined }, "record"],
    ["no project", { projectId: "", publication: null }, "record"],
    ["a project other than the publication's", { projectId: "other" }, "publication"],
    ["a version other than the publication's", { version: 4 }, "publication"],
    ["another publication", { publication: "0".repeat(64) }, "publication"],
  ];
  for (const [what, change, name] of consents) {
    it(`nothing, but with a logged record of ${what}, is not proven`, async () => {
      const { log, bundle } = newBundle();
      const record = JSON.parse(
        JSON.stringify({ ...consentRecord, ...change }),
      ) as typeof consentRecord;
      const { salt, index } = log.add(record);
      const consent = { record, salt: salt.toString("base64"), proof: log.proof(index) };
      const publication = record.publication &&
        bundle.publication && { ...bundle.publication, proof: log.proof(4) };
      const { fails } = await verify({ ...bundle, consent, publication }, trusted(log));
      assert.deepEqual(fails, [name]);
    });
  }
});

describe("a file that is not a bundle of this format", () => {
  const source = newBundle();
  const { bundle } = source;
  const cases: [string, unknown, RegExp][] = [
    ["no JSON", "{", /not valid JSON/],
    [
      "a proof that is still being made",
      { status: "pending", detail: "Wait.", links: { self: "https://consent.example/" } },
      /Download it again from the same address/,
    ],
    ["a list", [], /The file must be an object/],
    [
      "another format",
      { ...bundle, format: "avow-proof-bundle/v2" },
      /not a proof bundle of the format/,
    ],
    ["an unknown member", { ...bundle, note: "trust me" }, /“note” is not a member/],
    ["a missing member", { ...bundle, publication: undefined }, /“publication” is missing/],
    ["a duplicate member", source.text.replace("{", '{"origin":"x",'), /“origin” occurs twice/],
    ["trailing data", `${source.text}{}`, /unexpected text after the end/],
    ["a number instead of a string", { ...bundle, origin: 1 }, /“origin” must be a string/],
    ["a string instead of a list", { ...bundle, keys: "x" }, /“keys” must be an array/],
    ["an invalid key", { ...bundle, keys: ["x"] }, /not a key: “x”/],
    [
      "an unknown member in the consent",
      { ...bundle, consent: { ...bundle.consent, x: 1 } },
      /“consent\.x”/,
    ],
    [
      "a list instead of a record",
      { ...bundle, consent: { ...bundle.consent, record: [] } },
      /an object/,
    ],
    [
      "a short salt",
      { ...bundle, consent: { ...bundle.consent, salt: "AAAA" } },
      /must have 32 bytes, but has 3/,
    ],
    [
      "extra data in a proof",
      {
        ...bundle,
        consent: {
          ...bundle.consent,
          proof: bundle.consent.proof.replace("index", "extra AAAA\nindex"),
        },
      },
      /extra data, which is not proven/,
    ],
    [
      "a size beyond 2^53",
      { ...bundle, consistency: [{ from: 2 ** 53, to: 1, proof: [] }] },
      /whole number/,
    ],
    [
      "a fractional size",
      { ...bundle, consistency: [{ from: 0.5, to: 1, proof: [] }] },
      /whole number/,
    ],
    ["more than 16 MiB", { ...bundle, origin: "x".repeat(16 * 1024 * 1024) }, /larger than 16 MiB/],
  ];
  for (const [what, value, reason] of cases) {
    it(`is rejected with a plain sentence: ${what}`, async () => {
      const { verdict, fails, says } = await verify(value, trusted(source.log));
      const otherFiles = ["no JSON", "a list", "a proof that is still being made"];
      const isOtherFile = otherFiles.includes(what);
      assert.deepEqual([verdict, fails], ["broken", [isOtherFile ? "no-bundle" : "format"]]);
      assert.match(says, reason);
    });
  }
});
