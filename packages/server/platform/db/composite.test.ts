import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { type TestDatabase, openTestDatabase } from "../../../../test/database.ts";
import { codeOf } from "../errors.ts";
import { type CompositeField, type CompositeValue, openRowsEncoder } from "./composite.ts";

type Row = readonly CompositeValue[];
const toField = (type: CompositeField<Row>["type"], at: number): CompositeField<Row> => ({
  type,
  valueOf: (row) => row[at],
});

/** The columns in an order other than the type's. */
const fields = {
  bytes: toField("bytea", 7),
  said: toField("text", 0),
  id: toField("uuid", 1),
  is_so: toField("boolean", 2),
  count: toField("integer", 3),
  json: toField("json", 4),
  jsonb: toField("jsonb", 5),
  at: toField("timestamptz", 6),
};
const encodeRows = openRowsEncoder<Row>({ name: "everything", fields });
const ID = "0193f3a2-7c1e-7abc-8def-0123456789ab";

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await openTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE TYPE everything AS (
    said text, id uuid, is_so boolean, count integer, json json, jsonb jsonb, at timestamptz, bytes bytea)`);
});
after(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

async function readBack(rows: readonly Row[]): Promise<unknown[][]> {
  const parameter = await encodeRows(client, rows);
  const { rows: read } = await client.query<unknown[]>({
    name: "read-back",
    text: `SELECT said, id, is_so, count, json::text, jsonb, (extract(epoch FROM at) * 1000)::float8,
      encode(bytes, 'hex') FROM unnest($1::everything[])`,
    values: [parameter],
    rowMode: "array",
  });
  return read;
}

test("PostgreSQL reads rows of each column type unchanged", async () => {
  const rows = [
    ["", ID, true, 0, "[]", "{}", 0, Buffer.of()],
    [
      "ä € 😀 \\ \" ' , ( ) { } \n\t",
      ID,
      false,
      -1,
      ' {"b": 1, "a" : "\\n"}',
      '"😀"',
      1_763_900_000_123,
      "00ff",
    ],
    [null, undefined, null, undefined, null, undefined, null, undefined],
    // Before 2000, before 1970, and a year of a wrong clock.
    ["x", ID, true, 2_147_483_647, "null", "null", new Date(946_684_799_999), Buffer.from("abc")],
    ["y", ID, true, -2_147_483_648, "1", "1", -1, Buffer.from([0, 1, 255])],
    ["z", ID, true, 1, "1", "1", Date.UTC(2199, 11, 31, 23, 59, 59, 999), "aa"],
  ];
  assert.deepEqual(await readBack(rows), [
    ["", ID, true, 0, "[]", {}, 0, ""],
    [
      "ä € 😀 \\ \" ' , ( ) { } \n\t",
      ID,
      false,
      -1,
      ' {"b": 1, "a" : "\\n"}',
      "😀",
      1_763_900_000_123,
      "00ff",
    ],
    [null, null, null, null, null, null, null, null],
    ["x", ID, true, 2_147_483_647, "null", null, 946_684_799_999, "616263"],
    ["y", ID, true, -2_147_483_648, "1", 1, -1, "0001ff"],
    ["z", ID, true, 1, "1", 1, Date.UTC(2199, 11, 31, 23, 59, 59, 999), "aa"],
  ]);
  assert.deepEqual(await readBack([]), []);
});

test("encodes rows longer than the buffer, and the rows after them", async () => {
  const long = "ä€😀".repeat(100_000);
  const bytes = Buffer.alloc(3_000_000, 7);
  const toRow = (said: string) => [said, ID, true, 1, "1", "1", 0, bytes];
  const read = await readBack([toRow(long), toRow("short"), toRow(long)]);
  assert.deepEqual(
    read.map(([said]) => said),
    [long, "short", long],
  );
  assert.deepEqual(
    read.map((row) => row[7]),
    Array.from({ length: 3 }, () => bytes.toString("hex")),
  );
  const [last] = await readBack([["after", ID, true, 1, "1", "1", 0, "00"]]);
  assert.deepEqual(last, ["after", ID, true, 1, "1", 1, 0, "00"]);
});

test("throws for values that PostgreSQL rejects, and keeps the connection usable", async () => {
  const toRow = (said: string, json: string) => [said, ID, true, 1, json, "1", 0, "00"];
  await assert.rejects(readBack([toRow("ok", "{")]), (error) => codeOf(error) === "22P02");
  await assert.rejects(readBack([toRow("a\0b", "1")]), (error) => codeOf(error) === "22021");
  assert.equal((await readBack([toRow("then", "1")])).length, 1);
});

test("rejects a type with other columns, and one that does not exist", async () => {
  const { said, ...others } = fields;
  for (const wrong of [others, { ...fields, more: said }, { ...others, sayd: said }]) {
    const encode = openRowsEncoder<Row>({ name: "everything", fields: wrong });
    await assert.rejects(encode(client, []), /The type everything has the columns said, id, /);
  }
  const none = openRowsEncoder<Row>({ name: "nothing", fields })(client, []);
  await assert.rejects(none, (error) => codeOf(error) === "42704");
});
