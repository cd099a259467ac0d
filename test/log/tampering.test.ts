import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { growTree } from "../../packages/lab/bench/log/grow.ts";
import { toOneBucket } from "../../packages/server/platform/db/buckets/buckets.ts";
import { type Finding, auditRecords } from "../../packages/server/modules/evidence/proofs/audit.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { openPlanes } from "../../packages/server/platform/db/open.ts";
import { askJson } from "../faults/durability/http.ts";
import { waitFor } from "../faults/lifecycle/process.ts";
import { type ProgramResult, runAvow } from "../command.ts";
import { findLeaf, flipAnswer, readEntries, rewriteLog, toForgedEntry } from "./rewriting.ts";
import { type CollectedConsent, openFilled, query, readCheckpoint, sizeOf } from "./world.ts";

type FilledWorld = Awaited<ReturnType<typeof openFilled>>;
type Bundle = { consent: { record: Record<string, unknown>; salt: string } };

let filled: FilledWorld;
let victim: CollectedConsent;
let other: CollectedConsent;
let filledBundle: Bundle["consent"];
before(async () => {
  filled = await openFilled(30, 270);
  [victim, other] = filled.early.slice(10) as [CollectedConsent, CollectedConsent];
  await using service = await filled.world.open();
  filledBundle = (await readBundle(service.url, victim)).consent;
});
after(() => filled.world[Symbol.asyncDispose]());

async function readBundle(
  address: string,
  { consentId, token }: CollectedConsent,
): Promise<Bundle> {
  return waitFor("a proof", async () => {
    const answer = await fetch(address + hrefOf("", paths.proof, { consentId }, { token }));
    return answer.ok ? ((await answer.json()) as Bundle) : undefined;
  });
}

type CheckName = "verify" | "verifyKept" | "check" | "checkKept" | "records" | "recordsKept";

/** Runs the named checks against a copy of the log that `tamper` has changed. */
async function runChecks<const Name extends CheckName>(
  names: readonly Name[],
  tamper: (url: string) => Promise<void>,
): Promise<Record<Name, ProgramResult> & { bundle: Bundle }> {
  const { world, key, kept, site } = filled;
  const url = await world.copy();
  await tamper(url);
  const env = { ...world.env, DATABASE_URL: url };
  await using service = await world.open(url);
  const bundle = await readBundle(service.url, victim);
  const now = await readCheckpoint(service.url);
  const sizes = { from: String(sizeOf(kept)), to: String(sizeOf(now)) };
  const at = hrefOf("", paths.consistency, { projectId: site.id }, sizes);
  const proof = world.file("proof.json");
  const consistency = world.file("path.json");
  await writeFile(proof, JSON.stringify(bundle));
  await writeFile(consistency, JSON.stringify(await askJson<object>(service.url + at)));
  const withKept = ["--checkpoint", world.file("kept.txt")];
  const verify = ["verify", proof, "--key", key];
  const check = ["log", "check", "--url", service.url, "--key", key];
  const records = ["log", "check", "--records"];
  const lines: Record<CheckName, string[]> = {
    verify,
    verifyKept: [...verify, "--consistency", consistency, ...withKept],
    check,
    checkKept: [...check, ...withKept],
    records,
    recordsKept: [...records, ...withKept],
  };
  const runs = await Promise.all(
    names.map(async (name) => [name, await runAvow(lines[name], { env })]),
  );
  return { ...(Object.fromEntries(runs) as Record<Name, ProgramResult>), bundle };
}

function assertHolds(runs: Record<string, ProgramResult>): void {
  for (const [name, { code, out, err }] of Object.entries(runs))
    assert.equal(code, 0, `${name}\n${out}${err}`);
}

function assertReported(runs: Record<string, ProgramResult>, pattern: RegExp): void {
  for (const [name, { code, out, err }] of Object.entries(runs)) {
    assert.equal(code, 1, `${name}\n${out}${err}`);
    assert.match(out, pattern, name);
  }
}

const rewritten = /✗ The log was rewritten/;

