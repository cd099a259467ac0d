import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseCheckpoint } from "../../packages/verifier/formats/checkpoint.ts";
import { verifyNote } from "../../packages/verifier/formats/note.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { askJson } from "../faults/durability/http.ts";
import { waitFor } from "../faults/lifecycle/process.ts";
import { newKey } from "../verifier/log.ts";
import { runAvow } from "../command.ts";
import { type Mood, type TestWitness, openWitness } from "./witness.ts";
import { type CollectedConsent, fill, openFilled, query, readCheckpoint, sizeOf } from "./world.ts";

type FilledWorld = Awaited<ReturnType<typeof openFilled>>;

let filled: FilledWorld;
before(async () => {
  filled = await openFilled(5, 0);
});
after(() => filled.world[Symbol.asyncDispose]());

const open = (...witnesses: TestWitness[]) =>
  filled.world.open(undefined, {
    EVIDENCE_WITNESSES: witnesses.map(({ setting }) => setting).join(", "),
  });

/** The log's checkpoint, once all these witnesses have cosigned it. */
async function waitForWitnesses(address: string, witnesses: readonly TestWitness[]) {
  const keys = await Promise.all(witnesses.map(({ key }) => parseVerifierKey(key.text)));
  return waitFor("the cosignatures", async () => {
    const text = await readCheckpoint(address);
    const { signers, failed } = await verifyNote(parseCheckpoint(text).note, keys);
    assert.deepEqual(failed, []);
    return signers.length === keys.length ? text : undefined;
  });
}

async function newWitness(name = "witness.example/w"): Promise<TestWitness> {
  return openWitness(`${name}${Math.random().toString(36).slice(2)}`, {
    origin: "consent.example/log",
    key: filled.key,
  });
}

