import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { areas } from "./areas.ts";

const root = join(import.meta.dirname, "../..");

test("each fault has a text that occurs once in its file, and a test file that exists", () => {
  for (const { name, file, find, caughtBy } of Object.values(areas).flat()) {
    const pieces = existsSync(join(root, file))
      ? readFileSync(join(root, file), "utf8").split(find)
      : [];
    assert.equal(pieces.length, 2, `${file}: ${name}`);
    assert.ok(existsSync(join(root, caughtBy)), caughtBy);
  }
});
