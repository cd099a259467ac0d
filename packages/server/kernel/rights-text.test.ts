import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { rightsMarkdown } from "./rights-text.ts";

/** Cells without what formatting adds. */
const toCells = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .filter((line) => !/^\|[\s:|-]+\|$/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

test("docs/reference/rights.md prints the table of rights as it is declared", async () => {
  const text = await readFile(
    new URL("../../../docs/reference/rights.md", import.meta.url),
    "utf8",
  );
  const [, section = ""] = /<!-- rights:.*?-->(.*?)<!-- \/rights -->/s.exec(text) ?? [];
  const hint = `Put this between the two comments of docs/reference/rights.md:\n\n${rightsMarkdown()}\n`;
  assert.deepEqual(toCells(section), toCells(rightsMarkdown()), hint);
});