describe("the log's witnesses", () => {
  it("cosign each tree, and the log includes that in its checkpoint and proofs", async () => {
    const { site, early, key } = filled;
    const [consent] = early as [CollectedConsent];
    await using one = await newWitness();
    await using two = await newWitness();
    await using service = await open(one, two);
    const first = await waitForWitnesses(service.url, [one, two]);
    await fill({ ...site, address: service.url }, 3);
    const second = await waitForWitnesses(service.url, [one, two]);
    assert.equal(sizeOf(second), sizeOf(first) + 3);
    assert.deepEqual([one.seen.size, two.seen.size], [sizeOf(second), sizeOf(second)]);
    assert.ok(
      one.answered.every((status) => status === 200),
      one.answered.join(),
    );
    const witnessed = await fetch(`${service.url}/log/checkpoint/witnessed`);
    assert.equal(await witnessed.text(), second);

    const { consentId, token } = consent;
    const at = service.url + hrefOf("", paths.proof, { consentId }, { token });
    const bundle = await askJson<{ keys: string[] }>(at);
    assert.deepEqual(bundle.keys.slice(1).toSorted(), [one.key.text, two.key.text].toSorted());
    const trust = [key, one.key.text, two.key.text];
    const trustedKeys = await Promise.all(trust.map(parseVerifierKey));
    const { verdict, checks } = await verifyBundle(JSON.stringify(bundle), { trustedKeys });
    assert.equal(verdict, "proven", JSON.stringify(checks));
    assert.match(checks.find(({ name }) => name === "witness")?.says ?? "", /Witnesses saw this/);

    const keys = trust.flatMap((text) => ["--key", text]);
    const check = ["log", "check", "--url", service.url, "--key", key];
    for (const args of [check, [...check, ...keys]]) {
      const { code, out, err } = await runAvow(args);
      assert.equal(code, 0, out + err);
    }
    const missing = newKey("witness.example/missing", 0x04).text;
    const unsigned = await runAvow([...check, "--key", missing]);
    assert.match(
      unsigned.out,
      /✗ Witnesses that you trust did not sign: witness\.example\/missing/,
    );
    const records = await runAvow(["log", "check", "--records", ...keys], {
      env: filled.world.env,
    });
    assert.equal(records.code, 0, records.out + records.err);
  });

  it("answer with the size that they have seen, and the log continues from there", async () => {
    await using witness = await newWitness();
    {
      await using service = await open(witness);
      await waitForWitnesses(service.url, [witness]);
    }
    const { seen } = witness;
    await query(filled.world.databaseUrl, "UPDATE log_witnesses SET size = 2, next_at = now()");
    await using service = await open(witness);
    await fill({ ...filled.site, address: service.url }, 2);
    await waitForWitnesses(service.url, [witness]);
    assert.ok(witness.answered.includes(409));
    assert.equal(witness.seen.size, seen.size + 2);
  });

  it("do not block the log, and cosign again after they recover", async () => {
    await using good = await newWitness();
    await using bad = await newWitness();
    bad.lagMs = 400;
    await using service = await open(good, bad);
    const here = { ...filled.site, address: service.url };
    await waitForWitnesses(service.url, [good, bad]);
    const moods: Mood[] = ["away", "wrong signature", "other key", "no size", "endless"];
    const reasons = [
      /responded with status 503/,
      /invalid cosignature/,
      /response has no cosignature by its key/,
      /responded with status 409 without a size/,
      /response too long/,
    ];
    for (const [at, mood] of moods.entries()) {
      bad.mood = mood;
      await query(
        filled.world.databaseUrl,
        "UPDATE log_witnesses SET next_at = now(), failures = 0",
      );
      await fill(here, 1);
      await waitForWitnesses(service.url, [good]);
      const reason = reasons[at] ?? /^$/;
      await waitFor(`the reason of ${mood}`, () =>
        service.lines.some((line) => reason.test(line)) ? true : undefined,
      );
    }
    const { failures } = await readWitness(bad);
    assert.ok(failures > 0);
    bad.mood = "well";
    await query(filled.world.databaseUrl, "UPDATE log_witnesses SET next_at = now()");
    await waitForWitnesses(service.url, [good, bad]);
    assert.equal((await readWitness(bad)).failures, 0);
  });

  it("reject a rewritten log, and the service logs that", async () => {
    await using witness = await newWitness();
    await using service = await open(witness);
    const here = { ...filled.site, address: service.url };
    await waitForWitnesses(service.url, [witness]);
    witness.seen = { ...witness.seen, root: Buffer.alloc(32) };
    await fill(here, 1);
    await waitFor("the refusal", () => (witness.answered.includes(422) ? true : undefined));
    await waitFor("the reason", () =>
      service.lines.some((line) => line.includes("responded with status 422")) ? true : undefined,
    );
    const checkpoint = await readCheckpoint(service.url);
    assert.ok(!checkpoint.includes(witness.key.name));
  });

  it("are asked by one node of several, once for each tree", async () => {
    await using witness = await newWitness();
    await using one = await open(witness);
    await using two = await open(witness);
    await fill({ ...filled.site, address: one.url }, 2);
    await waitForWitnesses(two.url, [witness]);
    assert.ok(
      witness.answered.every((status) => status === 200),
      witness.answered.join(),
    );
  });

  it("require keys of cosignatures, or the service does not start", async () => {
    const logKey = newKey("witness.example/log").text;
    const good = newKey("witness.example/w", 0x04).text;
    const cases: [string, RegExp][] = [
      [`https://w.example ${logKey}`, /EVIDENCE_WITNESSES: .* is not the key of a witness/],
      [
        `https://w.example ${good.replace("w+", "v+")}`,
        /EVIDENCE_WITNESSES: The id in the key of .* does not match the key/,
      ],
      [`https://w.example ${good}, https://v.example ${good}`, /Two witnesses have the same key/],
      ["https://w.example", /EVIDENCE_WITNESSES: expected an address and a verifier key/],
    ];
    for (const [setting, message] of cases)
      await assert.rejects(
        async () => filled.world.open(undefined, { EVIDENCE_WITNESSES: setting }),
        { message },
        setting,
      );
  });
});

async function readWitness({ key }: TestWitness): Promise<{ failures: number }> {
  const text = "SELECT failures FROM log_witnesses WHERE verifier = $1";
  const [row] = await query<{ failures: number }>(filled.world.databaseUrl, text, [key.text]);
  assert.ok(row);
  return row;
}
