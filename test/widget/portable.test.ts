import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { createContext, runInContext } from "node:vm";
import { bundlePackedCore, publishWholeSite, scenarioResult, toScenario } from "./portable.ts";

/** The globals that the core may use. */
const portable = { setTimeout, clearTimeout, AbortController, URLSearchParams, crypto, fetch };

it("the packed core has no dependency, and runs with the globals of React Native only", async () => {
  const { manifest, script } = await bundlePackedCore();
  for (const name of ["dependencies", "peerDependencies", "optionalDependencies"])
    assert.equal(manifest[name], undefined);
  const project = await publishWholeSite();
  // A context of JavaScript alone, like Hermes: neither a document nor Node's globals, and no Intl.
  const context = createContext({ ...portable });
  runInContext("delete globalThis.Intl; delete globalThis.WebAssembly;", context);
  runInContext(script, context);
  const result = (await runInContext(toScenario(project), context)) as string;
  assert.deepEqual(JSON.parse(result), scenarioResult);
});

it("portable.d.ts declares each of these globals and no other", () => {
  const file = join(import.meta.dirname, "../../packages/widget/headless/portable.d.ts");
  const declared = readFileSync(file, "utf8").matchAll(/^declare (?:\w+) (\w+)/gm);
  assert.deepEqual(
    new Set(Array.from(declared, ([, name]) => name)),
    new Set(Object.keys(portable)),
  );
});
