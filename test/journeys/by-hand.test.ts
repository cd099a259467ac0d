import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { waitForProof } from "../interface/proofs.ts";
import { collect, newSite, publish } from "../interface/site.ts";

const script = join(import.meta.dirname, "..", "..", "examples", "verify-by-hand.sh");
const folder = await mkdtemp(join(tmpdir(), "avow-by-hand-"));
after(() => rm(folder, { recursive: true, force: true }));

const tools = ["jq", "openssl", "sha256sum", "base64"];
const missing = tools.filter((tool) => {
  try {
    execFileSync("which", [tool], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
});
const skip = missing.length > 0 && `not installed: ${missing.join(", ")}`;

/** Runs the script on a bundle; returns whether it exits with 0, and its output. */
async function check(bundle: unknown, key: string): Promise<{ holds: boolean; output: string }> {
  const file = join(folder, "proof.json");
  await writeFile(file, JSON.stringify(bundle));
  try {
    const run = promisify(execFile)("sh", [script, file, key], { timeout: 60_000 });
    return { holds: true, output: (await run).stdout };
  } catch (error) {
    const { code, stderr } = error as { code: unknown; stderr: string };
    assert.equal(code, 1, stderr);
    return { holds: false, output: stderr };
  }
}

describe(
  "the script of docs/guides/verify-proofs.md that verifies a proof by hand",
  { skip },
  () => {
    it("passes at many indexes of the log, with texts of any script", async () => {
      const site = await newSite();
      await publish(site);
      for (const token of ["visitor", "посетитель 👋", '"quoted"\\', "é".repeat(100)]) {
        const { body } = await collect(site, "cookies", site.cookies, { token, accept: true });
        const bundle = await waitForProof(body.consentId as string, token);
        const { holds, output } = await check(bundle, bundle.keys[0] ?? "");
        assert.ok(holds, output);
        assert.match(output, /^shown {6}[0-9a-f]{64}$/m);
        assert.match(output, /^HOLDS: /m);
      }
    });

    it("fails for another record, salt, index, key or published file", async () => {
      const site = await newSite();
      await publish(site);
      const { body } = await collect(site, "cookies", site.cookies, { token: "a", accept: true });
      const bundle = await waitForProof(body.consentId as string, "a");
      const [key = ""] = bundle.keys;
      const { consent, publication } = bundle;
      const { record, salt, proof } = consent;
      const otherSalt = Buffer.from(Buffer.from(salt, "base64").toReversed()).toString("base64");
      const [name = "", id = ""] = key.split("+");
      const otherKey = `${name}+${id}+${Buffer.alloc(33, 1).toString("base64")}`;
      const outputOf = async (changed: object, by = key) =>
        (await check({ ...bundle, ...changed }, by)).output;
      const root = /another root/;
      assert.match(
        await outputOf({ consent: { ...consent, record: { ...record, accept: false } } }),
        root,
      );
      assert.match(await outputOf({ consent: { ...consent, salt: otherSalt } }), root);
      const index = Number(/^index (\d+)$/m.exec(proof)?.[1]);
      const elsewhere = proof.replace(`index ${index}`, `index ${index ^ 1}`);
      assert.match(
        await outputOf({ consent: { ...consent, proof: elsewhere } }),
        /root|path is too/,
      );
      assert.match(await outputOf({}, otherKey), /did not sign/);
      assert.match(await outputOf({}, `other${key}`), /the log is not other/);
      assert.ok(publication);
      const content = `${publication.content} `;
      assert.match(
        await outputOf({ publication: { ...publication, content } }),
        /the published file is not the one in the record/,
      );
    });
  },
);
