import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { buildAdmin } from "@avow/admin/build";
import { buildVerifier } from "@avow/verifier/build";
import { buildWidget } from "@avow/widget/build";
import { readBrowserFiles } from "./browser-files.ts";

// First, since a process loads zopfli only once.
test("does not change the handlers of uncaught errors", async () => {
  const count = () =>
    process.listenerCount("uncaughtException") + process.listenerCount("unhandledRejection");
  const before = count();
  await buildWidget();
  assert.equal(count(), before);
});

test("returns the same files from the cache as from the build", async () => {
  for (const [name, built] of [
    ["admin", await buildAdmin()],
    ["verifier", await buildVerifier()],
    ["widget", await buildWidget()],
  ] as const) {
    await readBrowserFiles(name);
    const kept = await readBrowserFiles(name);
    assert.ok(kept.size > 0, name);
    assert.equal(kept.size, built.size, name);
    for (const [file, content] of built)
      assert.deepEqual(kept.get(file), Buffer.from(content), file);
  }
});

test("has the widget's entry also as gzip, with the names of the files that it loads", async () => {
  const files = await readBrowserFiles("widget");
  const entry = files.get("widget.js")?.toString() ?? "";
  const gzip = files.get("widget.js.gz") ?? Buffer.alloc(0);
  assert.equal(gunzipSync(gzip).toString(), entry);
  const hashes = [...entry.matchAll(/(?:boxes|tcf):"([\w+/=]{44})"/g)].map(([, hash = ""]) => hash);
  assert.equal(hashes.length, 2);
  for (const hash of hashes) {
    const part = hash.toLowerCase().replace(/\W/g, "");
    assert.ok(
      [...files.keys()].some((name) => name.includes(part)),
      hash,
    );
  }
});
