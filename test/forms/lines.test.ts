import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { type Font, create } from "fontkit";
import { openFonts } from "../../packages/server/modules/evidence/reports/pdf/fonts.ts";
import { toLines } from "../../packages/server/modules/evidence/reports/pdf/lines.ts";
import { unwrapWoff } from "../../packages/server/modules/evidence/reports/pdf/woff.ts";
import { toPlainText } from "../../packages/server/modules/evidence/reports/statement/plain-text.ts";

const fonts = openFonts();
const style = { face: "text", size: 9, width: 120 } as const;
const textOf = (line: { runs: { text: string }[] }) => line.runs.map(({ text }) => text).join("");

describe("lines of text", () => {
  it("never exceed the available width, and omit no character", () => {
    const samples = fc.constantFrom(
      "a",
      "é",
      " ",
      "ij",
      "Ω",
      "Ж",
      "中",
      "🍪",
      "\u0301",
      "-",
      "“",
      "\u{10FFFD}",
    );
    fc.assert(
      fc.property(fc.array(samples, { maxLength: 120 }), (characters) => {
        const text = characters.join("");
        const lines = toLines(fonts, text, style);
        for (const line of lines) assert.ok(line.width <= style.width + 0.001, textOf(line));
        const drawn = lines.map(textOf).join("").replaceAll(/\s/g, "");
        const expected = text
          .normalize("NFC")
          .replaceAll(/\s/g, "")
          .replaceAll("\u{10FFFD}", "⟨U+10FFFD⟩");
        assert.equal(drawn.normalize("NFC"), expected.normalize("NFC"));
      }),
      { numRuns: 150 },
    );
  });

  it("take linear time for any character, alone or after another", () => {
    const began = performance.now();
    for (const [first, last] of [
      [0x20, 0x3100],
      [0xa640, 0xabff],
      [0xfb00, 0xffff],
      [0x1f300, 0x1f6ff],
    ] as const) {
      const all = Array.from({ length: last - first }, (_, at) => String.fromCodePoint(first + at));
      for (const text of [all.join(""), all.map((each) => `a${each}`).join("")])
        for (const line of toLines(fonts, text, style))
          assert.ok(line.width <= style.width + 0.001);
    }
    toLines(fonts, `a${"\u0301".repeat(20_000)}`, style);
    toLines(fonts, "م".repeat(5_000), style);
    assert.ok(performance.now() - began < 60_000);
  });

  it("break at line feeds, between words, and within a word that is longer than a line", () => {
    assert.deepEqual(toLines(fonts, "one\r\ntwo\n\nthree", style).map(textOf), [
      "one",
      "two",
      "",
      "three",
    ]);
    const lines = toLines(fonts, `${"word ".repeat(20)}${"x".repeat(80)}`, style).map(textOf);
    assert.ok(lines.slice(0, 3).every((line) => /^(word ?)+$/.test(line)));
    assert.equal(lines.join("").replaceAll(/[^x]/g, ""), "x".repeat(80));
  });

  it("run from right to left in such paragraphs, with numbers and Latin words from left to right", () => {
    const [line] = toLines(fonts, "שלום (abc) 25", { ...style, width: 400 });
    assert.ok(line?.isRightToLeft);
    const inOrder = line.runs.toSorted((a, b) => a.x - b.x).map(({ text }) => text.trim());
    assert.deepEqual(
      inOrder.filter((text) => text !== ""),
      ["25", "(", "abc", ")", "שלום"],
    );
  });
});

describe("unwrapping a font", () => {
  it("returns the wrapped font", () => {
    const file = fileURLToPath(
      import.meta.resolve("@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff"),
    );
    const wrapped = readdirSync(dirname(file)).filter((name) => name.endsWith("-400-normal.woff"));
    assert.ok(wrapped.length > 5);
    for (const name of wrapped) {
      const woff = readFileSync(join(dirname(file), name));
      const [ours, theirs] = [create(unwrapWoff(woff)) as Font, create(woff) as Font];
      assert.deepEqual(ours.characterSet, theirs.characterSet, name);
      const text = String.fromCodePoint(...ours.characterSet.slice(0, 40));
      assert.equal(ours.layout(text).advanceWidth, theirs.layout(text).advanceWidth, name);
    }
    assert.throws(() => unwrapWoff(Buffer.from("no font at all")), /not a WOFF file/);
  });
});

describe("the text of a message's HTML", () => {
  it("keeps its words, its lists and the targets of its links", () => {
    assert.equal(toPlainText("Fish &amp; chips"), "Fish & chips");
    assert.equal(toPlainText("a < b"), "a < b");
    assert.equal(toPlainText("<p>One</p>\n<p>Two<br>Three</p>"), "One\n\nTwo\nThree");
    assert.equal(toPlainText("<ul><li>a</li><li>b</li></ul>"), "• a\n• b");
    assert.equal(
      toPlainText('See <a href="https://shop.example/p">our <b>policy</b></a>.'),
      "See our policy (https://shop.example/p).",
    );
  });
});
