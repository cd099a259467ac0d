import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildAdmin } from "./build.ts";
import { PAGE } from "./names.ts";

const FIRST_BYTES_MAX = 80_000;

test("the page names all files that its first screen loads, under 80 kB as gzip", async () => {
  const files = await buildAdmin();
  const page = files.get(PAGE) ?? "";
  const names = [...page.matchAll(/\/admin\/files\/([\w.-]+)"/g)].map(([, name = ""]) => name);
  const sizes = names.map((name) => gzipSync(files.get(name) ?? "").length);
  const bytes = sizes.reduce((sum, size) => sum + size, gzipSync(page).length);
  assert.ok(
    names.some((name) => name.startsWith("main-")),
    page,
  );
  assert.ok(bytes < FIRST_BYTES_MAX, `${bytes} bytes`);
  for (const name of names.filter((one) => one.endsWith(".js"))) {
    const imported = [
      ...(files.get(name) ?? "").matchAll(/from"\.\/([\w.-]+)"|^import"\.\/([\w.-]+)"/g),
    ];
    for (const [, from, bare] of imported)
      assert.ok(names.includes(from ?? bare ?? ""), `${name} loads ${from ?? bare} later`);
  }
});
