import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "./any-character.ts";
import { Client } from "pg";
import { toFilters, toSort } from "../packages/server/kernel/filters/filters.ts";
import { openTestDatabase } from "./database.ts";

const fields = {
  declared: new Set(["title", "steps", "months", "at", "on"]),
  service: new Set<string>(),
};
const documents: Record<string, unknown>[] = [
  { title: "Shop", months: 12, at: "2026-03-01T00:00:00.000Z", on: true, tags: ["News", "Sport"] },
  { title: 'shop of\nO\'Hara "& sons" \\ 50%', months: 6, at: "2025-12-31", on: null },
  { title: "12", months: "12", steps: [{ name: "a", vendors: [{ name: "x.y" }] }, { name: "b" }] },
  { title: "été 🎉 a.b*c", on: "true", deep: { er: { still: 1.5 } } },
];

const found: [Record<string, unknown>, number[]][] = [
  [{ title: "Shop" }, [0]],
  [{ title: ["Shop", "12"] }, [0, 2]],
  [{ "title[in]": "Shop,nothing" }, [0]],
  [{ "data.title": documents[1]?.["title"] }, [1]],
  [{ months: "12" }, [0, 2]],
  [{ months: "12.0" }, [0]],
  [{ on: "true" }, [0, 3]],
  [{ on: "null" }, [1]],
  [{ "on[exists]": "true" }, [0, 1, 3]],
  [{ "on[exists]": "false" }, [2]],
  [{ "months[gt]": "6" }, [0]],
  [{ "months[gte]": "6", "months[lt]": "12.5" }, [0, 1]],
  [{ "months[gt]": "-1e2" }, [0, 1]],
  [{ "at[gte]": "2026-01-01" }, [0]],
  [{ "at[lt]": "2026-01-01T00:00:00Z" }, [1]],
  [{ "title[contains]": "SHOP" }, [0, 1]],
  [{ "title[contains]": "o'hara \"&" }, [1]],
  [{ "title[contains]": "a.b*c" }, [3]],
  [{ "title[contains]": "s.o" }, []],
  [{ "title[contains]": "\\" }, [1]],
  [{ "title[contains]": "***:(?i)" }, []],
  [{ "data.tags": "Sport" }, [0]],
  [{ "data.tags[contains]": "port" }, [0]],
  [{ "steps.name": "b" }, [2]],
  [{ "steps.vendors.name": "x.y" }, [2]],
  [{ "data.deep.er.still": "1.5" }, [3]],
  [{ title: '" || 1 == 1 || "' }, []],
  [{ title: 'x" || exists($)' }, []],
  [{ 'data.title" != "': "" }, []],
  [{ title: "\\" }, []],
  [{ title: "'; DROP TABLE filtered; --" }, []],
  [{ "title[contains]": '" flag "" || 1 == 1 || $ like_regex "' }, []],
];

let close: () => Promise<void>;
let client: Client;

before(async () => {
  const database = await openTestDatabase();
  client = new Client({ connectionString: database.url });
  close = async () => {
    await client.end();
    await database[Symbol.asyncDispose]();
  };
  await client.connect();
  await client.query("CREATE TEMP TABLE filtered (id integer, body jsonb)");
  await client.query("CREATE INDEX filtered_body ON filtered USING gin (body jsonb_path_ops)");
  for (const [id, body] of documents.entries()) {
    await client.query("INSERT INTO filtered VALUES ($1, $2)", [id, JSON.stringify(body)]);
  }
});

after(() => close());

for (const [query, ids] of found) {
  test(`${JSON.stringify(query)} finds ${ids.join(" and ") || "nothing"}`, async () => {
    const { jsonpath, faults } = toFilters(query, fields);
    assert.deepEqual(faults, []);
    const conditions = jsonpath.map((_, index) => `body @@ $${index + 1}::jsonpath`).join(" AND ");
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM filtered WHERE ${conditions} ORDER BY id`,
      jsonpath,
    );
    assert.deepEqual(
      rows.map((row) => row.id),
      ids,
    );
  });
}

test("equality with several values of every type uses the index", async () => {
  const [jsonpath] = toFilters({ "steps.vendors.name": ["x", "-12", "true"] }, fields).jsonpath;
  await client.query("SET enable_seqscan = off");
  const { rows } = await client.query(
    `EXPLAIN SELECT id FROM filtered WHERE body @@ ${client.escapeLiteral(jsonpath ?? "")}::jsonpath`,
  );
  await client.query("RESET enable_seqscan");
  assert.match(JSON.stringify(rows), /Index Scan on filtered_body/);
});

test("finds every valid text by itself, as a value, a part and a name, and finds nothing else", async () => {
  const valid = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
    .filter((text) => !text.includes("\0") && text.isWellFormed());
  const hostile = fc.constantFrom(
    '"',
    '\\"',
    '" || true',
    "\\u0000",
    "*/",
    "$",
    "@",
    "\u2028",
    "%s",
  );
  const texts = fc
    .array(fc.oneof(valid, hostile), { minLength: 1, maxLength: 4 })
    .map((t) => t.join(""));
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const name = text.replaceAll(".", "_");
      const body = JSON.stringify({ title: text, part: `é${text}é`, [name]: { here: "yes" } });
      const query = { title: text, "data.part[contains]": text, [`data.${name}.here`]: "yes" };
      const { jsonpath, faults } = toFilters(query, fields);
      assert.deepEqual([jsonpath.length, faults.length], [name === "title" ? 2 : 3, 0]);
      const { rows } = await client.query<{ own: boolean; other: boolean }>(
        `SELECT bool_and($1::jsonb @@ path::jsonpath) AS own,
                bool_or('{"title":"other","part":"other"}'::jsonb @@ path::jsonpath) AS other
         FROM unnest($2::text[]) AS path`,
        [body, jsonpath],
      );
      assert.deepEqual(rows, [{ own: true, other: false }]);
    }),
    { numRuns: 300 },
  );
});

test("sort paths order documents by their value", async () => {
  const { sort } = toSort("-data.months", fields);
  const [first] = sort;
  assert.ok(first?.kind === "jsonpath");
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM filtered WHERE body @@ '$.months > 0'
     ORDER BY jsonb_path_query_first(body, $1::jsonpath) ${first.direction}`,
    [first.jsonpath],
  );
  assert.deepEqual(
    rows.map((row) => row.id),
    [0, 1],
  );
});
