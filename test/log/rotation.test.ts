import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseCheckpoint } from "../../packages/verifier/formats/checkpoint.ts";
import { verifyNote } from "../../packages/verifier/formats/note.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { askJson } from "../faults/durability/http.ts";
import { waitFor } from "../faults/lifecycle/process.ts";
import { runAvow } from "../command.ts";
import {
  type CollectedConsent,
  fill,
  openFilled,
  query,
  readCheckpoint,
  readKeys,
  sizeOf,
} from "./world.ts";

type FilledWorld = Awaited<ReturnType<typeof openFilled>>;

let filled: FilledWorld;
before(async () => {
  filled = await openFilled(5, 0);
});
after(() => filled.world[Symbol.asyncDispose]());

/** The verifier's verdict on the proof of a consent, by the trusted keys. */
async function verdictOf(
  address: string,
  { consentId, token }: CollectedConsent,
  keys: readonly string[],
) {
  const bundle = await askJson<object>(address + hrefOf("", paths.proof, { consentId }, { token }));
  const trustedKeys = await Promise.all(keys.map(parseVerifierKey));
  return (await verifyBundle(JSON.stringify(bundle), { trustedKeys })).verdict;
}

async function waitForKeys(address: string, count: number): Promise<string[]> {
  return waitFor(`${count} keys`, async () => {
    const keys = await readKeys(address);
    return keys.length === count ? keys : undefined;
  });
}

describe("rotating the log's key", () => {
  it("applies to the running service, signs with both keys, and drops the old one on request", async () => {
    const { world, site, early, key } = filled;
    const [consent] = early as [CollectedConsent];
    await using service = await world.open();
    const here = { ...site, address: service.url };
    const keep = world.file("monitor.txt");
    const monitor = ["log", "check", "--url", service.url, "--key", key, "--keep", keep];
    assert.equal((await runAvow(monitor)).code, 0);

    const rotated = await runAvow(["log", "rotate"], { env: world.env });
    assert.equal(rotated.code, 0, rotated.err);
    assert.match(rotated.out, /The running service already signs with these keys\./);
    const [fresh = "", old] = await waitForKeys(service.url, 2);
    assert.equal(old, key);
    assert.ok(rotated.out.includes(fresh));
    assert.doesNotMatch(rotated.out, /EVIDENCE_LOG_KEYS/);
    const printed = await runAvow(["log", "key"], { env: world.env });
    assert.equal(printed.out, `${fresh}\n${key}\n`);
    for (const trusted of [[key], [fresh]])
      assert.equal(await verdictOf(service.url, consent, trusted), "proven");

    const during = await runAvow(monitor);
    assert.equal(during.code, 0, during.out + during.err);
    assert.ok(during.out.includes(`under a signature that you trust: ${fresh}`), during.out);

    const dropped = await runAvow(["log", "rotate", "--drop-old"], { env: world.env });
    assert.equal(dropped.code, 0, dropped.err);
    assert.match(dropped.out, /Removed permanently[^]*the log is not signed by a trusted key/);
    assert.deepEqual(await waitForKeys(service.url, 1), [fresh]);
    await fill(here, 3);
    assert.equal(await verdictOf(service.url, consent, [fresh]), "proven");
    assert.equal(await verdictOf(service.url, consent, [key]), "broken");
    const covered = await runAvow(monitor);
    assert.equal(covered.code, 0, covered.out + covered.err);
    assert.match(covered.out, /which your saved checkpoint covers, the log announced/);
    const records = await runAvow(["log", "check", "--records"], { env: world.env });
    assert.equal(records.code, 0, records.out + records.err);
  });

  it("signs an unchanged tree again after a rotation, and announces each key once", async () => {
    const { world } = filled;
    const seeds = (await readFile(join(world.dataDir, "log.keys"), "utf8")).trim();
    const stopped = await runAvow(["log", "rotate"], { env: world.env });
    assert.match(stopped.out, /No service signs with these keys yet/);
    const early = await runAvow(["log", "rotate", "--drop-old"], { env: world.env });
    assert.equal(early.code, 1);
    assert.match(early.err, /The new key has not signed anything yet/);
    const texts = [];
    for (let start = 0; start < 2; start += 1) {
      await using service = await world.open();
      await waitForKeys(service.url, 2);
      texts.push(await readCheckpoint(service.url));
    }
    assert.equal(texts[0], texts[1], "Ed25519 signatures are deterministic");
    const [one] = await query<{ count: string }>(
      world.databaseUrl,
      "SELECT count(*) FROM log_documents WHERE name LIKE 'key/%'",
    );
    assert.equal(one?.count, "2", "one for each rotation of this file");
    await writeFile(join(world.dataDir, "log.keys"), `${seeds}\n`);
  });

  it("keeps the previous keys when log.keys cannot be read, and logs a warning", async () => {
    const { world, site } = filled;
    const file = join(world.dataDir, "log.keys");
    const text = await readFile(file, "utf8");
    await using service = await world.open();
    await waitForKeys(service.url, 1);
    await writeFile(file, "half a ke");
    await waitFor("the warning", () =>
      service.lines.some((line) => line.includes("log.keys cannot be read")) ? true : undefined,
    );
    await fill({ ...site, address: service.url }, 2);
    const note = parseCheckpoint(await readCheckpoint(service.url)).note;
    const keys = await Promise.all((await readKeys(service.url)).map(parseVerifierKey));
    assert.equal((await verifyNote(note, keys)).signers.length, 1);
    const refused = await runAvow(["log", "key"], { env: world.env });
    assert.equal(refused.code, 1);
    assert.match(refused.err, /log\.keys must contain 1 to 8 seeds of 32 bytes in base64/);
    assert.doesNotMatch(refused.err + service.lines.join("\n"), /half a ke/);
    await rm(file);
    const none = await runAvow(["log", "key"], { env: world.env });
    assert.match(none.err, /There is no .*log\.keys\. Run this with the DATA_DIR/);
    await writeFile(file, text);
  });

  it("prints the value to set when the keys are a setting, and another node accepts it", async () => {
    const { world, site } = filled;
    const seeds = (await readFile(join(world.dataDir, "log.keys"), "utf8")).trim();
    const env = { ...world.env, EVIDENCE_LOG_KEYS: seeds };
    const { code, out } = await runAvow(["log", "rotate"], { env });
    assert.equal(code, 0);
    const [, value = ""] = /EVIDENCE_LOG_KEYS=(\S+)\n/.exec(out) ?? [];
    assert.ok(value.endsWith(`,${seeds}`));
    assert.equal((await readFile(join(world.dataDir, "log.keys"), "utf8")).trim(), seeds);
    await using first = await world.open(undefined, { EVIDENCE_LOG_KEYS: seeds });
    await using second = await world.open(undefined, { EVIDENCE_LOG_KEYS: value });
    await waitForKeys(second.url, 2);
    // Nodes with different keys sign in turn, and each tree once.
    await fill({ ...site, address: first.url }, 3);
    const size = sizeOf(await readCheckpoint(second.url));
    const keys = await runAvow(["log", "check", "--records"], {
      env: { ...world.env, EVIDENCE_LOG_KEYS: value },
    });
    assert.equal(keys.code, 0, keys.out + keys.err);
    assert.match(keys.out, new RegExp(`recomputed from all ${size} entries`));
  });
});
