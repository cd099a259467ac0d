import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keepBuild, readBuild } from "./browser-cache.ts";

test("keeps the newest build of each package", async (t) => {
  const cache = await mkdtemp(join(tmpdir(), "avow-browser-"));
  t.after(() => rm(cache, { recursive: true }));
  const files = new Map([["page.html", "<p>"]]);
  for (const name of ["admin-1", "widget-1", "widget-2", "widget-2", "widget-3"])
    await keepBuild(join(cache, name), files);
  assert.deepEqual((await readdir(cache)).toSorted(), ["admin-1", "widget-3"]);
  assert.equal((await readBuild(join(cache, "widget-3")))?.get("page.html")?.toString(), "<p>");
  assert.equal(await readBuild(join(cache, "widget-1")), undefined);
});
