import assert from "node:assert/strict";
import { test } from "node:test";
import { readBrowserFiles } from "./browser-files.ts";

test("returns the same files from the cache as from the build", async () => {
  for (const name of ["admin", "verifier", "widget"] as const) {
    const first = await readBrowserFiles(name);
    const second = await readBrowserFiles(name);
    assert.ok(first.size > 0, name);
    assert.equal(second.size, first.size, name);
    for (const [file, bytes] of first) assert.deepEqual(second.get(file), bytes, file);
  }
});

test("the widget's entry is there as gzip too, and names the files that it loads", async () => {
  const files = await readBrowserFiles("widget");
  const entry = files.get("widget.js")?.toString() ?? "";
  assert.deepEqual([...files.keys()].filter((name) => name.startsWith("widget.js")).length, 2);
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
