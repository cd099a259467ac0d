import assert from "node:assert/strict";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type RejectedLine, writeRejected } from "./rejected.ts";

test("ends a full list of rejected lines with one note, and stops writing", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "avow-rejected-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "list");
  await using file = await open(path, "w");
  let offset = 0;
  for (let line = 2; line < 20; line += 1) {
    const lines: RejectedLine[] = [{ line, reason: "No.", text: "a" }];
    offset = await writeRejected(file, offset, lines, 40);
  }
  const [head, ...rows] = (await readFile(path, "utf8")).trimEnd().split("\r\n");
  assert.equal(head, "line;reason;text");
  assert.deepEqual(rows.slice(0, -1), ["2;No.;a", "3;No.;a", "4;No.;a"]);
  assert.match(rows.at(-1) ?? "", /^;The list is full\. .* only counted\.;$/);
  assert.equal(offset, (await readFile(path)).length);
});
