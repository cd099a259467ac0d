import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { sql } from "kysely";
import { pino } from "pino";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { runAvow } from "../command.ts";
import { getTablesSchema, openTestDatabase } from "../database.ts";
import { type TestRequest, operatorToken, service } from "../harness.ts";
import { poll } from "../poll.ts";
import { newUserBy } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";
import { toCookies } from "./site.ts";

/** Key of the sequencer's lock, under which the log stands still. */
const SEQUENCER_LOCK = 4_711_001;
const WAIT_MS_MAX = 10_000;

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());
afterEach(() => service.clock.reset());
const database = opened.use(await openTestDatabase());
const dataDir = await mkdtemp(join(tmpdir(), "avow-status-"));
opened.defer(() => rm(dataDir, { recursive: true, force: true }));
const node = opened.use(
  await openAnotherService(database.url, { OPERATOR_TOKEN: operatorToken, DATA_DIR: dataDir }),
);
const log = pino({ level: "silent" });
const db = opened.use(openDatabase({ url: database.url, poolMax: 2, queueMax: 10, log }));
const send = (path: string, request: TestRequest = {}) => service.fetch(node.url + path, request);
const user = await newUserBy(send);

async function getStatus() {
  const { status, body } = await send(paths.instanceStatus, { token: operatorToken });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function readMetrics(url = node.url): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** Polls the status until it is right. */
const waitForStatus = (isRight: (status: Awaited<ReturnType<typeof getStatus>>) => boolean) =>
  poll({
    read: getStatus,
    isRight,
    waitMs: WAIT_MS_MAX,
    toMessage: (status) => JSON.stringify(status),
  });

describe("GET /v1/instance/status", () => {
  it("is for operators only", async () => {
    assert.equal((await send(paths.instanceStatus)).status, 403);
    const { status, body } = await send(paths.instanceStatus, { token: user.token });
    assert.equal(status, 403);
    assert.match(body.detail, /Only an operator/);
    const claim = (await node.createFirstClaim()) ?? assert.fail("the start prints no link");
    await send(paths.claim, { token: user.token, json: { token: claim } });
    const admitted = await send(paths.instanceStatus, { token: user.token });
    assert.equal(admitted.status, 200);
    assert.equal(admitted.headers.get("cache-control"), "no-store");
  });

  it("returns versions, the time since the start, and free space", async () => {
    service.clock.advance(3_600_000);
    const { service: own, database: facts, disk, backup, mails } = await getStatus();
    assert.match(own.version, /^\d+\.\d+\.\d+/);
    assert.equal(own.node, process.versions.node);
    assert.ok(own.uptimeSeconds >= 3_600 && own.uptimeSeconds < 3_700, String(own.uptimeSeconds));
    assert.match(facts.version, /^\d\d/);
    assert.match(facts.migration, /^\d{4}_[a-z_]+$/);
    assert.equal(facts.missingMigrations + facts.unknownMigrations, 0);
    assert.ok(facts.sizeBytes > 1_000_000 && disk.freeBytes > 0);
    assert.equal(disk.reserveBytes, 268_435_456);
    assert.equal(backup, null);
    assert.equal(mails.driver, "folder");
  });

  it("shows how far the log is behind, and metrics agree", async () => {
    const { token } = user;
    const json = { websiteURL: "https://shop.example", title: "Shop" };
    const projectId = (await send("/v1/vault/projects", { token, json })).body.id;
    const cookies = await send("/v1/vault/cookies", { token, json: toCookies(projectId) });
    const identifier = cookies.body.id;
    const path = hrefOf("", paths.collect, { projectId, collection: "cookies", identifier });
    await waitForStatus(({ log: { queued } }) => queued === 0);
    await db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${SEQUENCER_LOCK})`.execute(tx);
      for (const visitor of ["one", "two"])
        assert.equal((await send(path, { json: { accept: true, token: visitor } })).status, 201);
      service.clock.advance(90_000);
      const { log: behind } = await getStatus();
      assert.equal(behind.queued, 2);
      assert.equal(behind.isQueuedCut, false);
      assert.ok(behind.lagSeconds >= 89 && behind.lagSeconds < 120, String(behind.lagSeconds));
      const metrics = await readMetrics();
      assert.equal(metrics.get("avow_log_queued_consents"), 2);
      assert.ok((metrics.get("avow_log_lag_seconds") ?? 0) >= 89);
    });
    // With several buckets, consents leave the queue just before the tree that has them is signed.
    const { log: caught } = await waitForStatus(
      ({ log: { queued, entries } }) => queued === 0 && entries >= 2,
    );
    assert.equal(caught.lagSeconds, 0);
    assert.ok(caught.signedAt);
  });

  it("shows webhooks that fail, and late deliveries", async () => {
    const { token } = user;
    const webhook = { url: "http://127.0.0.1:9/hook", events: ["project.updated"] };
    const created = await send("/v1/webhooks", { token, json: webhook });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const test = await send(`/v1/webhooks/${created.body.id}/test`, { method: "POST", token });
    assert.ok(test.status < 300, JSON.stringify(test.body));
    const { webhooks } = await waitForStatus((status) => status.webhooks.failing === 1);
    assert.deepEqual([webhooks.endpoints, webhooks.pending], [1, 1]);
    // The readings of metrics are kept for a second.
    const metrics = await poll({
      read: () => readMetrics(),
      isRight: (samples) => samples.get("avow_webhook_failing_endpoints") === 1,
      waitMs: 10_000,
      toMessage: (samples) => String(samples.get("avow_webhook_failing_endpoints")),
    });
    assert.equal(metrics.get("avow_webhook_pending_deliveries"), 1);
    await db
      .updateTable("webhooks")
      .set({
        enabled: true,
        leased_until: new Date("2999-01-01"),
        due_at: new Date(service.clock.now().getTime() - 60_000),
      })
      .execute();
    const late = await getStatus();
    assert.ok(late.webhooks.lagSeconds >= 60 && late.webhooks.lagSeconds < 90);
    await send(`/v1/webhooks/${created.body.id}`, { method: "DELETE", token });
  });

  it("shows mails that wait and that were sent, and the queues of jobs", async () => {
    const before = (await getStatus()).mails.sent;
    await send(paths.askReset, { json: { email: user.email } });
    const { mails, queues } = await waitForStatus((status) => status.mails.sent > before);
    assert.equal(mails.failed, 0);
    const names = queues.map(({ name }: { name: string }) => name);
    for (const name of ["publish", "housekeeping"]) assert.ok(names.includes(name), names.join());
    assert.ok(!names.includes("mails"));
    assert.ok((await readMetrics()).has('avow_jobs_waiting{queue="mails"}'));
    assert.equal((await readMetrics()).get("avow_mails_sent_total"), mails.sent);
  });

  const skip = getTablesSchema() !== undefined && "avow backup rejects several buckets";
  it("shows the last backup, as do avow doctor and the metrics", { skip }, async () => {
    assert.ok(!(await readMetrics()).has("avow_backup_timestamp_seconds"));
    const place = join(dataDir, "backup");
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PUBLIC_URL: node.url };
    const { code, err } = await runAvow(["backup", place, "--quiet"], { env });
    assert.equal(code, 0, err);
    const { backup } = await getStatus();
    assert.ok(Date.now() - Date.parse(backup.createdAt) < 60_000);
    assert.ok(backup.createdAt < backup.endedAt && backup.sizeBytes > 1_000);
    const metrics = await poll({
      read: () => readMetrics(),
      isRight: (read) => read.has("avow_backup_timestamp_seconds"),
      waitMs: WAIT_MS_MAX,
      toMessage: () => "the metrics have no backup",
    });
    assert.equal(
      metrics.get("avow_backup_timestamp_seconds"),
      Date.parse(backup.createdAt) / 1_000,
    );
    assert.equal(metrics.get("avow_backup_size_bytes"), backup.sizeBytes);
    const doctor = await runAvow(["doctor", "--json"], { env });
    const findings: { name: string; state: string }[] = JSON.parse(doctor.out);
    assert.equal(findings.find(({ name }) => name === "backup")?.state, "ok");
    await db
      .updateTable("instance" as never)
      .set({ backup_created_at: new Date(Date.now() - 40 * 3_600_000) } as never)
      .execute();
    const old = await runAvow(["doctor", "--json"], { env });
    const late = JSON.parse(old.out).find(({ name }: { name: string }) => name === "backup");
    assert.deepEqual([late.state, /40 hours ago/.test(late.text)], ["warning", true]);
  });
});

describe("GET /metrics", () => {
  it("works without the database, and says so", async () => {
    const other = await openTestDatabase();
    await using lost = await openAnotherService(other.url);
    assert.equal((await readMetrics(lost.url)).get("avow_database_up"), 1);
    await other[Symbol.asyncDispose]();
    const metrics = await poll({
      read: () => readMetrics(lost.url),
      // Readings are kept for a second.
      isRight: (read) => read.get("avow_database_up") === 0 && !read.has("avow_log_lag_seconds"),
      waitMs: WAIT_MS_MAX,
      toMessage: () => "the database counts as up",
    });
    assert.ok((metrics.get("avow_disk_free_bytes") ?? 0) > 0);
    assert.equal((await fetch(`${lost.url}${paths.healthLive}`)).status, 200);
  });
});