describe("a log that its operator tampers with", () => {
  it("passes every check when nothing was changed", async () => {
    const { bundle: _, ...runs } = await runChecks(
      ["verify", "verifyKept", "check", "checkKept", "records", "recordsKept"],
      async () => undefined,
    );
    assertHolds(runs);
    assert.match(runs.checkKept.out, /✓ The tree recomputed from all 302 entries/);
    assert.match(
      runs.checkKept.out,
      /✓ Nothing was rewritten: the log of 302 entries begins with all 32/,
    );
    assert.match(
      runs.records.out,
      /✓ All 302 records and documents match their commitments in the log/,
    );
  });

  it("reports a changed record, in its proof and in the check of records", async () => {
    const found = await runChecks(["verify", "checkKept", "records"], (url) =>
      flipAnswer(url, victim.consentId),
    );
    assertReported({ verify: found.verify }, /✗ The record does not match the log at index/);
    assertHolds({ check: found.checkKept });
    const named = new RegExp(`✗ Consent ${victim.consentId} of project .*, is not what the log`);
    assertReported({ records: found.records }, named);
    assert.equal(found.records.out.match(/✗/g)?.length, 1, "only the changed record is reported");
  });

  it("reports a rewrite of record, entry, hashes and signature to holders of an older checkpoint", async () => {
    const found = await runChecks(
      ["verify", "verifyKept", "check", "checkKept", "records", "recordsKept"],
      async (url) => {
        await flipAnswer(url, victim.consentId);
        const { leaf, salt } = await findLeaf(url, victim.consentId);
        const { record } = filledBundle;
        const forged = toForgedEntry({ ...record, accept: record["accept"] !== true }, salt);
        await rewriteLog(filled.world, url, (await readEntries(url)).with(leaf, forged));
      },
    );
    const { verify, check, records } = found;
    // A rewrite is undetectable without an older checkpoint: hence checkpoints and witnesses.
    assertHolds({ verify, check, records });
    assert.notEqual(found.bundle.consent.record["accept"], filledBundle.record["accept"]);
    const { verifyKept, checkKept, recordsKept } = found;
    assertReported({ verifyKept, checkKept, recordsKept }, rewritten);
  });

  it("reports a removed leaf after the rest was moved up and signed", async () => {
    const found = await runChecks(["verifyKept", "checkKept", "recordsKept"], async (url) => {
      const { leaf } = await findLeaf(url, other.consentId);
      await query(url, "DELETE FROM consents WHERE id = $1", [other.consentId]);
      await query(url, "DELETE FROM consent_salts WHERE consent_id = $1", [other.consentId]);
      await query(url, "UPDATE consent_salts SET leaf = leaf - 1 WHERE leaf > $1", [leaf]);
      await query(url, "UPDATE log_documents SET leaf = leaf - 1 WHERE leaf > $1", [leaf]);
      await rewriteLog(filled.world, url, (await readEntries(url)).toSpliced(leaf, 1));
    });
    const { verifyKept, checkKept, recordsKept } = found;
    assertReported({ verifyKept, checkKept, recordsKept }, rewritten);
  });

  it("reports two swapped leaves, with their salts", async () => {
    const found = await runChecks(["verify", "verifyKept", "checkKept"], async (url) => {
      const [one, two] = [
        await findLeaf(url, victim.consentId),
        await findLeaf(url, other.consentId),
      ];
      const set = "UPDATE consent_salts SET leaf = $2 WHERE consent_id = $1";
      await query(url, set, [victim.consentId, two.leaf]);
      await query(url, set, [other.consentId, one.leaf]);
      const entries = await readEntries(url);
      const [first, second] = [entries[one.leaf], entries[two.leaf]];
      assert.ok(first && second);
      await rewriteLog(filled.world, url, entries.with(one.leaf, second).with(two.leaf, first));
    });
    const { verify, verifyKept, checkKept } = found;
    assertHolds({ verify });
    assertReported({ verifyKept, checkKept }, rewritten);
  });

  it("reports entries that do not make the signed tree, in every check", async () => {
    const found = await runChecks(["check", "records"], async (url) => {
      const { leaf } = await findLeaf(url, other.consentId);
      await query(
        url,
        "UPDATE log_tiles SET hashes = set_byte(hashes, $1, 255 - get_byte(hashes, $1)) WHERE level = -1 AND number = 0",
        [leaf * 32],
      );
    });
    const { check, records } = found;
    assertReported(
      { check, records },
      /✗ The tree recomputed from the 302 entries is not the one that was signed/,
    );
    assertReported({ check }, /✗ At least 2 hash tiles do not match the entries: tile\/0\/000\./);
    assertReported({ records }, new RegExp(`✗ Consent ${other.consentId}`));
  });
});

