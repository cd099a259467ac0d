import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { newBundle } from "./log.ts";

const folder = join(import.meta.dirname, "..", "..");

test("the verifier package works without the rest of Avow", async (context) => {
  const away = await mkdtemp(join(tmpdir(), "avow-verifier-"));
  context.after(() => rm(away, { recursive: true, force: true }));
  await cp(join(folder, "packages/verifier"), away, { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(away, "package.json"), "utf8"));
  assert.deepEqual(Object.keys(dependencies), ["canonicalize"]);
  for (const name of Object.keys(dependencies))
    await cp(join(folder, "node_modules", name), join(away, "node_modules", name), {
      recursive: true,
      dereference: true,
    });
  await writeFile(
    join(away, "use.ts"),
    `import { readFile } from "node:fs/promises";
    import { verifyBundle } from "@avow/verifier";
    import { parseVerifierKey } from "@avow/verifier/keys";
    const trustedKeys = [await parseVerifierKey(process.argv[2] ?? "")];
    console.log((await verifyBundle(await readFile("proof.json"), { trustedKeys })).verdict);`,
  );
  const { bundle, log } = newBundle();
  const key = log.keys[0]?.text ?? "";
  const verdictOf = async (given: unknown): Promise<string> => {
    await writeFile(join(away, "proof.json"), JSON.stringify(given));
    const run = promisify(execFile)(process.execPath, ["use.ts", key], { cwd: away });
    return (await run).stdout.trim();
  };
  assert.equal(await verdictOf(bundle), "proven");
  assert.equal(await verdictOf({ ...bundle, origin: "elsewhere.example/log" }), "broken");
});
