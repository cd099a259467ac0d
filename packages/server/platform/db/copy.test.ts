import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { type TestDatabase, openTestDatabase } from "../../../../test/database.ts";
import { codeOf } from "../errors.ts";
import { copyRows, toCopyText } from "./copy.ts";
import type { DataDb } from "./db.ts";
import { openDataDatabase } from "./open.ts";

let database: TestDatabase;
let db: DataDb;
before(async () => {
  database = await openTestDatabase();
  const log = { warn: () => undefined };
  db = openDataDatabase({ url: database.url, poolMax: 1, queueMax: 10, log });
  await sql`CREATE TABLE copied (id integer PRIMARY KEY, said text)`.execute(db);
});
after(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

function toRows(said: readonly (string | null)[]): Buffer {
  return Buffer.from(said.map((text, at) => `${at}\t${toCopyText(text)}\n`).join(""));
}

async function readAll(): Promise<(string | null)[]> {
  const { rows } = await sql<{ said: string | null }>`
    SELECT said FROM copied ORDER BY id`.execute(db);
  return rows.map(({ said }) => said);
}

const copied = "COPY copied FROM STDIN";

test("copies rows of any content and length unchanged", async () => {
  const long = "ä\\".repeat(100_000);
  const said = ["", null, "\\N", "\\.", "a\tb\nc\r\nd\\e", '{"a":"\\n"}', "\u0007\u2028", long];
  await db.transaction().execute(async (tx) => {
    await sql`DELETE FROM copied`.execute(tx);
    await copyRows(tx, [{ statement: copied, rows: toRows(said) }]);
  });
  assert.deepEqual(await readAll(), said);
});

test("throws for a failed COPY, rolls back its transaction and keeps the connection usable", async () => {
  const kept = await readAll();
  const twice = db.transaction().execute(async (tx) => {
    await sql`DELETE FROM copied`.execute(tx);
    const rows = Buffer.concat([toRows(["first"]), toRows(["x".repeat(200_000)])]);
    await copyRows(tx, [{ statement: copied, rows }]);
  });
  await assert.rejects(twice, (error) => codeOf(error) === "23505");
  const nowhere = db
    .transaction()
    .execute((tx) => copyRows(tx, [{ statement: "COPY x FROM STDIN", rows: toRows([]) }]));
  await assert.rejects(nowhere, (error) => codeOf(error) === "42P01");
  assert.deepEqual(await readAll(), kept);
});

test("copies into several tables in order, or into none when one fails", async () => {
  const toCopies = (third: string) => [
    { statement: copied, rows: toRows(["first", "x".repeat(200_000)]) },
    { statement: "COPY others FROM STDIN", rows: Buffer.from("1\n2\n") },
    { statement: "COPY others FROM STDIN", rows: Buffer.from(third) },
  ];
  const copyAll = (third: string) =>
    db.transaction().execute(async (tx) => {
      await sql`DELETE FROM copied`.execute(tx);
      await copyRows(tx, toCopies(third));
    });
  await sql`CREATE TABLE others (id integer)`.execute(db);
  try {
    const kept = await readAll();
    await assert.rejects(copyAll("1\nnone\n2\n"), (error) => codeOf(error) === "22P02");
    assert.deepEqual(await readAll(), kept);
    await copyAll("3\n");
    assert.deepEqual(await readAll(), ["first", "x".repeat(200_000)]);
    const { rows } = await sql<{ id: number }>`SELECT id FROM others ORDER BY id`.execute(db);
    assert.deepEqual(
      rows.map(({ id }) => id),
      [1, 2, 3],
    );
  } finally {
    await sql`DROP TABLE others`.execute(db);
  }
});

test("never prepares a COPY as a frequent query", async () => {
  for (let attempt = 0; attempt < 30; attempt += 1)
    await db.transaction().execute(async (tx) => {
      await sql`DELETE FROM copied`.execute(tx);
      await copyRows(tx, [{ statement: copied, rows: toRows([String(attempt)]) }]);
    });
  assert.deepEqual(await readAll(), ["29"]);
});
