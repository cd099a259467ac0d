import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { PAGE, builtUrl } from "../packages/admin/built-files.ts";
import { buildAdmin } from "./admin-files.ts";
import { openApiFile } from "./openapi-file.ts";
import { fieldsFile, toFieldsText } from "./openapi-fields.ts";
import { type Document, clientFile, toClientText } from "./openapi-types.ts";

const FIRST_BYTES_MAX = 80_000;

test("packages/admin/built is what npm run build:admin makes of admin/", async () => {
  const built = await buildAdmin();
  assert.deepEqual((await readdir(builtUrl)).toSorted(), [...built.keys()].toSorted());
  for (const [name, text] of built)
    assert.equal(await readFile(new URL(name, builtUrl), "utf8"), text, `${name} is out of date`);
});

test("the page names all that its first screen loads, under 80 kB as gzip", async () => {
  const page = await readFile(new URL(PAGE, builtUrl), "utf8");
  const names = [...page.matchAll(/\/admin\/files\/([\w.-]+)"/g)].map(([, name = ""]) => name);
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(new URL(name, builtUrl))).length),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, gzipSync(page).length);
  assert.ok(
    names.some((name) => name.startsWith("main-")),
    page,
  );
  assert.ok(bytes < FIRST_BYTES_MAX, `${bytes} bytes`);
  for (const name of names.filter((one) => one.endsWith(".js"))) {
    const text = await readFile(new URL(name, builtUrl), "utf8");
    const imported = [...text.matchAll(/from"\.\/([\w.-]+)"|^import"\.\/([\w.-]+)"/g)];
    for (const [, from, bare] of imported)
      assert.ok(names.includes(from ?? bare ?? ""), `${name} loads ${from ?? bare} later`);
  }
});

test("packages/admin/api/ has what npm run openapi makes of docs/openapi.json", async () => {
  const document = JSON.parse(await readFile(openApiFile, "utf8")) as Document;
  assert.ok(toClientText(document) === (await readFile(clientFile, "utf8")), "it is out of date");
  assert.ok(toFieldsText(document) === (await readFile(fieldsFile, "utf8")), "fields.ts is old");
});
