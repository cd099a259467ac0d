import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { guardCell, toCsvLine, unguardCell } from "./csv.ts";

/** Texts that are full of what matters in a cell. */
const cells = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(...Array.from("'=+-@\t\r\n\";, ａ＝＋－＠x1")) }),
);

const examples: [string, string][] = [
  ["=1+1", "'=1+1\r\n"],
  ["+49 30 1", "'+49 30 1\r\n"],
  ["-5", "'-5\r\n"],
  ["@SUM(A1)", "'@SUM(A1)\r\n"],
  ["\t=1", "'\t=1\r\n"],
  ["\r=1", '"\'\r=1"\r\n'],
  ["'=1", "''=1\r\n"],
  ["'quoted'", "'quoted'\r\n"],
  ["a=1", "a=1\r\n"],
  ['say "a;b"', '"say ""a;b"""\r\n'],
  ["two\nlines", '"two\nlines"\r\n'],
  ['=HYPERLINK("http://a";"b")', '"\'=HYPERLINK(""http://a"";""b"")"\r\n'],
  ["", "\r\n"],
];

for (const [cell, line] of examples) {
  test(`the cell ${JSON.stringify(cell)} is written as ${JSON.stringify(line)}`, () => {
    assert.equal(toCsvLine([cell]), line);
  });
}

test("cells are separated by semicolons, and nothing is nothing", () => {
  assert.equal(toCsvLine(["a", null, "", "d"]), "a;;;d\r\n");
});

test("no guarded cell begins what a spreadsheet runs, and each gives back what it was", () => {
  fc.assert(
    fc.property(cells, (cell) => {
      assert.doesNotMatch(guardCell(cell), /^[=+\-@\t\r\n]/);
      assert.equal(unguardCell(guardCell(cell)), cell);
    }),
    { numRuns: 2_000 },
  );
});

test("another reader of RFC 4180 gets every cell of every line as it was", () => {
  // A line of one empty cell is an empty line, which readers skip.
  const lines = fc.array(fc.array(cells, { minLength: 3, maxLength: 3 }), { minLength: 1 });
  fc.assert(
    fc.property(lines, (rows) => {
      const text = rows.map(toCsvLine).join("");
      const options = { delimiter: ";", record_delimiter: "\r\n", relax_column_count: false };
      const read = parse(text, options);
      assert.deepEqual(
        read.map((row) => row.map(unguardCell)),
        rows,
      );
    }),
    { numRuns: 500 },
  );
});
