import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../../../../../../test/any-character.ts";
import { escapeFormulas, toCsvLine } from "../../../../platform/text/csv.ts";
import { type Entry, deriveId, openEntries } from "./entry.ts";
import { getFormat } from "./formats.ts";
import { openSource } from "./lines.ts";

const now = new Date("2026-05-01T00:00:00Z");
const head = "token;collection;identifier;accept;date;value;preferences\r\n";
const date = "2026-04-05T06:07:08.009Z";
const configuration = "665f0000aaaabbbbccccdddd";
const good = `t1;cookies;${configuration};1;${date};;\r\n`;

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-formats-"));
});
after(() => rm(folder, { recursive: true }));

interface ReadItem {
  line: number;
  end: number;
  entry?: Entry;
  reason?: string;
}

async function readAll(
  name: string,
  file: string | Buffer,
  from = { offset: 0, line: 1 },
): Promise<ReadItem[]> {
  const path = join(folder, "file");
  await writeFile(path, file);
  const all: ReadItem[] = [];
  for await (const items of getFormat(name).read(openSource(path), from, openEntries(now)))
    for (const { line, end, entry, reason } of items)
      all.push({ line, end, ...(entry ? { entry } : { reason: reason ?? "" }) });
  return all;
}

/** The item of one line after the header. */
async function readCsvLine(line: string | Buffer): Promise<ReadItem> {
  const [item, ...more] = await readAll(
    "csv",
    Buffer.concat([Buffer.from(head), Buffer.from(line)]),
  );
  assert.ok(item);
  assert.deepEqual(more, []);
  return item;
}

