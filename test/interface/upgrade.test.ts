import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { rebuildStates } from "../../packages/server/modules/consents/erase/rebuild.ts";
import {
  claimEndpoints,
  listDue,
} from "../../packages/server/modules/webhooks/deliveries/queue-store.ts";
import type { Db } from "../../packages/server/platform/db/db.ts";
import { migrateDatabase } from "../../packages/server/platform/db/migrations/migrate.ts";
import { openDatabase, openPlanes } from "../../packages/server/platform/db/open.ts";
import { openTestDatabase } from "../database.ts";
import { service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";

const log = pino({ level: "silent" });
const migrations = join(import.meta.dirname, "../../packages/server/migrations");
const project = "600000000000000000000001";
const cookies = "600000000000000000000002";
const letter = "600000000000000000000003";
/** Ids of 2026-01-05, 2026-02-05 and 2026-02-06. */
const ids = [
  "019b8d99-6900-7000-8000-000000000001",
  "019c2d3e-8d00-7000-8000-000000000002",
  "019c3264-e900-7000-8000-000000000003",
] as const;

/** Migrates a database up to the migration with the number `last`. */
async function migrateTo(db: Db, last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "avow-test-"));
  try {
    const names = (await readdir(migrations)).filter((name) => name.slice(0, 4) <= last);
    for (const name of names) await copyFile(join(migrations, name), join(folder, name));
    await migrateDatabase(db, log, { folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Fills a database of the first version with a visitor who accepted, refused and subscribed. */
async function fillOldDatabase(db: Db): Promise<void> {
  await migrateTo(db, "0001");
  const titled = (title: string, more = {}) => JSON.stringify({ title, ...more });
  await sql
    .raw(`
    INSERT INTO documents (id, resource, project_id, body, version, live_version, created_at, created_by, updated_at, updated_by)
    VALUES ('${project}', 'projects', NULL, '${titled("Shop", { websiteURL: "https://shop.example" })}', 1, 1, now(), 'u', now(), 'u'),
      ('${cookies}', 'cookies', '${project}', '${titled("Banner")}', 1, NULL, now(), 'u', now(), 'u'),
      ('${letter}', 'processings', '${project}', '${titled("Letter")}', 1, NULL, now(), 'u', now(), 'u');
    INSERT INTO offers VALUES
      ('${project}', 1, '${cookies}', '', 'cookies', 'Banner', 'c0', false, 180),
      ('${project}', 1, '${cookies}', 'matomo', 'cookies', 'Matomo', 'm0', false, 180),
      ('${project}', 1, '${cookies}', 'must', 'cookies', 'Must', 'x0', true, 180),
      ('${project}', 1, '${letter}', '', 'processings', 'Letter', 'l0', false, NULL);
    INSERT INTO consents (project_id, id, client_id, token, collection, identifier, accept, preferences, user_agent, version, warnings, created_at)
    VALUES
      ('${project}', '${ids[0]}', NULL, 'v', 'cookies', '${cookies}', true, NULL, 'Firefox', 1, '[]', '2026-01-05T10:00:00Z'),
      ('${project}', '${ids[1]}', 'queued', 'v', 'cookies', '${cookies}', true, '{"vendors":{"matomo":false}}', 'Firefox', 1, '[]', '2026-02-05T10:00:00Z'),
      ('${project}', '${ids[2]}', NULL, 'v', 'processings', '${letter}', true, NULL, 'Firefox', 1, '[{"path":"/timestamp","message":"late"}]', '2026-02-06T10:00:00Z');
    INSERT INTO tokens VALUES ('${project}', 'v', '2026-01-05T10:00:00Z', '2026-02-06T10:00:00Z', 3);
    INSERT INTO consent_states VALUES
      ('${project}', 'v', '${cookies}', '', 'cookies', true, true, 'c0', '2026-01-05T10:00:00Z', '2026-08-04T10:00:00Z', '${ids[1]}', 1, 'Banner'),
      ('${project}', 'v', '${cookies}', 'matomo', 'cookies', false, true, 'm0', '2026-02-05T10:00:00Z', '2026-08-04T10:00:00Z', '${ids[1]}', 1, 'Matomo'),
      ('${project}', 'v', '${letter}', '', 'processings', true, true, 'l0', '2026-02-06T10:00:00Z', NULL, '${ids[2]}', 1, 'Letter');
  `)
    .execute(db);
}

test("an upgrade from the first version keeps records, states and past states", async () => {
  await using database = await openTestDatabase({ isEmpty: true });
  const { url } = database;
  const { db, data } = openPlanes({ url, dataUrl: url, poolMax: 2, queueMax: 100, log });
  try {
    await fillOldDatabase(db);
    await using upgraded = await openAnotherService(database.url, {}, () => new Date("2026-03-01"));
    const get = (path: string, more: object = {}) => service.fetch(upgraded.url + path, more);
    const signed = await get("/v1/auth/local/signup", {
      json: { email: "a@example.org", password: "correct horse" },
    });
    const { token } = signed.body;
    await sql`INSERT INTO document_users SELECT ${project}, id, '{owner}', now() FROM users`.execute(
      db,
    );
    const statesOf = async (query: string) => {
      const { body } = await get(`/v1/client/${project}/consents/v${query}`, { token });
      return body.state.map((s: Record<string, unknown>) => [s["name"], s["status"], s["since"]]);
    };
    assert.deepEqual(await statesOf(""), [
      ["Matomo", "withdrawn", "2026-02-05T10:00:00.000Z"],
      ["Letter", "accepted", "2026-02-06T10:00:00.000Z"],
    ]);
    const { body } = await get(`/v1/client/${project}/consents/v`, { token });
    assert.deepEqual(
      body.history.map((c: Record<string, unknown>) => c["consentId"]),
      ids.toReversed(),
    );
    const again = await get(`/v1/app/consents/${project}`, {
      json: [{ id: "queued", collection: "cookies", identifier: cookies, accept: true }],
    });
    assert.equal(again.body[0].consentId, ids[1], "the id of a batch is still known");
    const accepted = await get(`/v1/client/${project}/tokens/accepted/${letter}`, { token });
    assert.deepEqual(
      accepted.body.items.map((a: Record<string, unknown>) => a["token"]),
      ["v"],
    );
    assert.equal((await rebuildStates(data, { isCheck: false })).records, 3);
    assert.equal((await rebuildStates(data, { isCheck: true })).differences, 0);
    assert.deepEqual(await statesOf("?at=2026-01-20T00:00:00Z"), [
      ["Matomo", "accepted", "2026-01-05T10:00:00.000Z"],
      ["Letter", "never-asked", null],
    ]);
  } finally {
    await db.destroy();
  }
});

test("an upgrade removes names that were made up in place of an address, and keeps every other address", async () => {
  await using database = await openTestDatabase({ isEmpty: true });
  const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
  const made = "company-505aaae700000000";
  const users = [
    { login: made, provider: "company", after: null },
    { login: "other-505aaae700000000", provider: "company", after: "other-505aaae700000000" },
    { login: "local-505aaae700000000", provider: "local", after: "local-505aaae700000000" },
    { login: "ada@example.org", provider: "company", after: "ada@example.org" },
    { login: "ada", provider: "local", after: "ada" },
  ];
  try {
    await migrateTo(db, "0026");
    for (const [index, { login, provider }] of users.entries()) {
      const id = `60000000000000000000000${index}`;
      await sql`INSERT INTO users (id, username, email, display_name, created_at, last_seen_at)
        VALUES (${id}, ${login}, ${login}, 'Ada', now(), now())`.execute(db);
      await sql`INSERT INTO identities (provider, subject, user_id, created_at)
        VALUES (${provider}, ${id}, ${id}, now())`.execute(db);
    }
    await migrateDatabase(db, log);
    const kept = await db.selectFrom("users").select("email").orderBy("id").execute();
    assert.deepEqual(
      kept.map(({ email }) => email),
      users.map(({ after }) => after),
    );
  } finally {
    await db.destroy();
  }
});

test("an upgrade assigns old GitHub and Facebook numbers to the public sites, and keeps every other subject", async () => {
  await using database = await openTestDatabase({ isEmpty: true });
  const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
  const identities = [
    { provider: "company", subject: "https://id.example|7", after: "https://id.example|7" },
    { provider: "facebook", subject: "7", after: "https://graph.facebook.com|7" },
    { provider: "github", subject: "7", after: "https://api.github.com|7" },
    { provider: "local", subject: "u", after: "u" },
  ];
  try {
    await migrateTo(db, "0038");
    await sql`INSERT INTO users (id, username, display_name, created_at, last_seen_at)
      VALUES ('u', 'ada', 'Ada', now(), now())`.execute(db);
    for (const { provider, subject } of identities)
      await sql`INSERT INTO identities (provider, subject, user_id, created_at)
        VALUES (${provider}, ${subject}, 'u', now())`.execute(db);
    await migrateDatabase(db, log);
    const kept = await db.selectFrom("identities").select("subject").orderBy("provider").execute();
    assert.deepEqual(
      kept.map(({ subject }) => subject),
      identities.map(({ after }) => after),
    );
  } finally {
    await db.destroy();
  }
});

test("an upgrade makes queued deliveries of the previous version due, and keeps those of a disabled webhook", async () => {
  await using database = await openTestDatabase({ isEmpty: true });
  const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
  try {
    await migrateTo(db, "0041");
    await sql`
      INSERT INTO webhooks (id, url, events, headers, secrets, enabled, tells_from, version, created_at, created_by, updated_at)
      SELECT id, 'https://hooks.example/', '{project.created}', '', '', id <> 'disabled', now(), 1, now(), 'u', now()
      FROM unnest('{leased,resting,idle,behind,disabled}'::text[]) AS id`.execute(db);
    await sql`
      INSERT INTO webhook_lanes (webhook_id, due_at, leased_until, leased_by, rests_until, pending, failures, position, leaf)
      VALUES ('leased', NULL, now() + interval '10 s', 'node', NULL, 1, 0, NULL, NULL),
        ('resting', now() + interval '1 h', NULL, NULL, now() + interval '1 h', 1, 7, NULL, NULL),
        ('idle', NULL, NULL, NULL, NULL, 0, 0, NULL, NULL),
        ('behind', NULL, NULL, NULL, NULL, 0, 0, 3, 4),
        ('disabled', NULL, NULL, NULL, NULL, 1, 0, NULL, NULL)`.execute(db);
    await sql`
      INSERT INTO webhook_deliveries (webhook_id, event, order_key, status, next_at, created_at)
      SELECT id, 'webhook.test', 1, 'pending', now(), now() FROM unnest('{leased,resting,disabled}'::text[]) AS id`.execute(
      db,
    );
    await migrateDatabase(db, log);
    const now = new Date();
    const until = new Date(now.getTime() + 30_000);
    const claimed = await claimEndpoints(db, { now, until, except: [], max: 10 });
    assert.deepEqual(
      claimed.map(({ id, pending }) => [id, pending]),
      [["leased", 1]],
    );
    const due = await listDue(db, { webhookIds: ["leased"], now, limit: 10 });
    assert.equal(due.length, 1);
    const later = new Date(now.getTime() + 3_700_000);
    const rested = await claimEndpoints(db, { now: later, until: later, except: [], max: 10 });
    const resting = rested.find(({ id }) => id === "resting");
    assert.deepEqual([resting?.pending, resting?.failures], [1, 7]);
    const kept = await db
      .selectFrom("webhooks")
      .select(["id", "due_at", "pending", "position", "leaf"])
      .where("id", "in", ["behind", "disabled"])
      .orderBy("id")
      .execute();
    assert.deepEqual(kept, [
      { id: "behind", due_at: null, pending: 0, position: 3, leaf: 4 },
      { id: "disabled", due_at: null, pending: 1, position: null, leaf: null },
    ]);
  } finally {
    await db.destroy();
  }
});

test("an upgrade keeps cursors and ids valid that clients have as numbers, and gives no further ones", async () => {
  await using database = await openTestDatabase({ isEmpty: true });
  const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
  const encode = (parts: string[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  try {
    await migrateTo(db, "0044");
    await sql
      .raw(`
      INSERT INTO documents (id, resource, body, version, created_at, created_by, updated_at, updated_by)
      VALUES ('${project}', 'projects', '{"title":"Shop","websiteURL":"https://shop.example"}', 1, now(), 'u', now(), 'u');
      INSERT INTO events (name, actor, project_id, document_id, data, created_at)
      SELECT 'project.updated', 'u', '${project}', '${project}', jsonb_build_object('version', n), '2026-01-01T10:00:00Z'
      FROM generate_series(1, 3) AS n;
      INSERT INTO event_positions SELECT id, id FROM events;
      UPDATE webhook_head SET position = 3;
      INSERT INTO webhooks (id, url, events, headers, secrets, enabled, delivers_from, version, created_at, created_by, updated_at)
      VALUES ('hook', 'https://hooks.example/', '{project.updated}', '', '', false, now(), 1, now(), 'u', now());
      INSERT INTO webhook_deliveries (webhook_id, event, event_id, order_key, status, created_at)
      SELECT 'hook', 'project.updated', id, 1, 'parked', now() FROM events`)
      .execute(db);
    await using upgraded = await openAnotherService(database.url);
    const get = (path: string, more: object = {}) => service.fetch(upgraded.url + path, more);
    const signed = await get("/v1/auth/local/signup", {
      json: { email: "a@example.org", password: "correct horse" },
    });
    const { token } = signed.body;
    await sql`INSERT INTO document_users SELECT ${project}, id, '{owner}', now() FROM users`.execute(
      db,
    );
    await sql`UPDATE webhooks SET created_by = (SELECT id FROM users)`.execute(db);
    const trail = `/v1/vault/audit?projectId=${project}`;
    const cursor = encode(["2026-01-01T10:00:00.000Z", "2"]);
    const older = await get(`${trail}&cursor=${cursor}`, { token });
    assert.deepEqual(
      older.body.items.map(({ id }: { id: string }) => id),
      ["1"],
    );
    const feed = await get(`/v1/webhooks/events?cursor=${encode(["1", "0"])}`, { token });
    assert.deepEqual(
      feed.body.items.map(({ id }: { id: string }) => id),
      ["msg_event_2", "msg_event_3"],
      "receivers know these ids",
    );
    const delivery = await get("/v1/webhooks/hook/deliveries/2", { token });
    assert.deepEqual([delivery.status, delivery.body.id], [200, "2"]);
    const page = await get(`/v1/webhooks/hook/deliveries?cursor=${encode(["2"])}`, { token });
    assert.deepEqual(
      page.body.items.map(({ id }: { id: string }) => id),
      ["1"],
    );

    const path = `/v1/vault/projects/${project}`;
    await get(path, { method: "PATCH", token, json: { title: "Other" } });
    const [newest] = (await get(trail, { token })).body.items;
    assert.match(newest.id, /^[0-9a-f]{32}$/);
    const { rows } = await sql<{ id: number }>`SELECT max(id) AS id FROM events`.execute(db);
    const crafted = encode([newest.at, String(rows[0]?.id)]);
    assert.equal((await get(`${trail}&cursor=${crafted}`, { token })).status, 400);
  } finally {
    await db.destroy();
  }
});

test("an upgrade gives each configuration without a name its own, and keeps the names that clients sent", async () => {
  await using database = await openTestDatabase({ isEmpty: true });
  const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
  const title = "Vos choix, en matière de cœur !";
  const slug = "vos-choix-en-matiere-de-coeur";
  const documents = [
    { resource: "cookies", body: { title }, name: slug },
    { resource: "cookies", body: { title, steps: [] }, name: `${slug}-3` },
    { resource: "processings", body: { name: `${slug}-2` }, name: `${slug}-2` },
    { resource: "processings", body: { name: 5, title: "Letter" }, name: "letter" },
    { resource: "contracts", body: { name: "terms" }, name: "terms" },
    { resource: "contracts", body: { name: "terms", language: "fr" }, name: "terms" },
    { resource: "contracts", body: { title: "日本語", name: "" }, name: undefined },
    { resource: "content", body: { config: { title: "Terms" } }, name: "terms-2" },
    { resource: "dpo", body: { title }, name: null },
  ];
  const toId = (index: number) => `60000000000000000000001${index}`;
  try {
    await migrateTo(db, "0044");
    for (const [index, { resource, body }] of documents.entries()) {
      const at = new Date(Date.UTC(2026, 0, 1, 0, index));
      await sql`INSERT INTO documents (id, resource, project_id, body, version, created_at, created_by, updated_at, updated_by)
        VALUES (${toId(index)}, ${resource}, ${project}, ${JSON.stringify(body)}, 2, ${at}, 'u', ${at}, 'u')`.execute(
        db,
      );
      for (const version of [1, 2])
        await sql`INSERT INTO document_versions VALUES (${toId(index)}, ${version}, 'create', ${JSON.stringify(body)}, ${at}, 'u')`.execute(
          db,
        );
    }
    await migrateDatabase(db, log);
    const { rows } = await sql<{
      id: string;
      body: Record<string, unknown>;
      version: number;
      current: Record<string, unknown>;
      first: Record<string, unknown>;
      isUntouched: boolean;
    }>`
      SELECT d.id, d.body, d.version, current.body AS current, first.body AS first,
        d.updated_at = d.created_at AS "isUntouched"
      FROM documents d
      JOIN document_versions current ON current.document_id = d.id AND current.version = d.version
      JOIN document_versions first ON first.document_id = d.id AND first.version = 1
      ORDER BY d.id`.execute(db);
    for (const [index, { body, name }] of documents.entries()) {
      const row = rows[index];
      const expected = name === null ? body : { ...body, name: name ?? toId(index) };
      assert.deepEqual(row?.body, expected);
      assert.deepEqual(row.current, expected);
      assert.deepEqual(row.first, body);
      assert.deepEqual([row.version, row.isUntouched], [2, true]);
    }
  } finally {
    await db.destroy();
  }
});

test("an upgraded database with accounts keeps sign-ups open, and its start prints a link to claim it", async () => {
  await using database = await openTestDatabase({ isEmpty: true });
  await using db = openDatabase({ url: database.url, poolMax: 1, queueMax: 100, log });
  await migrateTo(db, "0044");
  await sql`INSERT INTO users (id, username, email, display_name, created_at, last_seen_at)
    VALUES ('600000000000000000000009', 'ada', 'ada@example.org', 'Ada', now(), now())`.execute(db);
  await using node = await openAnotherService(database.url);
  const mode = await service.fetch(`${node.url}/v1/auth/signups`);
  assert.deepEqual(mode.body, { mode: "open", fixed: false });
  const claimToken = await node.createFirstClaim();
  const json = { username: "grace", password: "1", claimToken };
  assert.equal((await service.fetch(`${node.url}/v1/auth/local/signup`, { json })).status, 200);
  const users = await sql<{ name: string; is_operator: boolean }>`
    SELECT username AS name, operator_at IS NOT NULL AS is_operator FROM users ORDER BY username`.execute(
    db,
  );
  assert.deepEqual(users.rows, [
    { name: "ada", is_operator: false },
    { name: "grace", is_operator: true },
  ]);
});
