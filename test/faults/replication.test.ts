import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type TestContext, test } from "node:test";
import { openEmbeddedPostgres } from "@avow/postgres";
import { Client } from "pg";
import { openLog } from "../../packages/server/platform/log.ts";
import { openAnotherService } from "../interface/another-service.ts";
import { pollUntil } from "../interface/one-site.ts";
import { runLog } from "../run-log.ts";
import { openSite } from "./site.ts";

/** A service on a PostgreSQL of its own, whose commits can be made to wait for a standby that does not exist. */
async function openReplicated(t: TestContext) {
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const dataDir = await mkdtemp(join(tmpdir(), "avow-replication-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = openLog({ level: "warn", format: "json", output: runLog });
  const postgres = opened.use(await openEmbeddedPostgres({ dataDir, log }));
  const operator = new Client({ connectionString: postgres.url });
  await operator.connect();
  operator.on("error", () => undefined);
  opened.defer(() => operator.end());
  const service = opened.use(await openAnotherService(postgres.url, { DATA_DIR: dataDir }));
  const site = await openSite(service.url);
  const requireStandby = async (isRequired: boolean) => {
    const names = isRequired ? "*" : "";
    // The service's role is no superuser, which ALTER SYSTEM requires.
    const folder = join(dataDir, "postgres");
    await appendFile(
      join(folder, "postgresql.auto.conf"),
      `synchronous_standby_names = '${names}'\n`,
    );
    const [pid] = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGHUP");
    await pollUntil("the setting", async () => {
      const { rows } = await operator.query<{ names: string }>(
        "SELECT current_setting('synchronous_standby_names') AS names",
      );
      return rows[0]?.names === names || undefined;
    });
  };
  opened.defer(() => requireStandby(false));
  /** The connections of `name` that wait for the standby. */
  const findWaiting = (name: string) =>
    pollUntil("a commit that waits for the standby", async () => {
      const { rows } = await operator.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = $1",
        [name],
      );
      return rows.length > 0 ? rows.map(({ pid }) => pid) : undefined;
    });
  const cancel = async (pids: readonly number[]) => {
    for (const pid of pids) await operator.query("SELECT pg_cancel_backend($1)", [pid]);
  };
  return { site, url: postgres.url, requireStandby, findWaiting, cancel };
}

const collecting = "avow collect";

test("never confirms a consent whose wait for the standby was cancelled, not even to a retry", async (t) => {
  const { site, requireStandby, findWaiting, cancel } = await openReplicated(t);
  const { address, projectId, cookies } = site;
  const collect = (token: string, key: string) =>
    fetch(`${address}/v1/app/consents/${projectId}/cookies/${cookies}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ token, accept: true }),
    });
  // Numbers the combination of answers, which is a write of its own.
  assert.equal((await collect("first", randomUUID())).status, 201);
  const key = randomUUID();
  await requireStandby(true);
  const first = collect("second", key);
  await cancel(await findWaiting(collecting));
  assert.equal((await first).status, 503);

  const second = collect("second", key);
  await cancel(await findWaiting(collecting));
  assert.equal((await second).status, 503);

  const third = collect("second", key);
  await findWaiting(collecting);
  await requireStandby(false);
  const { status, headers } = await third;
  assert.equal(status, 201);
  assert.equal(headers.get("idempotency-replayed"), "true");
});

test("never confirms another write whose wait for the standby was cancelled", async (t) => {
  const { site, requireStandby, findWaiting, cancel } = await openReplicated(t);
  const key = randomUUID();
  const create = () =>
    fetch(`${site.address}/v1/vault/projects`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${site.token}`,
        "idempotency-key": key,
      },
      body: JSON.stringify({ websiteURL: "https://other.example", title: "Other" }),
    });
  await requireStandby(true);
  const first = create();
  const status = await pollUntil("the response", async () => {
    await cancel(await findWaiting("avow"));
    return Promise.race([first.then((answer) => answer.status), delay(100)]);
  });
  assert.equal(status, 503);

  const second = create();
  await findWaiting("avow");
  await requireStandby(false);
  const { status: replayed, headers } = await second;
  assert.equal(replayed, 201);
  assert.equal(headers.get("idempotency-replayed"), "true");
});

test("the statement timeout does not end a wait for the standby", async (t) => {
  const { url, requireStandby, findWaiting } = await openReplicated(t);
  const client = new Client({ connectionString: url, application_name: "timed" });
  await client.connect();
  t.after(() => client.end());
  client.on("error", () => undefined);
  await client.query("SET statement_timeout = 100; CREATE TABLE waits (n int)");
  await requireStandby(true);
  const written = client.query("INSERT INTO waits VALUES ($1)", [1]);
  await findWaiting("timed");
  const waitMs = 500;
  assert.equal(await Promise.race([written, delay(waitMs, "waiting")]), "waiting");
  await requireStandby(false);
  await written;
});
