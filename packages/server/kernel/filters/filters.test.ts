import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { toFilters, toSort } from "./filters.ts";

const fields = {
  declared: new Set(["title", "projectId", "steps", "storageDuration"]),
  service: new Set(["_id", "id", "createdAt", "createdBy", "updatedAt", "updatedBy", "version"]),
};
const toPaths = (query: Record<string, unknown>) => {
  const { jsonpath, columns, faults } = toFilters(query, fields);
  assert.deepEqual([columns, faults], [[], []]);
  return jsonpath;
};

const translated: [string, Record<string, unknown>, string][] = [
  ["a value", { title: "Shop" }, '$."title" == "Shop"'],
  ["a value with the prefix", { "data.title": "Shop" }, '$."title" == "Shop"'],
  ["an undeclared field with the prefix", { "data.colour": "red" }, '$."colour" == "red"'],
  ["a dotted path", { "steps.vendors.name": "x" }, '$."steps"."vendors"."name" == "x"'],
  [
    "a number",
    { storageDuration: "-1.50" },
    '$."storageDuration" == "-1.50" || $."storageDuration" == -1.5',
  ],
  ["a boolean", { "data.on": "true" }, '$."on" == "true" || $."on" == true'],
  ["null", { "data.on": "null" }, '$."on" == "null" || $."on" == null'],
  ["no value", { title: "" }, '$."title" == ""'],
  ["a number that overflows", { title: "1e999" }, '$."title" == "1e999"'],
  ["a number with a leading zero", { title: "007" }, '$."title" == "007"'],
  ["a repeated parameter", { title: ["a", "b"] }, '$."title" == "a" || $."title" == "b"'],
  ["[in]", { "title[in]": "a,b" }, '$."title" == "a" || $."title" == "b"'],
  ["[contains]", { "title[contains]": "a.b" }, '$."title" like_regex "a.b" flag "iq"'],
  ["[exists]", { "title[exists]": "true" }, 'exists($."title")'],
  ["[exists] false", { "title[exists]": "false" }, '!exists($."title")'],
  ["[gt] with a number", { "storageDuration[gt]": "12" }, '$."storageDuration" > 12'],
  ["[lte] with a date", { "data.at[lte]": "2026-01-01" }, '$."at" <= "2026-01-01T23:59:59.999Z"'],
  ["quotes and backslashes", { title: 'a"b\\c\n' }, String.raw`$."title" == "a\"b\\c\n"`],
  ["quotes in a path", { 'data.a" || true': "x" }, String.raw`$."a\" || true" == "x"`],
];

for (const [what, query, jsonpath] of translated) {
  test(`translates ${what} to a JSON path`, () => {
    assert.deepEqual(toPaths(query), [jsonpath]);
  });
}

test("ignores parameters that name no field", () => {
  const query = {
    page: "2",
    perPage: "5",
    sort: "title",
    access_token: "x",
    unknown: "1",
    "a.b": "1",
  };
  assert.deepEqual(
    toPaths({ ...query, "title[like]": "x", "[gt]": "1", "": "x", __proto__x: "y" }),
    [],
  );
  assert.deepEqual(toPaths({ "data.page": "2" }), ['$."page" == "2" || $."page" == 2']);
});

test("translates service fields to conditions on columns, with typed values", () => {
  const query = {
    _id: ["0123456789abcdef01234567", "x"],
    "createdAt[gte]": "2026-01-31",
    "updatedAt[lt]": "2026-01-31T12:00:00 02:00",
    "version[in]": "1,2",
    createdAt: "2026-01-31T12:00:00.5",
    "createdBy[exists]": "true",
    "updatedBy[exists]": "false",
  };
  assert.deepEqual(toFilters(query, fields), {
    jsonpath: [],
    faults: [],
    columns: [
      { column: "id", operator: "in", values: ["0123456789abcdef01234567", "x"] },
      { column: "created_at", operator: ">=", value: new Date("2026-01-31T00:00:00Z") },
      { column: "updated_at", operator: "<", value: new Date("2026-01-31T10:00:00Z") },
      { column: "version", operator: "in", values: [1, 2] },
      {
        column: "created_at",
        operator: "between",
        pairs: [[new Date("2026-01-31T12:00:00.500Z"), new Date("2026-01-31T12:00:00.500Z")]],
      },
      { column: "id", operator: "in", values: [] },
    ],
  });
});

