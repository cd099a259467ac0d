import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { type TestDatabase, openTestDatabase } from "../../../../../test/database.ts";
import {
  type ConsentRecord,
  type ConsentRow,
  columnNames,
  columns,
  toRecord,
  toRow,
} from "./row.ts";

const id = "01a1fa54-406b-75e9-b92a-83f15d13af7e";
const full: ConsentRecord = {
  projectId: "665f0000aaaabbbbccccdddd",
  id,
  token: "a token/ü",
  collection: "cookies",
  identifier: "665f0000aaaabbbbccccddde",
  accept: true,
  preferences: { vendors: { hotjar: false } },
  value: { any: ["thing", null] },
  language: "en",
  url: "https://shop.example/page",
  clientAt: new Date("2026-03-04T05:06:07.089Z"),
  country: "DE",
  userAgent: "Firefox",
  version: 3,
  importId: null,
  grade: "ticketed",
  gpc: false,
  displayedAt: new Date("2026-03-04T05:05:00.000Z"),
  warnings: [{ path: "/ticket", message: "was used before" }],
  createdAt: new Date("2026-05-04T05:06:07.089Z"),
};
const least: ConsentRecord = {
  ...full,
  preferences: null,
  value: null,
  language: null,
  url: null,
  clientAt: null,
  country: null,
  version: null,
  grade: "browser",
  gpc: null,
  displayedAt: null,
  warnings: [],
};
const imported: ConsentRecord = {
  ...least,
  grade: "imported",
  importId: "665f0000aaaabbbbccccdddf",
};

/** Adopted from another consent tool by a page, and not from a file. */
const adopted: ConsentRecord = { ...least, grade: "imported" };

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await openTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
after(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

test("lists the columns of the table with their types", async () => {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
    WHERE attrelid = 'consents'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  const types = Object.entries(columns).map(([name, { type }]) => [name, type]);
  const toName = (type: string) => (type === "timestamp with time zone" ? "timestamptz" : type);
  assert.deepEqual(
    Object.fromEntries(types),
    Object.fromEntries(rows.map(({ name, type }) => [name, toName(type)])),
  );
});

for (const [name, record] of Object.entries({ full, least, imported, adopted }))
  test(`converts a record to a row and back (${name})`, async () => {
    await client.query("BEGIN");
    const answers = { "": { answer: "accepted" } };
    const row = toRow(record, { choice: null, answers });
    await client.query(
      `INSERT INTO consents (${columnNames.join(", ")})
      VALUES (${columnNames.map((_, at) => `$${at + 1}`).join(", ")})`,
      columnNames.map((column) => columns[column].valueOf(row)),
    );
    const { rows } = await client.query<ConsentRow>("SELECT * FROM consents WHERE id = $1", [id]);
    await client.query("ROLLBACK");
    const [read] = rows;
    assert.ok(read);
    assert.deepEqual(toRecord(read), record);
    assert.deepEqual(read.answers, answers);
    const { grade } = record;
    const isImplied = grade === "browser" || record.importId !== null;
    assert.equal(read.grade, isImplied ? null : grade);
  });