describe("CSV", () => {
  it("reads every column, quoted or not, with its position in the file", async () => {
    const preferences = { vendors: { matomo: true, chat: false } };
    const cells = ["t;1", "cookies", configuration, "true", date, '{"a":"b;c"}'];
    const line = toCsvLine([...cells, JSON.stringify(preferences)]);
    const [first, second, ...more] = await readAll("csv", `\uFEFF${head}${line}${good}`);
    assert.deepEqual(more, []);
    assert.equal(first?.line, 2);
    assert.equal(first.end, Buffer.byteLength(`\uFEFF${head}${line}`));
    const { entry } = first;
    assert.equal(entry?.token, "t;1");
    assert.equal(entry.accept, true);
    assert.deepEqual(entry.value, { a: "b;c" });
    assert.deepEqual(entry.preferences, preferences);
    assert.equal(entry.createdAt.toISOString(), date);
    assert.equal(second?.line, 3);
    assert.equal(second.entry?.preferences, null);
  });

  it("reads columns in any order, ignores others, and unescapes formulas", async () => {
    const file = `extra;date;accept;identifier;collection;token\nx;1777000000000;0;${configuration};contracts;'=1+1\n`;
    const [only] = await readAll("csv", file);
    assert.equal(only?.entry?.token, "=1+1");
    assert.equal(only.entry.accept, false);
    assert.equal(only.entry.createdAt.getTime(), 1_777_000_000_000);
  });

  it("resumes at any position with the same entries and ids", async () => {
    const lines = ["a", "b", "c"].map((token) => good.replace("t1", token));
    const all = await readAll("csv", head + lines.join(""));
    const rest = await readAll("csv", head + lines.join(""), {
      offset: all[0]?.end ?? 0,
      line: 3,
    });
    assert.deepEqual(rest, all.slice(1));
  });

  it("rejects a file without the required columns", async () => {
    await assert.rejects(readAll("csv", "token,collection\n"), /lacks token, collection, .*date/);
    await assert.rejects(readAll("csv", ""), /empty/);
  });

  const line = (changed: object) => {
    const cells = {
      token: "t",
      collection: "cookies",
      identifier: configuration,
      accept: "1",
      date,
      value: "",
      preferences: "",
    };
    return `${Object.values({ ...cells, ...changed }).join(";")}\n`;
  };
  const refusals: Record<string, [string | Buffer, RegExp]> = {
    "too few cells": ["a;b\n", /2 cells, and the header names 7/],
    "an invalid answer": [line({ accept: "maybe" }), /accept must be 1, 0, true or false/],
    "another collection": [
      line({ collection: "pages" }),
      /must be one of cookies, processings, contracts/,
    ],
    "no token": [line({ token: "" }), /token is required/],
    "a token with a control character": [line({ token: "a\u0007" }), /token must/],
    "an invalid date": [line({ date: "yesterday" }), /date must be a date/],
    "a day that does not exist": [line({ date: "2026-02-30T00:00:00Z" }), /date must be a date/],
    "a date before 1970": [line({ date: "1969-12-31T23:59:59Z" }), /before 1970/],
    "a date in the future": [line({ date: "2026-05-01T00:00:00.001Z" }), /future/],
    "preferences that are not JSON": [line({ preferences: "{x" }), /preferences must be JSON/],
    "invalid preferences": [
      line({ preferences: '"{""vendors"":{""a"":1}}"' }),
      /preferences vendors\/a must be boolean/,
    ],
    "a value of broken JSON": [line({ value: "{x" }), /value must be JSON/],
    "a quotation mark inside a cell": [line({ token: 'a"b""' }), /quotation mark/],
    "invalid UTF-8": [Buffer.from(line({ token: "ÿ" }), "latin1"), /UTF-8/],
    NUL: [line({ value: '"""\\u0000"""' }), /NUL/],
    "200 KiB": [`${"x".repeat(200 * 1024)}\n`, /100 KiB/],
  };
  for (const [what, [bytes, reason]] of Object.entries(refusals))
    it(`refuses a line with ${what}, and reads the next one`, async () => {
      const items = await readAll(
        "csv",
        Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(good)]),
      );
      assert.match(items[0]?.reason ?? "", reason);
      assert.equal(items.length, 2);
      assert.equal(items[1]?.entry?.token, "t1");
    });

  it("keeps a value that is not JSON as text", async () => {
    assert.equal((await readCsvLine(line({ value: "hello" }))).entry?.value, "hello");
  });

  it("rejects only one line for an unclosed quotation mark", async () => {
    const items = await readAll("csv", `${head}"open;x\n${good}${good.replace("t1", "t2")}`);
    assert.deepEqual(
      items.map((one) => [one.line, one.entry?.token]),
      [
        [2, undefined],
        [3, "t1"],
        [4, "t2"],
      ],
    );
  });

  it("reads every cell that our export writes", async () => {
    const text = fc
      .string({ unit: anyCharacter, maxLength: 20 })
      .filter((value) => value.isWellFormed() && !value.includes("\0"));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (values) => {
        const lines = values.map((value, at) =>
          toCsvLine([
            `t${at},=${at}`,
            "contracts",
            configuration,
            "0",
            date,
            escapeFormulas(JSON.stringify(value)),
            "",
          ]),
        );
        const items = await readAll("csv", head + lines.join(""));
        assert.deepEqual(
          items.map(({ entry }) => entry?.value),
          values,
        );
        assert.deepEqual(
          items.map(({ entry }) => entry?.token),
          values.map((_, at) => `t${at},=${at}`),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("reads JSON of other services unchanged", async () => {
    const value = { a: "x,'=1", b: ["y", "'-"], c: ",'+" };
    const cell = `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    const { entry } = await readCsvLine(`t;contracts;${configuration};0;${date};${cell};\r\n`);
    assert.deepEqual(entry?.value, value);
  });
});

describe("NDJSON", () => {
  const entry = { token: "t", collection: "contracts", identifier: configuration, accept: true };

  it("reads the names of our export and those of the columns", async () => {
    const own = "019d5c2f-5c89-7abc-8def-000000000001";
    const at = new Date(Number.parseInt("019d5c2f5c89", 16)).toISOString();
    const lines = [
      { ...entry, createdAt: at, consentId: own },
      { ...entry, date },
      { ...entry, date: 1 },
    ];
    const items = await readAll(
      "ndjson",
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    assert.equal(items[0]?.entry?.ownId, own);
    assert.equal(items[1]?.entry?.createdAt.toISOString(), date);
    assert.equal(items[2]?.entry?.createdAt.getTime(), 1);
  });

  it("replaces an id of another date by one derived from the entry", async () => {
    const consentId = "019d5c2f-5c89-7abc-8def-000000000001";
    const line = JSON.stringify({ ...entry, date, consentId });
    const [only] = await readAll("ndjson", line);
    assert.ok(only?.entry);
    assert.equal(only.entry.ownId, undefined);
    const id = deriveId(only.entry);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), Date.parse(date));
  });

  it("refuses only the lines that are not objects", async () => {
    const items = await readAll("ndjson", `[]\n{\n${JSON.stringify({ ...entry, date })}\n`);
    assert.deepEqual(
      items.map(({ reason }) => reason),
      ["The line is not a JSON object.", "The line is not a JSON object.", undefined],
    );
  });

  it("validates a manifest without importing it", async () => {
    const lines = `${JSON.stringify({ ...entry, date })}\n`;
    const sha256 = createHash("sha256").update(lines).digest("hex");
    const items = async (manifest: object) => {
      const file = `${lines}${JSON.stringify({ manifest })}\n`;
      assert.equal((await readAll("ndjson", file)).length, 1);
      return getFormat("ndjson").findDefect?.(join(folder, "file"), Buffer.byteLength(file));
    };
    assert.equal(await items({ count: 1, sha256 }), undefined);
    assert.match((await items({ count: 2, sha256 })) ?? "", /counts 2 lines, and the file has 1/);
    assert.match((await items({ count: 1, sha256: "0" })) ?? "", /do not match its manifest/);
  });

  it("validates each of several exports in one file, and accepts lines before the continuation of an export only", async () => {
    const [one, two] = [1, 2].map((at) => `${JSON.stringify({ ...entry, date, value: at })}\n`);
    const sealed = (lines = "", more = {}) => {
      const sha256 = createHash("sha256").update(lines).digest("hex");
      const manifest = { count: 1, bytes: Buffer.byteLength(lines), sha256, ...more };
      return `${lines}${JSON.stringify({ manifest })}\n`;
    };
    const items = async (file: string) => {
      await readAll("ndjson", file);
      return getFormat("ndjson").findDefect?.(join(folder, "file"), Buffer.byteLength(file));
    };
    assert.equal(await items(sealed(one) + sealed(two)), undefined);
    assert.equal(await items(one + sealed(two, { after: "x" })), undefined);
    assert.match(
      (await items(one + sealed(two))) ?? "",
      /lines before those that its manifest describes/,
    );
    const changed = sealed(one).replace('"value":1', '"value":3');
    assert.match((await items(changed + sealed(two))) ?? "", /do not match its manifest/);
  });
});
