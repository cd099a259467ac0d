import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const text = await readFile(join(root, "docs/reference/asvs.md"), "utf8");

/** The requirements of levels 1 and 2 of ASVS 5.0.0 by section (chapter.section), with their numbers. */
const sections: Record<string, number[]> = {
  "6.1": [1, 2, 3],
  "6.2": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  "6.3": [1, 2, 3, 4],
  "6.4": [1, 2, 3, 4],
  "6.5": [1, 2, 3, 4, 5],
  "6.6": [1, 2, 3],
  "6.8": [1, 2, 3, 4],
  "7.1": [1, 2, 3],
  "7.2": [1, 2, 3, 4],
  "7.3": [1, 2],
  "7.4": [1, 2, 3, 4, 5],
  "7.5": [1, 2],
  "7.6": [1, 2],
  "8.1": [1, 2],
  "8.2": [1, 2, 3],
  "8.3": [1],
  "8.4": [1],
  "9.1": [1, 2, 3],
  "9.2": [1, 2, 3, 4],
  "10.1": [1, 2],
  "10.2": [1, 2],
  "10.3": [1, 2, 3, 4],
  "10.4": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  "10.5": [1, 2, 3, 4, 5],
  "10.6": [1, 2],
  "10.7": [1, 2, 3],
};

const rows = text
  .split("\n")
  .map((line) => /^\| (\d+\.\d+\.\d+) +\| ([a-z ]+?) +\| (.*) \|$/.exec(line)?.slice(1))
  .filter((row) => row !== undefined);

test("docs/reference/asvs.md answers every requirement of ASVS 5.0, levels 1 and 2, of its chapters, once", () => {
  const asked = Object.entries(sections).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  );
  assert.deepEqual(
    rows.map(([number]) => number),
    asked,
  );
  for (const [number = "", state = "", why = ""] of rows) {
    assert.match(state, /^(met|not met|none)$/, number);
    assert.notEqual(why.trim(), "", number);
  }
});

test("docs/reference/asvs.md names files that exist", async () => {
  const named = [...text.matchAll(/`((?:packages|test)\/[\w./-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  assert.ok(named.length > 50);
  for (const path of new Set(named.filter((one) => one !== undefined)))
    await access(join(root, path));
});
