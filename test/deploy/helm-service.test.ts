import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runAvow } from "../command.ts";
import { openTestDatabase, runSql } from "../database.ts";
import { toDatabaseUrl } from "../database-urls.ts";
import { openDataFolder, startService, waitFor } from "../faults/lifecycle/process.ts";
import { find, render, skip } from "./helm.ts";
import { secrets, toEnvironment } from "./pod.ts";

const PREFIX = "http://127.0.0.1";

/** The chart's pods with a database of their own. */
async function openPods(url: string) {
  const manifests = await render("minimal", "config.SHUTDOWN_TIMEOUT_MS=2000");
  const given = { ...secrets, avow: { ...secrets["avow"], DATABASE_URL: url } };
  const node = find(manifests, "Deployment").spec.template.spec;
  const job = find(manifests, "Job").spec.template.spec;
  const doctor = find(manifests, "Pod").spec;
  return { node, job, doctor, toEnv: (pod: typeof node) => toEnvironment(pod, given) };
}

/** The path of a probe. */
const pathOf = (probe: { httpGet: { path: string } }) => probe.httpGet.path;

describe("pods of the Helm chart", { skip }, () => {
  it("migrate an empty database by the hook, then start, answer the probes, and stop in time", async (t) => {
    await using database = await openTestDatabase({ isEmpty: true });
    const { node, job, toEnv } = await openPods(database.url);
    const dataDir = await openDataFolder(t);
    const { DATA_DIR, ...rest } = toEnv(node);
    const env = { ...rest, PORT: "0", HOST: "127.0.0.1" };
    assert.equal(DATA_DIR, "/data");

    const early = startService(dataDir, env);
    const { code, output } = await early.ended;
    assert.equal(code, 1);
    assert.match(output, /The database lacks \d+ migrations of this version\. Run avow migrate/);

    const hook = await runAvow(job.containers[0].args, {
      env: { ...toEnv(job), DATA_DIR: dataDir },
    });
    assert.equal(hook.code, 0, hook.err);
    assert.match(hook.out, /^\d+ migrations applied: 0001_init\.sql, /m);

    const service = startService(dataDir, env);
    const address = await service.address();
    assert.ok(address.startsWith(PREFIX));
    const [container] = node.containers;
    const check = async (probe: { httpGet: { path: string } }) =>
      (await fetch(address + pathOf(probe))).status;
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const probe of [startupProbe, livenessProbe, readinessProbe])
      assert.equal(await check(probe), 200);

    // Without a database, the node gets no requests but is not restarted.
    const name = new URL(database.url).pathname.slice(1);
    const server = toDatabaseUrl(database.url, "postgres");
    await runSql(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await runSql(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await waitFor("a node that is not ready", async () =>
      (await check(readinessProbe)) === 503 ? true : undefined,
    );
    assert.equal(await check(livenessProbe), 200);
    await runSql(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await waitFor("a node that is ready again", async () =>
      (await check(readinessProbe)) === 200 ? true : undefined,
    );

    // The longest request that the service waits for, beside the drain, fits into the grace period.
    const graceMs = node.terminationGracePeriodSeconds * 1_000;
    const drainMs = container.lifecycle.preStop.sleep.seconds * 1_000;
    assert.ok(graceMs - drainMs > 2_000 + 10_000);
    const stoppedAt = performance.now();
    service.kill("SIGTERM");
    const end = await service.ended;
    assert.equal(end.code, 0, end.output);
    assert.ok(performance.now() - stoppedAt < graceMs - drainMs);
  });

  it("check themselves by helm test", async (t) => {
    await using database = await openTestDatabase();
    const { doctor, toEnv } = await openPods(database.url);
    const env = { ...toEnv(doctor), DATA_DIR: await openDataFolder(t) };
    const args = [...doctor.containers[0].args, "--json"];
    const { out, err } = await runAvow(args, { env });
    assert.ok(out.startsWith("["), err);
    const findings = JSON.parse(out) as { name: string; state: string }[];
    const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]));
    const { settings, address, storage, migrations, log } = states;
    assert.deepEqual(
      { settings, address, storage, migrations, log, "data folder": states["data folder"] },
      {
        settings: "ok",
        address: "ok",
        storage: "ok",
        migrations: "ok",
        log: "ok",
        "data folder": "ok",
      },
    );
  });

  it("sign as one log", async (t) => {
    await using database = await openTestDatabase();
    const { node, toEnv } = await openPods(database.url);
    const env = { ...toEnv(node), PORT: "0", HOST: "127.0.0.1" };
    const nodes = await Promise.all(
      [1, 2].map(async () => {
        const dataDir = await openDataFolder(t);
        const service = startService(dataDir, { ...env, DATA_DIR: dataDir });
        const address = await service.address();
        return { service, address };
      }),
    );
    const keys = await Promise.all(
      nodes.map(async ({ address }) => (await fetch(`${address}/log/keys`)).text()),
    );
    assert.equal(keys[0], keys[1]);
    assert.match(keys[0] ?? "", /consent\.example/);
    for (const { service } of nodes) service.kill("SIGTERM");
    for (const { service } of nodes) assert.equal((await service.ended).code, 0);
  });
});
