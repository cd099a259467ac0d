import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { builtUrl } from "../widget/built-files.ts";
import { buildWidget } from "./widget-files.ts";

test("widget/built is what npm run build:widget makes of widget/", async () => {
  const built = await buildWidget();
  assert.deepEqual((await readdir(builtUrl)).toSorted(), [...built.keys()].toSorted());
  for (const [name, text] of built)
    assert.equal(await readFile(new URL(name, builtUrl), "utf8"), text, `${name} is out of date`);
});
