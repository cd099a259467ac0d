import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { openProgress } from "@avow/cli/progress";
import { distribute } from "../../packages/server/commands/db/distribute.ts";
import { moveProjects } from "../../packages/server/commands/db/move.ts";
import { checks } from "../../packages/server/commands/doctor/checks.ts";
import { loadConfig } from "../../packages/server/config/config.ts";
import { type Buckets, groupByBucket } from "../../packages/server/platform/db/buckets/buckets.ts";
import {
  findPlace,
  insertBucket,
  listBucketRows,
} from "../../packages/server/platform/db/buckets/directory-store.ts";
import { lockNodes } from "../../packages/server/platform/db/buckets/nodes-store.ts";
import {
  createMovingIndexes,
  dropMovingIndexes,
} from "../../packages/server/platform/db/buckets/move-project.ts";
import { openDataPlane } from "../../packages/server/platform/db/buckets/open.ts";
import type { DataDb } from "../../packages/server/platform/db/db.ts";
import { openDataDatabase, openPlanes } from "../../packages/server/platform/db/open.ts";
import { openTestDatabase } from "../database.ts";

const log = pino({ level: "silent" });
const PROJECT = "a".repeat(24);

describe("avow db", () => {
  let opened: AsyncDisposableStack;
  let url: string;
  let home: DataDb;
  before(() => (opened = new AsyncDisposableStack()));
  after(() => opened.disposeAsync());
  beforeEach(async () => {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    const database = opened.use(await openTestDatabase());
    url = database.dataUrl;
    home = openDataDatabase({ url, poolMax: 4, queueMax: 10, log });
    opened.defer(() => home.destroy());
  });

  const toPlane = (signal = new AbortController().signal) => ({
    home,
    url,
    config: { statisticsPages: true },
    log,
    progress: openProgress(true),
    signal,
  });
  const openNode = (): Promise<Buckets> =>
    openDataPlane({ home, dataUrl: url, poolMax: 2, queueMax: 10, log, attach: (one) => one });
  /** A node that knows the first `buckets`: by default `public` only. */
  const insertNode = (seconds: number, buckets = 1) =>
    sql`INSERT INTO nodes VALUES (${randomUUID()}, ${buckets}, now() + ${seconds} * interval '1 second')`.execute(
      home,
    );
  const takesProjects = async () =>
    (await listBucketRows(home)).filter((row) => row.takesProjects).map(({ name }) => name);

  it("places no project in a new bucket before all nodes know it, also after an interrupt", async () => {
    const known = (await listBucketRows(home)).length;
    const taking = await takesProjects();
    await insertNode(3_600, known);
    for (const _attempt of [1, 2]) {
      const signal = AbortSignal.timeout(1_500);
      await assert.rejects(distribute(toPlane(signal), known), { name: "AbortError" });
      assert.deepEqual(await takesProjects(), taking);
    }
    await sql`UPDATE nodes SET buckets = ${known + 1}`.execute(home);
    await distribute(toPlane(), known);
    assert.ok((await takesProjects()).includes(`avow_b${known}`));
  });

  it("does not wait for a node that crashed", async () => {
    await insertNode(-60);
    await distribute(toPlane(), 1);
    assert.deepEqual(await takesProjects(), ["avow_b1"]);
  });

  it("keeps a restored project in public that has published and collected nothing", async () => {
    await sql`
      INSERT INTO offers (project_id, version, identifier, item, collection, name, substance, required, expires_after_days)
      VALUES (${PROJECT}, 1, 'i', 'i', 'cookies', 'name', 's', false, 1)`.execute(home);
    await distribute(toPlane(), 1);
    assert.equal(await findPlace(home, PROJECT), "public");
  });

  it("moves no project while a node runs, which cannot start during a move", async () => {
    await distribute(toPlane(), 1);
    await sql`INSERT INTO project_buckets VALUES (${PROJECT}, 'public')`.execute(home);
    const move = () => moveProjects(toPlane(), { projectIds: [PROJECT], to: undefined });
    {
      await using _node = await openNode();
      await assert.rejects(move(), /1 processes of the service run/);
    }
    await home.transaction().execute(async (tx) => {
      await lockNodes(tx);
      await assert.rejects(openNode(), {
        name: "StartError",
        message: /avow db move is moving projects/,
      });
    });
  });

  it("creates the months of the source in the bucket that a project moves to", async () => {
    await distribute(toPlane(), 1);
    await sql`
      CREATE TABLE consents_2019_03 PARTITION OF consents
      FOR VALUES FROM ('01693677-d400-0000-0000-000000000000') TO ('0169d6e9-5c00-0000-0000-000000000000')`.execute(
      home,
    );
    await sql`INSERT INTO project_buckets VALUES (${PROJECT}, 'public')`.execute(home);
    await moveProjects(toPlane(), { projectIds: [PROJECT], to: "avow_b1" });
    const { rows } = await sql<{ month: string | null }>`
      SELECT to_regclass('avow_b1.consents_2019_03')::text AS month`.execute(home);
    assert.deepEqual(rows, [{ month: "avow_b1.consents_2019_03" }]);
  });

  it("answers for no project while a node cannot confirm itself", async (context) => {
    await using node = await openNode();
    assert.equal((await node.of(PROJECT)).name, "public");
    const now = performance.now.bind(performance);
    const late = context.mock.method(performance, "now", () => now() + 60_000);
    await home.transaction().execute(async (tx) => {
      await lockNodes(tx);
      await assert.rejects(node.of(PROJECT), { name: "Fault", kind: "busy" });
    });
    assert.equal((await node.of(PROJECT)).name, "public");
    late.mock.restore();
  });

  it("undoes the move of a project whose rows are not deleted", async () => {
    await distribute(toPlane(), 1);
    await sql`INSERT INTO project_buckets VALUES (${PROJECT}, 'public')`.execute(home);
    await sql`INSERT INTO erased_consents (project_id, consent_id) VALUES (${PROJECT}, ${randomUUID()})`.execute(
      home,
    );
    await sql`INSERT INTO idempotency_keys (hash, request_hash, created_at) VALUES ('a', 'b', now())`.execute(
      home,
    );
    await sql`
      CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`.execute(
      home,
    );
    await sql`
      CREATE TRIGGER keep_row BEFORE DELETE ON erased_consents FOR EACH ROW EXECUTE FUNCTION keep_row()`.execute(
      home,
    );
    const move = () => moveProjects(toPlane(), { projectIds: [PROJECT], to: undefined });
    await assert.rejects(move(), /0 rows of erased_consents were deleted, 1 copied/);
    assert.equal(await findPlace(home, PROJECT), "public");
    await sql`DROP TRIGGER keep_row ON erased_consents`.execute(home);
    await move();
    assert.equal(await findPlace(home, PROJECT), "avow_b1");
    const { rows } = await sql<{ keys: number; indexes: number }>`
      SELECT (SELECT count(*) FROM avow_b1.idempotency_keys) AS keys,
        (SELECT count(*) FROM pg_class WHERE relname LIKE '%\_moving') AS indexes`.execute(home);
    assert.deepEqual(rows, [{ keys: 1, indexes: 0 }]);
  });

  it("indexes by project all tables that a move reads, while it runs", async () => {
    await distribute(toPlane(), 1);
    const list = async () => {
      const { rows } = await sql<{ name: string }>`
        SELECT relname AS name FROM pg_class WHERE relname LIKE '%\_moving'`.execute(home);
      return rows.map(({ name }) => name);
    };
    await createMovingIndexes(home, "avow_b1");
    assert.ok((await list()).includes("consent_salts_moving"));
    await dropMovingIndexes(home, "avow_b1");
    assert.deepEqual(await list(), []);
  });

  it("reads the places of many projects at once", async () => {
    await distribute(toPlane(), 1);
    await using node = await openNode();
    await sql`INSERT INTO project_buckets VALUES (${PROJECT}, 'avow_b1'), ('b', 'avow_b1'), ('c', 'public')`.execute(
      home,
    );
    const keys = [PROJECT, "b", "c"].map((projectId) => ({ projectId }));
    const asked: string[] = [];
    const of = (projectId: string) => {
      if (asked.length === 0) assert.fail("the places were not read before");
      return node.of(projectId);
    };
    const prefetch = async (ids: readonly string[]) => {
      asked.push(...ids);
      await node.prefetch(ids);
      await sql`DELETE FROM project_buckets`.execute(home);
    };
    const groups = await groupByBucket({ of, prefetch }, keys);
    const sizes = [...groups].map(([{ name }, own]) => [name, own.length]);
    assert.deepEqual(sizes, [
      ["avow_b1", 2],
      ["public", 1],
    ]);
  });

  it("has doctor look for the archived files of all buckets", async () => {
    await distribute(toPlane(), 1);
    await sql`
      INSERT INTO avow_b1.archived_objects (project_id, key, month, first_id, last_id, rows, bytes, sha256, footer_bytes,
        footer_sha256, copied_at)
      VALUES (${PROJECT}, 'archive/missing.parquet', '2019-03-01', ${randomUUID()}, ${randomUUID()}, 1, 1, '', 1, '', now())`.execute(
      home,
    );
    const { config, secrets } = loadConfig({ DATA_DIR: "/tmp/avow-none", PORT: "0" });
    await using planes = openPlanes({ url, dataUrl: url, poolMax: 1, queueMax: 10, log });
    const database = { db: planes.db, data: planes.data };
    const finding = await checks["archived months"]?.({
      config,
      secrets,
      database,
      now: () => new Date(),
    });
    assert.match(finding?.text ?? "", /1 of 1 files of archived months are missing/);
  });

  it("starts no node without the schema of a bucket", async () => {
    await insertBucket(home, "avow_b7");
    await assert.rejects(openNode(), { name: "StartError", message: /no schema avow_b7/ });
  });
});
