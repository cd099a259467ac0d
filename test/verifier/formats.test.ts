import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { fromBase64, fromUtf8, toBase64, toHex } from "../../packages/verifier/formats/bytes.ts";
import { padText, toCanonical, toEntry } from "../../packages/verifier/formats/entry.ts";
import { FormatError } from "../../packages/verifier/formats/errors.ts";
import { type JsonObject, parseJson } from "../../packages/verifier/formats/json.ts";
import {
  countFullTiles,
  parseTilePath,
  toPartialWidth,
  toTilePath,
} from "../../packages/verifier/tree/tiles.ts";
import { en } from "../../packages/verifier/words/en.ts";
import { fr } from "../../packages/verifier/words/fr.ts";
import { consentRecord, toEntry as toNaiveEntry } from "./log.ts";

describe("paths of tiles (C2SP tlog-tiles)", () => {
  it("are written as in the specification's example", () => {
    const tile = { level: 0, index: 1_234_067, width: 256 };
    assert.equal(toTilePath(tile), "tile/0/x001/x234/067");
    assert.equal(toTilePath({ ...tile, width: 5 }), "tile/0/x001/x234/067.p/5");
    assert.equal(toTilePath({ level: 63, index: 0, width: 1 }), "tile/63/000.p/1");
    assert.equal(toTilePath({ level: "entries", index: 999, width: 256 }), "tile/entries/999");
    assert.equal(toTilePath({ level: 1, index: 1_000, width: 256 }), "tile/1/x001/000");
  });

  it("are parsed in their canonical form only", () => {
    const level = fc.oneof(fc.constant("entries" as const), fc.integer({ min: 0, max: 63 }));
    const index = fc.maxSafeNat();
    fc.assert(
      fc.property(level, index, fc.integer({ min: 1, max: 256 }), (...[at, number, width]) => {
        const tile = { level: at, index: number, width };
        assert.deepEqual(parseTilePath(toTilePath(tile)), tile);
      }),
    );
    for (const path of [
      "",
      "tile/0/67",
      "tile/00/067",
      "tile/64/067",
      "tile/0/x000/067",
      "tile/0/001/067",
      "tile/0/x001/x067",
      "tile/0/067.p/0",
      "tile/0/067.p/05",
      "tile/0/067.p/256",
      "tile/0/067.p/257",
      "tile/-1/067",
      "/tile/0/067",
      "tile/0/067/",
      "tile/0/x999/x999/x999/x999/x999/999",
      "tile/0/../067",
    ])
      assert.throws(() => parseTilePath(path), FormatError, path);
  });

  it("match the specification's examples in number and width", () => {
    const full = [0, 1, 2].map((level) => countFullTiles(70_000, level));
    const partial = [0, 1, 2, 3].map((level) => toPartialWidth(70_000, level));
    assert.deepEqual(full, [273, 1, 0]);
    assert.deepEqual(partial, [112, 17, 1, 0]);
    assert.deepEqual(
      [countFullTiles(256, 0), toPartialWidth(256, 0), toPartialWidth(256, 1)],
      [1, 0, 1],
    );
  });
});

describe("base64 and UTF-8", () => {
  it("accept what Node writes, and nothing else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        assert.equal(toBase64(bytes), text);
        assert.deepEqual(Buffer.from(fromBase64(text, "it")), Buffer.from(bytes));
      }),
    );
    for (const text of [
      "A",
      "AA",
      "AAA",
      "AA=",
      "AB==",
      "AAB=",
      "AAAA=",
      "AA AA",
      "AAAA\n",
      "-_-_",
    ])
      assert.throws(() => fromBase64(text, "it"), FormatError, text);
    assert.throws(() => fromUtf8(Uint8Array.of(0xc3, 0x28)), FormatError);
    assert.equal(fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf)), "\uFEFF");
  });
});

