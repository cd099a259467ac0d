import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { toVectors, vectorsFile } from "./vectors.ts";

it("the published vectors are those of the headless core", async () => {
  const published = await readFile(vectorsFile, "utf8");
  assert.ok(published === (await toVectors()), "Run npm run vectors, and read what it changes.");
});
