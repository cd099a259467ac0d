import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { suite, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { ask } from "../durability/http.ts";
import { startLoad } from "../durability/load.ts";
import { openSite } from "../durability/site.ts";
import { assertStored } from "../durability/stored.ts";
import { assertStopped, skip, stop } from "../lifecycle/checks.ts";
import { listProcesses, openDataFolder, startService, waitFor } from "../lifecycle/process.ts";
import { openUpload } from "../lifecycle/upload.ts";
import { repeatRequests } from "../lifecycle/visitors.ts";
import { readMetrics, startWorkers, waitForLine } from "./workers.ts";

/** Consents that take several seconds, so that a fault meets requests in progress. */
const LOAD = 6_000;
/** Concurrent connections of `startLoad`. */
const CONNECTIONS = 24;
/** Two or three seconds are usual; a busy machine starts processes slowly. */
const TAKEOVER_MS_MAX = 30_000;

suite("two workers", { skip }, () => {
  test("answer on one port, and store consents with one Idempotency-Key once", async (t) => {
    const service = await startWorkers(t, { LOG_LEVEL: "debug" });
    const site = await openSite(await service.address());
    const { address, id, identifiers, token } = site;
    const url = `${address}/v1/app/consents/${id}/processings/${identifiers.processings}`;
    const headers = { "idempotency-key": randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        ask(url, { headers, json: { token: "visitor", accept: true } }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    const ids = new Set(answers.map(({ text }) => JSON.parse(text).consentId));
    assert.equal(ids.size, 1);
    const list = await ask(`${address}/v1/app/consents/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.deepEqual(
      JSON.parse(list.text).map(({ consentId }: { consentId: string }) => consentId),
      [...ids],
    );
    for (const number of [1, 2]) {
      const requests = service.linesOf(number).filter(({ msg }) => msg === "request");
      assert.ok(requests.length > 0, `worker ${number} answered`);
    }
    await stop(service);
    assert.deepEqual(await listProcesses(service.dataDir), []);
  });

  test("are restarted one by one on SIGHUP, without a failed request", async (t) => {
    const service = await startWorkers(t);
    const site = await openSite(await service.address());
    const before = [await service.pidOf(1), await service.pidOf(2)];
    const load = startLoad(t, site, LOAD);
    await load.reached(LOAD / 10);
    service.kill("SIGHUP");
    await waitForLine(service, "workers restarted");
    load.stop();
    await load.done;
    assert.deepEqual(
      { unanswered: load.unanswered.count, rejected: load.refused.count },
      { unanswered: 0, rejected: 0 },
    );
    const after = [await service.pidOf(1), await service.pidOf(2)];
    assert.ok(
      after.every((pid) => !before.includes(pid)),
      `${before.join()} → ${after.join()}`,
    );
    await assertStored(site, load);
    await stop(service);
  });

  test("lose only the requests in progress on a killed one, which is replaced", async (t) => {
    const service = await startWorkers(t);
    const site = await openSite(await service.address());
    const load = startLoad(t, site, LOAD);
    await load.reached(LOAD / 10);
    process.kill(await service.pidOf(2), "SIGKILL");
    await waitForLine(service, "worker started", 3);
    await load.done;
    assert.ok(load.unanswered.count <= CONNECTIONS, `${load.unanswered.count} unanswered`);
    assert.equal(load.refused.count, 0);
    await assertStored(site, load);
    await stop(service);
  });

  test("continue the log after the owner of background work is killed", async (t) => {
    const service = await startWorkers(t);
    const { address, id, identifiers, token } = await openSite(await service.address());
    process.kill(await service.pidOf(1), "SIGKILL");
    const killedAt = performance.now();
    const url = `${address}/v1/app/consents/${id}/processings/${identifiers.processings}`;
    // Without the connections of the requests before, some of which the killed worker had.
    const agent = new Agent();
    const consent = await ask(url, { agent, json: { token: "visitor", accept: true } });
    assert.equal(consent.status, 201, consent.text);
    const { consentId } = JSON.parse(consent.text);
    await waitFor("the consent's proof", async () => {
      const proof = hrefOf(address, paths.proof, { consentId });
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await ask(proof, { agent, headers });
      return status === 200 || undefined;
    });
    const ms = performance.now() - killedAt;
    assert.ok(ms < TAKEOVER_MS_MAX, `the log was continued after ${ms} ms`);
    await stop(service);
  });

  test("have their metrics merged, whichever answers", async (t) => {
    const service = await startWorkers(t);
    const address = await service.address();
    const requests = 40;
    await Promise.all(Array.from({ length: requests }, () => ask(`${address}/health/live`)));
    const counts =
      'avow_http_request_duration_seconds_count{method="GET",route="/health/live",status="200"}';
    const scrapes = await Promise.all(Array.from({ length: 6 }, () => readMetrics(address)));
    for (const scrape of scrapes) {
      assert.equal(scrape.get(counts), requests);
      assert.equal(scrape.get("avow_database_up"), 1);
      const [lag = NaN, memory = 0] = [
        "avow_nodejs_eventloop_lag_seconds",
        "avow_process_resident_memory_bytes",
      ].map((name) => scrape.get(name));
      assert.ok(lag < 5, `the lag is ${lag} s`);
      assert.ok(memory > 200_000_000, `${memory} bytes of three processes`);
      assert.ok((scrape.get("avow_process_start_time_seconds") ?? 0) > 0);
    }
    await stop(service);
  });

  test("count look-ups of unknown tokens together", async (t) => {
    const max = 30;
    const service = await startWorkers(t, { VISITOR_MISSES_PER_MINUTE_MAX: String(max) });
    const { address, id } = await openSite(await service.address());
    const toUnknown = (at: number) =>
      hrefOf(address, paths.latestConsent, { projectId: id }, { token: `visitor-${at}` });
    // A connection for each request, so that both workers answer.
    const agent = new Agent({ keepAlive: false });
    const statuses: number[] = [];
    for (let at = 0; at < 3 * max; at += 1)
      statuses.push((await ask(toUnknown(at), { agent })).status);
    const misses = statuses.filter((status) => status === 200).length;
    assert.ok(misses >= max && misses < 1.5 * max, `${misses} of ${max}`);
    await stop(service);
  });

  test("answer requests in progress on SIGTERM, also to the supervisor alone", async (t) => {
    const service = await startWorkers(t);
    const address = await service.address();
    const uploads = await Promise.all(
      Array.from({ length: 4 }, () => openUpload(`${address}/v1/auth/local/signup`)),
    );
    service.kill("SIGTERM");
    await waitForLine(service, "stopping", 3);
    for (const upload of uploads) upload.end();
    const statuses = await Promise.all(uploads.map(({ status }) => status));
    // All sign up with one address.
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 409, 409, 409],
    );
    const end = await service.ended;
    assertStopped(end);
    assert.doesNotMatch(end.output, /shutdown timeout/);
    assert.deepEqual(await listProcesses(service.dataDir), []);
  });

  test("answer clients that connect again during a shutdown, or refuse their connection", async (t) => {
    const service = await startWorkers(t);
    const address = await service.address();
    const clients = Array.from({ length: 40 }, () => repeatRequests(address));
    await Promise.all(clients.map(({ answered }) => answered));
    service.kill("SIGTERM");
    const ends = await Promise.all(clients.map(({ end }) => end));
    assert.deepEqual([...new Set(ends)], ["ECONNREFUSED"]);
    assertStopped(await service.ended);
  });

  test("stop in order when their supervisor is killed", async (t) => {
    const service = await startWorkers(t);
    await service.address();
    service.kill("SIGKILL");
    await service.ended;
    await waitFor("the workers' ends", async () => {
      return (await listProcesses(service.dataDir)).length === 0 || undefined;
    });
    for (const number of [1, 2]) assert.equal(service.linesOf(number).at(-1)?.msg, "stopped");
  });

  test("report a port in use with one error", async (t) => {
    const dataDir = await openDataFolder(t);
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const env = { PORT: String(port), WORKERS: "2" };
    const { code, output } = await startService(dataDir, env).ended;
    server.close();
    assert.equal(code, 1);
    assert.match(output, /^Avow cannot start\. Port \d+ on 127\.0\.0\.1 is in use\. Set PORT.*\n$/);
  });

  test("report an error of a worker once, and end", async (t) => {
    const service = await startWorkers(t, { EVIDENCE_LOG_KEYS: "none" });
    const { code, output } = await service.ended;
    assert.equal(code, 1);
    assert.equal(output.match(/cannot start/g)?.length, 1, output);
    assert.match(output, /EVIDENCE_LOG_KEYS/);
    assert.deepEqual(await listProcesses(service.dataDir), []);
  });

  test("keep everything with the embedded database, over a restart one by one", async (t) => {
    const dataDir = await openDataFolder(t);
    // The launcher is the main process of the systemd unit, and passes the signal on.
    const launcher = [process.execPath, "packages/server/avow.mjs"];
    const service = startService(dataDir, { WORKERS: "2" }, launcher);
    const site = await openSite(await service.address());
    service.kill("SIGHUP");
    await waitForLine(service, "workers restarted");
    const list = await ask(`${site.address}/v1/vault/projects`, {
      headers: { authorization: `Bearer ${site.token}` },
    });
    assert.equal(JSON.parse(list.text).length, 1);
    await stop(service);
    assert.deepEqual(await listProcesses(dataDir), []);
  });
});

for (const workers of ["0", "65", "abc"])
  test(`rejects WORKERS=${workers} with the accepted values`, async (t) => {
    const { code, output } = await startService(await openDataFolder(t), { WORKERS: workers })
      .ended;
    assert.equal(code, 1);
    assert.match(output, /WORKERS: expected auto or a whole number from 1 to 64, got "/);
  });