describe("JSON with one meaning (RFC 8259, RFC 7493)", () => {
  it("is parsed as JSON.parse does, for any output of JSON.stringify", () => {
    const indent = fc.constantFrom(undefined, 2, "\t");
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "medium" }), indent, (value, space) => {
        const text = JSON.stringify(value, null, space);
        assert.equal(JSON.stringify(parseJson(text)), JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it("never accepts what JSON.parse rejects, nor parses it differently", () => {
    const pieces = fc.constantFrom(...'"\\{}[]:,1-.e0 a'.split(""), "true", "null");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join("");
        let ours: string;
        try {
          ours = JSON.stringify(parseJson(text));
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error));
          return;
        }
        assert.equal(ours, JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("rejects ambiguous input, and reports its position", () => {
    const cases: [string, RegExp][] = [
      ['{"a":1,\n "a":2}', /“a” occurs twice.*\(line 2, column 5\)/],
      ['{"a":1,"\\u0061":2}', /twice/],
      ['{"__proto__":1,"__proto__":2}', /twice/],
      ["1.0", /shortest form/],
      ["1e2", /shortest form/],
      ["-0", /shortest form/],
      ["0.1000000000000000055", /shortest form/],
      ["1e999", /shortest form/],
      ['"\\ud800"', /not well-formed/],
      ["{} {}", /unexpected text after the end/],
      ["\uFEFF{}", /not valid JSON/],
      ["{a:1}", /not valid JSON/],
      ['{"a":1,}', /not valid JSON/],
      ["[1,]", /not valid JSON/],
      ["[", /not valid JSON/],
      ['"\u0001"', /not valid JSON/],
      ["NaN", /not valid JSON/],
      ["", /not valid JSON/],
      ["[".repeat(65) + "]".repeat(65), /nesting is deeper than 64 levels/],
    ];
    for (const [text, reason] of cases) assert.throws(() => parseJson(text), { message: reason });
  });

  it("keeps a member named like the prototype", () => {
    const value = parseJson('{"__proto__":{"a":1}}') as JsonObject;
    assert.deepEqual(Object.keys(value), ["__proto__"]);
    assert.equal(toCanonical(value), '{"__proto__":{"a":1}}');
  });

  it("parses 16 MiB in one string", () => {
    const text = `"${'\\"é'.repeat(4 * 1024 * 1024)}"`;
    assert.equal((parseJson(text) as string).length, 8 * 1024 * 1024);
  });
});

describe("entries of the log", () => {
  it("pad a text with spaces to the next multiple of 256 bytes", () => {
    for (const [length, padded] of [
      [0, 256],
      [1, 256],
      [255, 256],
      [256, 256],
      [257, 512],
      [512, 512],
    ] as const) {
      const bytes = padText("a".repeat(length));
      assert.equal(bytes.length, padded);
      assert.equal(fromUtf8(bytes), "a".repeat(length).padEnd(padded));
    }
    assert.equal(padText("é".repeat(128)).length, 256);
    assert.equal(padText("é".repeat(129)).length, 512);
  });

  it("are the hash of the salt and the canonical record", async () => {
    const record = parseJson(JSON.stringify(consentRecord)) as JsonObject;
    const salt = Buffer.alloc(32, 7);
    assert.equal(
      toHex(await toEntry(record, salt)),
      toNaiveEntry(consentRecord, salt).toString("hex"),
    );
    assert.ok(toCanonical(record).startsWith('{"accept":true,"answers":{"maps":{'));
  });
});

describe("the verifier's messages", () => {
  it("exist in French as in English, and differ", () => {
    const shape = (words: object): unknown =>
      Object.entries(words).map(([name, word]) => [
        name,
        typeof word === "object" && word !== null ? shape(word as object) : typeof word,
      ]);
    assert.deepEqual(shape(fr), shape(en));
    for (const name of Object.keys(en.errors) as (keyof typeof en.errors)[])
      assert.notEqual(String(fr.errors[name]), String(en.errors[name]), name);
  });
});