describe("avow log check --records", () => {
  const cases: [string, string, RegExp][] = [
    [
      "a missing consent and its missing salt",
      "WITH s AS (DELETE FROM consent_salts WHERE consent_id = $1) DELETE FROM consents WHERE id = $1",
      /✗ Leaf \d+ has no record and no document, and no erasure lists it\./,
    ],
    ["a missing record", "DELETE FROM consents WHERE id = $1", /✗ Consent .* has no record\./],
    [
      "a consent that is not in the log",
      "INSERT INTO consents SELECT (jsonb_populate_record(c, jsonb_build_object('id', uuidv7()))).* FROM consents c WHERE id = $1",
      /✗ Consent .* is neither in the log nor queued for it/,
    ],
    [
      "a changed answer combination",
      "UPDATE choices SET items = '{}' WHERE $1 <> ''",
      /✗ Consent .* is not what the log committed to[^]*and \d+ more findings/,
    ],
    [
      "changed published content",
      "UPDATE publications SET content = content || ' ' WHERE $1 <> ''",
      /✗ Version 1 \(production\) of project .*: its content does not match its hash/,
    ],
    [
      "a publication forged with its hash",
      "UPDATE publications SET content = content || ' ', hash = encode(sha256(convert_to(content || ' ', 'UTF8')), 'hex') WHERE $1 <> ''",
      /✗ Version 1 \(production\) of project .*: its hash is not in the log/,
    ],
    [
      "a changed document",
      "UPDATE log_documents SET document = (document::jsonb || '{\"size\":1}')::json WHERE $1 <> ''",
      /✗ publication\/production\/1 of project .*, leaf \d+, is not what the log committed to/,
    ],
    [
      "two consents at one leaf",
      "UPDATE consent_salts SET leaf = (SELECT leaf FROM consent_salts WHERE consent_id <> $1 LIMIT 1) WHERE consent_id = $1",
      /✗ Leaf \d+ of consent .* is also that of another/,
    ],
  ];
  for (const [what, statement, pattern] of cases)
    it(`reports ${what}`, async () => {
      const { world } = filled;
      const url = await world.copy();
      await query(url, statement, statement.includes("$1") ? [victim.consentId] : []);
      const env = { ...world.env, DATABASE_URL: url };
      assertReported({ records: await runAvow(["log", "check", "--records"], { env }) }, pattern);
    });

  it("reports a log that signs nothing while entries wait", async () => {
    const { world } = filled;
    const url = await world.copy();
    await query(
      url,
      `WITH h AS (UPDATE log_heads SET signed_at = now() - interval '1 hour')
      INSERT INTO consent_queue SELECT project_id, id FROM consents WHERE id = $1`,
      [victim.consentId],
    );
    const log = { warn: (...entry: unknown[]) => assert.fail(JSON.stringify(entry)) };
    await using planes = openPlanes({ url, dataUrl: url, poolMax: 1, queueMax: 1, log });
    const found: string[] = [];
    const onFinding = ({ says }: Finding) => void found.push(says);
    await auditRecords({
      db: planes.db,
      buckets: toOneBucket(planes.data),
      size: 302,
      waitMs: 100,
      onFinding,
    });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(
      found[0] ?? "",
      /^1 entry is queued for the log, and no tree was signed for 60 minutes/,
    );
  });

  it("reads a log of many tiles, and reports unexplained leaves as one range", async () => {
    const { world, key } = filled;
    const url = await world.copy();
    await growTree({ databaseUrl: url, dataDir: world.dataDir }, 70_000);
    await using service = await world.open(url);
    const check = ["log", "check", "--url", service.url, "--key", key];
    assertHolds({ check: await runAvow([...check, "--checkpoint", world.file("kept.txt")]) });
    const env = { ...world.env, DATABASE_URL: url };
    const records = await runAvow(["log", "check", "--records"], { env });
    assertReported({ records }, /✓ The tree recomputed from all 70000 entries/);
    assertReported({ records }, /✗ Leaves 302 to 69999 have no record and no document/);
    assert.equal(records.out.match(/✗/g)?.length, 1);
  });

  it("accepts a leaf as erased only when the log has its erasure", async () => {
    const { world, site } = filled;
    const url = await world.copy();
    const service = await world.open(url);
    const { token } = victim;
    const path = hrefOf(service.url, paths.erasedToken, { projectId: site.id, token });
    const headers = { authorization: `Bearer ${site.token}` };
    assert.equal((await fetch(path, { method: "DELETE", headers })).status, 200);
    await waitFor("the erasure in the log", async () =>
      sizeOf(await readCheckpoint(service.url)) === 303 ? true : undefined,
    );
    await service[Symbol.asyncDispose]();
    const env = { ...world.env, DATABASE_URL: url };
    const erased = await runAvow(["log", "check", "--records"], { env });
    assertHolds({ erased });
    assert.match(erased.out, /1 leaf was erased, as the log records/);
    const french = await runAvow(["log", "check", "--records", "--language", "fr"], { env });
    assert.match(french.out, /✓ Les \d+ enregistrements .* ; 1 feuille a été effacée/);
    await query(
      url,
      "UPDATE log_documents SET document = (document::jsonb || '{\"leaves\":[2,3,4]}')::json WHERE name LIKE 'erasure/%'",
    );
    const forged = await runAvow(["log", "check", "--records"], { env });
    assertReported({ forged }, /✗ erasure\/\w+ of project [^]*✗ Leaf \d+ has no record/);
  });
});
