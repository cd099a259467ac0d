import assert from "node:assert/strict";
import { type TestContext, suite, test } from "node:test";
import { Client } from "pg";
import { hrefOf, paths } from "@avow/contract/urls";
import { runAvow } from "../command.ts";
import { type TestDatabase, openTestDatabase, runSql } from "../database.ts";
import { skip, stop } from "./lifecycle/checks.ts";
import { type ServiceProcess, openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { send } from "./requests.ts";
import { type Job, type Site, collect, openSite, readProof } from "./site.ts";

/** The log's origin begins with it, whatever the port. */
const PUBLIC_URL = "https://consent.example";
const HELD = 4_243;

/** A service with two databases, each of which can be taken away. */
interface TwoPlanes {
  dataDir: string;
  control: TestDatabase;
  data: TestDatabase;
  service: ServiceProcess;
  /** Starts the killed service again, on the same port. */
  restart(): Promise<ServiceProcess>;
}

async function openTwoPlanes(t: TestContext, opened: AsyncDisposableStack): Promise<TwoPlanes> {
  const control = opened.use(await openTestDatabase());
  const data = opened.use(await openTestDatabase());
  const dataDir = await openDataFolder(t);
  const env = { PUBLIC_URL, DATABASE_URL: control.url, CONSENTS_DATABASE_URL: data.url };
  const service = startService(dataDir, env);
  return {
    dataDir,
    control,
    data,
    service,
    async restart() {
      const { port } = new URL(await service.address());
      const next = startService(dataDir, { ...env, PORT: port });
      await next.address();
      return next;
    },
  };
}

/** Ends all connections of a database and lets nobody in, until the function that it returns is called. */
async function takeAway({ url }: TestDatabase): Promise<() => Promise<void>> {
  const server = process.env["TEST_DATABASE_URL"] ?? "";
  const name = new URL(url).pathname.slice(1);
  await runSql(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await runSql(
    server,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  await runSql(server, `ALTER DATABASE ${name} RENAME TO ${name}_away`);
  return async () => {
    await runSql(server, `ALTER DATABASE ${name}_away RENAME TO ${name}`);
    await runSql(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  };
}

const statusOf = async (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });

const isReady = async ({ address }: Site): Promise<true | undefined> =>
  (await statusOf(`${address}/health/ready`)).ok || undefined;

suite("a service with two databases", { skip }, () => {
  test("collects consents while the control plane is down, and catches up", async (t) => {
    await using opened = new AsyncDisposableStack();
    const { control, service } = await openTwoPlanes(t, opened);
    const site = await openSite(await service.address());
    const before = await collect(site, "known");
    const giveBack = await takeAway(control);
    try {
      const ids = [before.consentId];
      for (let n = 0; n < 20; n += 1) ids.push((await collect(site, `visitor-${n}`)).consentId);
      const tickets = site.address + hrefOf("", paths.tickets, { projectId: site.projectId });
      assert.equal((await statusOf(tickets, { method: "POST" })).status, 200);
      const batch = site.address + hrefOf("", paths.collectBatch, { projectId: site.projectId });
      const item = { id: "a", collection: "cookies", identifier: site.cookies, accept: true };
      const [stored] = await send<{ consentId: string }[]>(batch, { json: [item] });
      ids.push(stored?.consentId ?? "");
      assert.equal((await statusOf(`${site.address}/health/ready`)).status, 503);
      await giveBack();
      await waitFor("the control plane", () => isReady(site));
      for (const id of ids) assert.match(await readProof(site, id), new RegExp(id));
    } finally {
      await giveBack().catch(() => undefined);
    }
    await stop(service);
  });

  test("answers consents 503 while the data plane is down, and serves the vault", async (t) => {
    await using opened = new AsyncDisposableStack();
    const { data, service } = await openTwoPlanes(t, opened);
    const site = await openSite(await service.address());
    const { projectId, cookies, token } = site;
    const given = { projectId, collection: "cookies", identifier: cookies };
    const giveBack = await takeAway(data);
    try {
      const answer = await waitFor("the outage", async () => {
        const rejected = await statusOf(site.address + hrefOf("", paths.collect, given), {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ accept: true }),
        });
        return rejected.status === 503 ? rejected : undefined;
      });
      assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
      const url = `${site.address}/v1/vault/projects/${projectId}`;
      const json = { title: "Changed" };
      assert.equal(
        (await send<{ title: string }>(url, { token, json, method: "PATCH" })).title,
        "Changed",
      );
    } finally {
      await giveBack();
    }
    await waitFor("the data plane", () => isReady(site));
    assert.match(await readProof(site, (await collect(site, "later")).consentId), /later/);
    await stop(service);
  });
});

suite("a backup of two databases", { skip }, () => {
  for (const [name, isOne] of [
    ["two", false],
    ["one", true],
  ] as const)
    test(`is restored into ${name}, with its proofs, and collects again`, async (t) => {
      await using opened = new AsyncDisposableStack();
      const place = await openDataFolder(t, "backup");
      const { control, data, service, dataDir } = await openTwoPlanes(t, opened);
      const site = await openSite(await service.address());
      const before = await collect(site, "before");
      await readProof(site, before.consentId);
      const env = { DATABASE_URL: control.url, CONSENTS_DATABASE_URL: data.url, DATA_DIR: dataDir };
      const backup = await runAvow(["backup", place], { env: { ...env, PUBLIC_URL } });
      assert.equal(backup.code, 0, backup.err);
      await stop(service);

      const first = opened.use(await openTestDatabase({ isEmpty: true }));
      const second = isOne ? first : opened.use(await openTestDatabase({ isEmpty: true }));
      const settings = {
        PUBLIC_URL,
        DATABASE_URL: first.url,
        ...(isOne ? {} : { CONSENTS_DATABASE_URL: second.url }),
      };
      const target = await openDataFolder(t, "restored");
      const restored = await runAvow(["restore", place], {
        env: { ...settings, DATA_DIR: target },
      });
      assert.equal(restored.code, 0, restored.err);
      if (!isOne) assert.equal(await count(first, "SELECT FROM consents"), 0);
      assert.equal(await count(second, "SELECT FROM consents"), 1);
      const next = startService(target, settings);
      const there = { ...site, address: await next.address() };
      await readProof(there, before.consentId);
      const { consentId } = await collect(there, "after");
      await readProof(there, consentId);
      const published = `SELECT FROM consents WHERE id = '${consentId}' AND version = 1`;
      assert.equal(await count(second, published), 1);
      await stop(next);
    });
});

/** A statement of a plane that is held before it takes effect. */
interface Hold {
  database: TestDatabase;
  table: string;
  operation: "INSERT" | "INSERT OR UPDATE" | "UPDATE" | "DELETE";
  /** A condition on the row. */
  when?: string;
}

/** Holds a statement; the first one waits until its connection is ended. */
async function openHold({ database, table, operation, when = "true" }: Hold) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("SELECT pg_advisory_lock($1)", [HELD]);
  await client.query(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(${HELD}); RETURN coalesce(NEW, OLD); END $$;
    CREATE TRIGGER hold BEFORE ${operation} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION hold()`);
  const waiting = `FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
    WHERE l.locktype = 'advisory' AND l.objid = ${HELD} AND NOT l.granted`;
  return {
    client,
    waitForStatement: () =>
      waitFor("the held statement", async () =>
        (await client.query(`SELECT ${waiting}`)).rowCount ? true : undefined,
      ),
    /** Ends the connections that wait, whose process is dead, so that they write nothing. */
    async release() {
      await client.query(`SELECT pg_terminate_backend(l.pid, 10000) ${waiting}`);
      await client.query(`DROP TRIGGER hold ON ${table}`);
      await client.query("SELECT pg_advisory_unlock($1)", [HELD]);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Holds the statement that `act` leads to, kills the service there, and starts it again. */
async function killAt(
  planes: TwoPlanes,
  hold: Hold,
  act: () => Promise<unknown>,
): Promise<ServiceProcess> {
  await using held = await openHold(hold);
  const acted = act().catch(() => undefined);
  await held.waitForStatement();
  planes.service.kill("SIGKILL");
  await planes.service.ended;
  await held.release();
  await acted;
  return planes.restart();
}

async function count({ url }: TestDatabase, query: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

suite("a service that is killed between its two databases", { skip }, () => {
  const steps: Record<string, (planes: TwoPlanes) => Hold> = {
    "the offers and the publication": ({ control: database }) => ({
      database,
      table: "publications",
      operation: "INSERT",
      when: "NEW.version = 2",
    }),
    "the publication and its log entry": ({ data: database }) => ({
      database,
      table: "log_documents",
      operation: "INSERT",
      when: "NEW.name = 'publication/production/2'",
    }),
    "the log entry and the live version of collection": ({ data: database }) => ({
      database,
      table: "collecting_projects",
      operation: "INSERT OR UPDATE",
      when: "NEW.live_version = 2",
    }),
  };
  for (const [name, toHold] of Object.entries(steps))
    test(`completes a publication once, killed between ${name}`, async (t) => {
      await using opened = new AsyncDisposableStack();
      const planes = await openTwoPlanes(t, opened);
      const site = await openSite(await planes.service.address());
      const { address, token, projectId } = site;
      const banner = `${address}/v1/vault/cookies/${site.cookies}`;
      await send(banner, { token, json: { title: "Changed" }, method: "PATCH" });
      const url = `${address}/v1/publish/jobs/${projectId}`;
      let job: Job | undefined;
      const service = await killAt(planes, toHold(planes), async () => {
        job = await send<Job>(url, { token, json: { force: true } });
      });
      const id = job?.id;
      await waitFor("the publication", async () => {
        const { status, version } = await send<Job>(`${address}/v1/publish/jobs/${id}`, { token });
        assert.notEqual(status, "Error");
        return (status === "Done" && version === 2) || undefined;
      });
      const { control, data } = planes;
      assert.equal(await count(control, "SELECT FROM publications WHERE version = 2"), 1);
      const done = `SELECT FROM events WHERE name = 'publish.done' AND document_id = '${id}'`;
      assert.equal(await count(control, done), 1);
      const entry = "SELECT FROM log_documents WHERE name = 'publication/production/2'";
      assert.equal(await count(data, entry), 1);
      const { consentId } = await collect(site, "visitor");
      assert.equal(
        await count(data, `SELECT FROM consents WHERE id = '${consentId}' AND version = 2`),
        1,
      );
      await readProof(site, consentId);
      await stop(service);
    });

  test("collects nothing for a project whose deletion it was answering", async (t) => {
    await using opened = new AsyncDisposableStack();
    const planes = await openTwoPlanes(t, opened);
    const site = await openSite(await planes.service.address());
    const { address, token, projectId, cookies } = site;
    const hold = {
      database: planes.data,
      table: "collecting_projects",
      operation: "INSERT OR UPDATE",
      when: "NOT NEW.is_open",
    } as const;
    const service = await killAt(planes, hold, () =>
      fetch(`${address}/v1/vault/projects/${projectId}?confirm=${projectId}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${token}` },
      }),
    );
    const url = `${address}/v1/app/consents/${projectId}/cookies/${cookies}`;
    await waitFor("the deletion", async () => {
      const { status } = await statusOf(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"accept":true}',
      });
      return status === 404 || undefined;
    });
    await stop(service);
  });

  const moves: Record<string, (planes: TwoPlanes) => Hold> = {
    "its commit and its event": ({ control: database }) => ({
      database,
      table: "received_events",
      operation: "INSERT",
    }),
    "its event and the end of the outbox": ({ data: database }) => ({
      database,
      table: "event_outbox",
      operation: "DELETE",
    }),
  };
  for (const [name, toHold] of Object.entries(moves)) {
    test(`records an erasure once, killed between ${name}`, async (t) => {
      await using opened = new AsyncDisposableStack();
      const planes = await openTwoPlanes(t, opened);
      const site = await openSite(await planes.service.address());
      await collect(site, "gone");
      const { address, token, projectId } = site;
      const url = address + hrefOf("", paths.erasedToken, { projectId, token: "gone" });
      const headers = { authorization: `Bearer ${token}` };
      const service = await killAt(planes, toHold(planes), () =>
        fetch(url, { method: "DELETE", headers }),
      );
      await assertMoved(planes, "consent.erased");
      assert.equal(await count(planes.data, "SELECT FROM consents WHERE token = 'gone'"), 0);
      await stop(service);
    });

    test(`records an export once, killed between ${name}`, async (t) => {
      await using opened = new AsyncDisposableStack();
      const planes = await openTwoPlanes(t, opened);
      const site = await openSite(await planes.service.address());
      const { address, token, projectId } = site;
      const url = address + hrefOf("", paths.export, { projectId, format: "ndjson" });
      const headers = { authorization: `Bearer ${token}` };
      const service = await killAt(planes, toHold(planes), () => fetch(url, { headers }));
      await assertMoved(planes, "export.requested");
      await stop(service);
    });
  }

  test("runs an import that was stored and not queued, once", async (t) => {
    await using opened = new AsyncDisposableStack();
    const planes = await openTwoPlanes(t, opened);
    const site = await openSite(await planes.service.address());
    const { address, token, projectId, cookies } = site;
    const hold = {
      database: planes.control,
      table: "pgboss.job",
      operation: "INSERT",
      when: "NEW.name = 'import'",
    } as const;
    const line = { token: "old", collection: "cookies", identifier: cookies, accept: true };
    const service = await killAt(planes, hold, () =>
      fetch(address + hrefOf("", paths.imports, { projectId }), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
        body: JSON.stringify({ ...line, date: "2025-01-01T00:00:00Z" }),
      }),
    );
    await assertMoved(planes, "import.done");
    await assertMoved(planes, "import.requested");
    assert.equal(await count(planes.data, "SELECT FROM consents WHERE token = 'old'"), 1);
    await stop(service);
  });
});

/** Asserts that the audit trail has one event of this name, once the outbox is empty. */
async function assertMoved({ control, data }: TwoPlanes, name: string): Promise<void> {
  const query = `SELECT FROM events WHERE name = '${name}'`;
  await waitFor(name, async () => (await count(control, query)) > 0 || undefined);
  await waitFor(
    "the outbox",
    async () => (await count(data, "SELECT FROM event_outbox")) === 0 || undefined,
  );
  assert.equal(await count(control, query), 1);
}
