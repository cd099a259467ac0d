import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { toErrorsPage } from "./problems.ts";

test("docs/reference/errors.md lists the declared problems (after a change, run `npm run settings`)", async () => {
  const page = await readFile(
    new URL("../../../../docs/reference/errors.md", import.meta.url),
    "utf8",
  );
  assert.equal(page, toErrorsPage());
});
