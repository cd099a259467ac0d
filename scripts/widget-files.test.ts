import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { ENTRY, ENTRY_GZIP, builtUrl } from "../packages/widget/built-files.ts";
import { buildWidget } from "./widget-files.ts";

test("packages/widget/built is what npm run build:widget makes of widget/", async () => {
  const built = await buildWidget();
  const names = [...built.keys(), ENTRY_GZIP].toSorted();
  assert.deepEqual((await readdir(builtUrl)).toSorted(), names);
  for (const [name, text] of built)
    assert.equal(await readFile(new URL(name, builtUrl), "utf8"), text, `${name} is out of date`);
  const gzip = await readFile(new URL(ENTRY_GZIP, builtUrl));
  assert.equal(gunzipSync(gzip).toString(), built.get(ENTRY), `${ENTRY_GZIP} is out of date`);
});
