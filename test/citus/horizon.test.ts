import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { findHorizon } from "../../packages/server/modules/consents/read/horizon.ts";
import {
  type GroupRows,
  readClock,
  writeGroup,
} from "../../packages/server/modules/consents/collect/group-store.ts";
import { timeOfId } from "../../packages/server/kernel/ids.ts";
import type { DataDb } from "../../packages/server/platform/db/db.ts";
import { openDataDatabase } from "../../packages/server/platform/db/open.ts";
import { type TestDatabase, openTestDatabase, toTablesUrl } from "../database.ts";
import { poll } from "../poll.ts";

const MARGIN_MS = 500;
const log = { warn: () => undefined };
let database: TestDatabase;
let db: DataDb;

before(async () => {
  database = await openTestDatabase();
  db = openDataDatabase({ url: toTablesUrl(database.dataUrl), poolMax: 2, queueMax: 10, log });
});
after(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

async function openClient(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: toTablesUrl(database.dataUrl) });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

const horizonMs = async () => timeOfId(await findHorizon(db, MARGIN_MS)).getTime();

/** The collecting transactions that the coordinator itself knows. */
async function countLocksOfCoordinator(): Promise<number> {
  const { rows } = await sql`
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711002 AND objsubid = 2`.execute(
    db,
  );
  return rows.length;
}

const pollHorizon = (isRight: (ms: number) => boolean) =>
  poll({ read: horizonMs, isRight, waitMs: 20_000, toMessage: String });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A group without records, which locks an answer combination. */
const group: GroupRows & { trace: undefined; marginMs: number } = {
  records: [],
  firstIdAt: Date.now() + 60_000,
  hasTickets: false,
  states: [],
  past: [],
  versions: [],
  choices: [{ projectId: "p", identifier: "cookies", choice: 1 }],
  followed: 0,
  trace: undefined,
  marginMs: MARGIN_MS,
};

test("the horizon moves on while nothing is collected", async () => {
  const first = await horizonMs();
  await pause(50);
  assert.ok((await horizonMs()) >= first + 50);
});

test("the horizon stays before a transaction that has written on the worker", async () => {
  await using client = await openClient();
  await client.query("BEGIN");
  const began = await readClock(client);
  await writeGroup(client, { ...group, choices: [] });
  await pause(100);
  assert.equal(await countLocksOfCoordinator(), 0);
  const held = await horizonMs();
  assert.ok(held <= began.getTime() - MARGIN_MS, `${held} ${began.getTime()}`);
  await pause(100);
  assert.equal(await horizonMs(), held);
  await client.query("COMMIT");
  assert.ok((await horizonMs()) >= held + 100);
});

test("the horizon stays before a group that the worker is writing", async () => {
  await sql`
    INSERT INTO choices (project_id, identifier, choice, digest, items) VALUES ('p', 'cookies', 1, 'd', '{}')`.execute(
    db,
  );
  await using blocker = await openClient();
  await using writer = await openClient();
  await blocker.query("BEGIN");
  await blocker.query("SELECT FROM choices WHERE project_id = 'p' FOR UPDATE");
  const from = Date.now();
  let isWritten = false;
  const writing = writeGroup(writer, group).then(() => (isWritten = true));
  const held = await pollHorizon((ms) => ms < Date.now() - MARGIN_MS - 300);
  assert.ok(held >= from - MARGIN_MS - 50 && !isWritten, `${from} ${held}`);
  assert.equal(await horizonMs(), held);
  assert.equal(await countLocksOfCoordinator(), 0);
  await blocker.query("COMMIT");
  await writing;
  await pollHorizon((ms) => ms > held + 300);
});
