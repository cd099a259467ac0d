import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { formulaStart, readAsSpreadsheet } from "../../../test/spreadsheet.ts";
import { guardCell, toCsvCell, unguardCell, unguardCsvCell } from "./csv.ts";

const cells = fc.string({ unit: fc.constantFrom(...Array.from("'=+-@\t\r\n\";, ａ＝＋－＠x1")) });

for (const [cell, written] of [
  ["https://a/?q=1,=HYPERLINK(1)", '"https://a/?q=1,\'=HYPERLINK(1)"'],
  ["＝cmd", "'＝cmd"],
  ["x;=1", '"x;\'=1"'],
  ["a=1", "a=1"],
] as const)
  test(`writes the cell ${cell} as ${written}`, () => {
    assert.equal(toCsvCell(cell), written);
  });

test("begins no cell with a formula, whatever separates the file and its reader", () => {
  const lines = fc.array(fc.tuple(cells, cells, fc.constant("x")), { minLength: 1 });
  fc.assert(
    fc.property(lines, fc.constantFrom(",", ";"), (rows, separator) => {
      const text = rows.map((row) => `${row.map(toCsvCell).join(separator)}\r\n`).join("");
      for (const assumed of [";", ",", "\t"])
        for (const cell of readAsSpreadsheet(text, assumed))
          assert.doesNotMatch(cell, formulaStart, `${JSON.stringify(text)} by ${assumed}`);
    }),
    { numRuns: 2_000 },
  );
});

test("unguards every cell without loss", () => {
  fc.assert(
    fc.property(cells, (cell) => {
      assert.equal(unguardCell(guardCell(cell)), cell);
      const [parsed = ""] = readAsSpreadsheet(`${toCsvCell(cell)};`, ";");
      assert.equal(unguardCsvCell(parsed), cell);
    }),
    { numRuns: 2_000 },
  );
});