test("takes a date as all of its day in UTC", () => {
  const [first, last] = [new Date("2026-01-31T00:00:00Z"), new Date("2026-01-31T23:59:59.999Z")];
  const columnOf = (parameter: string) => toFilters({ [parameter]: "2026-01-31" }, fields).columns;
  assert.deepEqual(
    ["createdAt[gt]", "createdAt[gte]", "createdAt[lt]", "createdAt[lte]"].flatMap(columnOf),
    [
      { column: "created_at", operator: ">", value: last },
      { column: "created_at", operator: ">=", value: first },
      { column: "created_at", operator: "<", value: first },
      { column: "created_at", operator: "<=", value: last },
    ],
  );
  assert.deepEqual(columnOf("updatedAt"), [
    { column: "updated_at", operator: "between", pairs: [[first, last]] },
  ]);
  assert.deepEqual(
    toPaths({
      "data.on[gt]": "2026-01-31",
      "data.on[gte]": "2026-01-31",
      "data.on[lte]": "2026-01-31",
    }),
    [
      '$."on" > "2026-01-31T23:59:59.999Z"',
      '$."on" >= "2026-01-31"',
      '$."on" <= "2026-01-31T23:59:59.999Z"',
    ],
  );
});

const wrong: [string, unknown, RegExp][] = [
  ["title", Array(21).fill("a"), /at most 20 values/],
  ["title[in]", "a,".repeat(20), /at most 20 values/],
  ["title", "a".repeat(1025), /at most 1024 characters/],
  ["title", "a\0", /cannot be stored/],
  ["title[contains]", "\uD800", /cannot be stored/],
  ["title[contains]", "", /must not be empty/],
  ["title[exists]", "yes", /true or false/],
  ["title[gt]", ["1", "2"], /may occur only once/],
  ["data.a.b.c.d.e.f.g.h.i", "x", /has more than 8 levels/],
  ["title..a", "x", /empty part/],
  ["data.", "x", /empty part/],
  [`data.${"a".repeat(129)}`, "x", /over 128 characters/],
  ["data.a\0", "x", /cannot be stored/],
  ["createdAt", "yesterday", /must be a date/],
  ["createdAt[gt]", "2026-13-01", /must be a date/],
  ["updatedAt[in]", "2026-01-31,2026-02-30", /must be a date/],
  ["version[lt]", "1.5", /whole number/],
  ["createdBy[contains]", "a", /cannot be searched in parts/],
];

for (const [parameter, value, message] of wrong) {
  test(`rejects ${parameter.slice(0, 30)}=${String(value).slice(0, 20)} at its parameter`, () => {
    const { jsonpath, columns, faults } = toFilters({ [parameter]: value }, fields);
    assert.deepEqual([jsonpath, columns, faults.length], [[], [], 1]);
    assert.match(faults[0]?.message ?? "", message);
    assert.equal(faults[0]?.path, `?${parameter.slice(0, 100).replace("\0", "\uFFFD")}`);
  });
}

test("reports all faults at once and limits filters to twenty", () => {
  const bad = { title: "\0", "version[lt]": "x", projectId: "1" };
  assert.equal(toFilters(bad, fields).faults.length, 2);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`data.f${n}`, "x"]));
  const { jsonpath, faults } = toFilters(many, fields);
  assert.equal(jsonpath.length, 20);
  assert.deepEqual(faults, [{ path: "?data.f20", message: "exceeds the limit of 20 filters" }]);
});

test("translates or rejects any query, and escapes quotes", () => {
  const names = fc.oneof(
    fc.constantFrom("title", "data.x[gt]", "steps.a[contains]", "createdAt", "version[in]"),
    fc.string({ unit: anyCharacter }).map((name) => `data.${name}`),
  );
  fc.assert(
    fc.property(
      fc.dictionary(names, fc.string({ unit: anyCharacter }), { maxKeys: 25 }),
      (query) => {
        for (const jsonpath of toFilters(query, fields).jsonpath) {
          const bare = jsonpath.replaceAll(/"(?:[^"\\]|\\.)*"/g, "s");
          assert.match(bare, /^!?[$s.=|<>&() a-z_0-9e+-]+$/);
        }
      },
    ),
  );
});

test("sorts by columns and fields in both directions", () => {
  assert.deepEqual(toSort("-createdAt,title,data.a.b", fields), {
    sort: [
      { kind: "column", column: "created_at", direction: "desc" },
      { kind: "jsonpath", jsonpath: '$."title"', direction: "asc" },
      { kind: "jsonpath", jsonpath: '$."a"."b"', direction: "asc" },
    ],
    faults: [],
  });
  assert.deepEqual(toSort(undefined, fields), { sort: [], faults: [] });
  assert.deepEqual(toSort("", fields), { sort: [], faults: [] });
});

test("rejects a sort by four fields, by an unknown field or by an invalid path", () => {
  assert.match(toSort("title,id,-version,createdAt", fields).faults[0]?.message ?? "", /at most 3/);
  assert.deepEqual(toSort("colour,-title..x", fields).faults, [
    { path: "?sort", message: '"colour" is not a field of these documents' },
    { path: "?sort", message: '"-title..x" has an empty part in its path' },
  ]);
});
