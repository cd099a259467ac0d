import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { guardCell, unguardCell } from "@avow/contract/csv";
import { formulaStart, readAsSpreadsheet } from "../../../../test/spreadsheet.ts";
import { escapeFormulas, toCsvLine } from "./csv.ts";

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
  ["\t=1", "'\t'=1\r\n"],
  ["\r=1", "\"'\r'=1\"\r\n"],
  ["'=1", "''=1\r\n"],
  ["'quoted'", "'quoted'\r\n"],
  ["a=1", "a=1\r\n"],
  ['say "a;b"', '"say ""a;b"""\r\n'],
  ["two\nlines", '"two\nlines"\r\n'],
  ['=HYPERLINK("http://a";"b")', '"\'=HYPERLINK(""http://a"";""b"")"\r\n'],
  ["", "\r\n"],
  ["x,=1+1,y", "x,'=1+1,y\r\n"],
  ["x,'=1", "x,''=1\r\n"],
  ["x\t@a", "x\t'@a\r\n"],
  ['x,"=1', '"x,\'""=1"\r\n'],
  ["x\r\n=1", '"x\r\n\'=1"\r\n'],
  ["x, y,z", "x, y,z\r\n"],
];

for (const [cell, line] of examples) {
  test(`serializes the cell ${JSON.stringify(cell)} as ${JSON.stringify(line)}`, () => {
    assert.equal(toCsvLine([cell]), line);
  });
}

test("separates cells by semicolons, and leaves null and empty cells empty", () => {
  assert.equal(toCsvLine(["a", null, "", "d"]), "a;;;d\r\n");
});

test("guards every cell against formulas, and unguards it without loss", () => {
  fc.assert(
    fc.property(cells, (cell) => {
      assert.doesNotMatch(guardCell(cell), /^[=+\-@\t\r\n]/);
      assert.equal(unguardCell(guardCell(cell)), cell);
    }),
    { numRuns: 2_000 },
  );
});

test("begins no cell with a formula when read with semicolons, commas or tabs", () => {
  // After a comma at the end of a line, the next cell begins with the line end.
  const lines = fc.array(fc.tuple(cells, cells, fc.constant("x")), { minLength: 1 });
  fc.assert(
    fc.property(lines, (rows) => {
      const text = rows.map((row) => toCsvLine(row)).join("");
      for (const separator of [";", ",", "\t"])
        for (const cell of readAsSpreadsheet(text, separator))
          assert.doesNotMatch(cell, formulaStart, `${JSON.stringify(text)} by ${separator}`);
    }),
    { numRuns: 2_000 },
  );
});

/** JSON that is full of what matters in it. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { withCrossShrink: true },
    cells,
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom(null, true, -1.5e-9),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(cells, tie("value"), { maxKeys: 3 }),
  ),
})).value;

test("escaped JSON is equal, and can begin a formula only at its start", () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1, maxLength: 3 }), (values) => {
      const texts = values.map((value) => escapeFormulas(JSON.stringify(value)));
      assert.deepEqual(
        texts.map((text): unknown => JSON.parse(text)),
        values.map((value): unknown => JSON.parse(JSON.stringify(value))),
      );
      for (const text of texts) assert.equal(guardCell(text).replace(/^'/, ""), text);
      const line = toCsvLine(["t", ...texts, "{}"]);
      for (const separator of [";", ",", "\t"])
        for (const cell of readAsSpreadsheet(line, separator))
          assert.doesNotMatch(cell, formulaStart, `${line} by ${separator}`);
    }),
    { numRuns: 2_000 },
  );
});

test("escapes JSON only after a comma", () => {
  const say = (value: unknown) => escapeFormulas(JSON.stringify(value));
  assert.equal(say("a,=2+2,b"), '"a,\\u003d2+2,b"');
  assert.equal(say(["a", "=2", -5, { "+": "b=c" }]), '["a","\\u003d2", -5,{"\\u002b":"b=c"}]');
  for (const same of ["a=b", -5, { a: -5, b: "c" }, "a, =b"])
    assert.equal(say(same), JSON.stringify(same));
});

test("another RFC 4180 parser reads every cell of every line unchanged", () => {
  // A line with one empty cell is an empty line, which parsers skip.
  const lines = fc.array(fc.array(cells, { minLength: 3, maxLength: 3 }), { minLength: 1 });
  fc.assert(
    fc.property(lines, (rows) => {
      const text = rows.map((row) => toCsvLine(row)).join("");
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

const plainExamples: [string, string][] = [
  ['say "a;b"', 'say "a,b"'],
  ["two\r\nlines\vand\u2028three", "two lines and three"],
  ["a;=1+1", "a,'=1+1"],
  ["\n=1", " =1"],
  ["=1;2", "'=1,2"],
];
for (const [cell, text] of plainExamples)
  test(`serializes the cell ${JSON.stringify(cell)} as ${JSON.stringify(text)} in the plain dialect`, () => {
    assert.equal(toCsvLine([cell, "x"], "plain"), `${text};x\n`);
  });

test("the plain dialect is read by splitting lines and cells, and begins no cell with a formula", () => {
  const lines = fc.array(fc.tuple(cells, cells, fc.constant("x")), { minLength: 1 });
  fc.assert(
    fc.property(lines, (rows) => {
      const text = rows.map((row) => toCsvLine(row, "plain")).join("");
      const read = text
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split(";"));
      assert.equal(read.length, rows.length);
      for (const row of read) {
        assert.equal(row.length, 3);
        assert.equal(row[2], "x");
      }
      assert.doesNotMatch(text, /\r/);
      for (const separator of [";", ",", "\t"])
        for (const cell of text.split(new RegExp(`[\n${separator}]`)))
          assert.doesNotMatch(cell, formulaStart, `${JSON.stringify(text)} by ${separator}`);
    }),
    { numRuns: 2_000 },
  );
});
