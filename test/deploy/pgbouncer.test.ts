import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { openTestDatabase } from "../database.ts";
import { makeProject, send } from "../faults/requests.ts";
import { openAnotherService } from "../interface/another-service.ts";
import { pollUntil } from "../interface/one-site.ts";
import { runLog } from "../run-log.ts";
import { skipWithoutAny } from "./proxy-servers.ts";

const pgbouncer = "/usr/sbin/pgbouncer";
const sample = new URL("../../deploy/compose/pgbouncer/pgbouncer.ini", import.meta.url);

/** PgBouncer with the sample's configuration, before a new database; returns the URL through it. */
async function openPgbouncer(context: TestContext, mode = "session"): Promise<string> {
  const opened = new AsyncDisposableStack();
  context.after(() => opened.disposeAsync());
  const database = opened.use(await openTestDatabase());
  const { password, port, pathname, searchParams, hostname } = new URL(database.url);
  const server = searchParams.get("host") ?? hostname;
  const folder = await mkdtemp(join(tmpdir(), "avow-pgbouncer-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const users = join(folder, "users");
  await writeFile(users, `"avow" "${password}"\n`);
  const ownPort = await findFreePort("127.0.0.1");
  const configuration = (await readFile(sample, "utf8"))
    .replace(
      "host=database port=5432 dbname=avow",
      `host=${server} port=${port} dbname=${pathname.slice(1)}`,
    )
    .replace("listen_addr = *", "listen_addr = 127.0.0.1")
    .replace("listen_port = 6432", `listen_port = ${ownPort}`)
    .replace("/run/secrets/pgbouncer_users", users)
    .replace("pool_mode = session", `pool_mode = ${mode}`)
    // Fewer connections than the nodes have: transactions share them.
    .replace("default_pool_size = 80", `default_pool_size = ${mode === "session" ? 80 : 6}`);
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, configuration);
  // PgBouncer refuses to run as root, and the test's database lies in a folder of this user.
  const user = process.getuid?.() === 0 ? ["--user", "--map-user=1000", "--map-group=1000"] : [];
  const child = spawn("unshare", [...user, "--", pgbouncer, file], { stdio: "ignore" });
  const ended = once(child, "exit");
  opened.defer(async () => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await ended;
  });
  await pollUntil("PgBouncer's port", async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    const socket = connect(ownPort, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => undefined,
    );
    socket.destroy();
    return isOpen;
  });
  return `postgresql://avow:${password}@127.0.0.1:${ownPort}/avow`;
}

const skip = skipWithoutAny({ [pgbouncer]: "pgbouncer" });

for (const mode of ["session", "transaction"])
  test(
    `two nodes behind PgBouncer in ${mode} mode share jobs, consents and the log`,
    { skip },
    (context) => shareWork(context, mode),
  );

async function shareWork(context: TestContext, mode: string): Promise<void> {
  const url = await openPgbouncer(context, mode);
  const dataDir = await mkdtemp(join(tmpdir(), "avow-nodes-"));
  context.after(() => rm(dataDir, { recursive: true }));
  const env = {
    DATA_DIR: dataDir,
    PUBLIC_URL: "https://consent.example",
    DATABASE_POOLING: mode,
  };
  const [one, two] = [await openAnotherService(url, env), await openAnotherService(url, env)];
  context.after(() => Promise.all([one, two].map((node) => node[Symbol.asyncDispose]())));
  const json = { email: `${randomUUID()}@example.org`, password: "correct horse" };
  const { token } = await send<{ token: string }>(`${one.url}/v1/auth/local/signup`, { json });
  const projectId = await makeProject(one.url, token, "Shop");
  const job = await send<{ id: string }>(`${one.url}/v1/publish/jobs/${projectId}`, {
    token,
    json: { force: true },
  });
  await pollUntil("the publication", async () => {
    const path = `${two.url}/v1/publish/jobs/${job.id}`;
    const { status } = await send<{ status: string }>(path, { token });
    return status === "Done" || undefined;
  });
  const [banner] = await send<{ id: string }[]>(
    `${two.url}/v1/vault/cookies?projectId=${projectId}`,
    { token },
  );
  const collect = (n: number, accept: boolean) =>
    send<{ consentId: string }>(
      `${[one, two][n % 2]?.url}/v1/app/consents/${projectId}/cookies/${banner?.id}`,
      { json: { token: `visitor-${n}`, accept } },
    );
  // Frequent queries are prepared where sessions last, and states are read and replaced.
  for (let round = 0; round < 20; round += 1)
    await Promise.all(Array.from({ length: 40 }, (_, n) => collect(n, round % 2 === 0)));
  const consents = await Promise.all(Array.from({ length: 40 }, (_, n) => collect(n, true)));
  for (const { consentId } of consents.slice(-2))
    await pollUntil("the proof", async () => {
      const headers = { authorization: `Bearer ${token}` };
      const proof = await fetch(`${one.url}/v1/app/proofs/${consentId}`, { headers });
      return proof.status === 200 || undefined;
    });
  const problems = [...one.lines, ...two.lines].filter((line) =>
    /"level":"(warn|error|fatal)"/.test(line),
  );
  assert.deepEqual(problems, []);
}

test(
  "settings last for a transaction where the pooler shares sessions",
  { skip },
  async (context) => {
    const url = await openPgbouncer(context, "transaction");
    const log = { warn: (fields: object) => runLog.write(JSON.stringify(fields)) };
    const options = { url, poolMax: 1, queueMax: 1, log, pooling: "transaction" } as const;
    const db = openDatabase({ ...options, timeoutMs: 2_000, isLax: true });
    const settings = sql<{ timeout: string; mode: string }>`
    SELECT current_setting('statement_timeout') AS timeout, current_setting('synchronous_commit') AS mode`;
    const before = await settings.execute(db);
    const inside = await db.transaction().execute((tx) => settings.execute(tx));
    assert.deepEqual(inside.rows, [{ timeout: "2s", mode: "off" }]);
    assert.deepEqual((await settings.execute(db)).rows, before.rows);
    await db.destroy();
  },
);

test("time limits of queries apply behind PgBouncer", { skip }, async (context) => {
  const url = await openPgbouncer(context);
  const log = { warn: (fields: object) => runLog.write(JSON.stringify(fields)) };
  const found = [];
  // PgBouncer may give all of them the same connection to the server.
  for (const options of [{ timeoutMs: 2_000 }, { isLax: true }, { timeoutMs: 0 }]) {
    const db = openDatabase({ url, poolMax: 1, queueMax: 1, log, ...options });
    const { rows } = await sql<{ statement_timeout: string }>`SHOW statement_timeout`.execute(db);
    found.push(rows[0]?.statement_timeout);
    await db.destroy();
  }
  assert.deepEqual(found, ["2s", "15s", "0"]);
});
