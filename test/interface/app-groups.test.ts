import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { openAnswerCombinations } from "../../packages/server/modules/consents/states/answer-combinations.ts";
import { Fault } from "../../packages/server/platform/errors.ts";
import { timeOfId } from "../../packages/server/kernel/ids.ts";
import { isOnCluster } from "../database.ts";
import { intervals, service } from "../harness.ts";
import { assertStatesMatchRecords, openNode } from "./collector.ts";
import { create, newSite, publish, readStatuses, readToken, toCookies } from "./site.ts";

const isFault = (kind: string) => (error: unknown) => error instanceof Fault && error.kind === kind;
const count = (length: number) => Array.from({ length }, (_, n) => n);

/** Makes every record of a project with the token "poison" fail in the database. */
async function poison(projectId: string): Promise<AsyncDisposable> {
  const name = `poison_${projectId}`;
  await sql`
    CREATE FUNCTION ${sql.raw(name)}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.project_id = ${sql.lit(projectId)} AND NEW.token = 'poison' THEN
        RAISE EXCEPTION 'poisoned' USING ERRCODE = '22023'; END IF;
      RETURN NEW; END $$
  `.execute(service.data);
  await sql`CREATE TRIGGER ${sql.raw(name)} BEFORE INSERT ON consent_states FOR EACH ROW
    EXECUTE FUNCTION ${sql.raw(name)}()`.execute(service.data);
  return {
    async [Symbol.asyncDispose]() {
      await sql`DROP FUNCTION ${sql.raw(name)}() CASCADE`.execute(service.data);
    },
  };
}

describe("consents that are collected concurrently", () => {
  const skip = isOnCluster() && "Citus has no triggers on distributed tables";
  test("succeed when the database rejects a neighbour", { skip }, async () => {
    const site = await newSite();
    await using node = openNode();
    await using _ = await poison(site.id);
    const results = await Promise.allSettled(
      count(300).map((n) =>
        node.collect(site, { accept: true, token: n % 50 === 7 ? "poison" : `t${n}` }),
      ),
    );
    results.forEach(({ status }, n) =>
      assert.equal(status, n % 50 === 7 ? "rejected" : "fulfilled", `consent ${n}`),
    );
    assert.equal(await assertStatesMatchRecords(site.id), 294);
  });

  test("share few transactions, and a single client is not delayed", async () => {
    const site = await newSite();
    await publish(site);
    await using node = openNode({ connections: 1 });
    await node.collect(site, { accept: true });
    const started = performance.now();
    for (const _ of count(20)) await node.collect(site, { accept: true });
    // Far below the sum of fixed delays of a few milliseconds, with a margin for a busy machine.
    assert.ok(performance.now() - started < 5_000);
    await Promise.all(count(400).map(() => node.collect(site, { accept: false })));
    const { rows } = await sql<{ xids: number }>`
      SELECT count(DISTINCT xmin::text) AS xids FROM consents WHERE project_id = ${site.id}
    `.execute(service.data);
    const transactions = (rows[0]?.xids ?? 0) - 21;
    assert.ok(transactions >= 2 && transactions <= 10, `${transactions} transactions for 400`);
  });

  test("are stored for one visitor in order of arrival", async () => {
    const site = await newSite();
    await publish(site);
    await using node = openNode();
    // Caches the offer, so that no request waits for it below.
    await node.collect(site, { accept: true, token: "one" });
    const answers = await Promise.all(
      count(50).map((n) => node.collect(site, { accept: n % 3 === 0, token: "one" })),
    );
    const ids = answers.map(({ record }) => record.id);
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(await assertStatesMatchRecords(site.id), 51);
    const statuses = await readStatuses(site, "one");
    assert.equal(statuses[`${site.cookies}/matomo`], "withdrawn");
  });

  test("have ids of the present when the clock of the node is slow", async () => {
    const site = await newSite();
    await using node = openNode({ now: () => new Date(service.clock.now().getTime() - 60_000) });
    const from = service.clock.now().getTime();
    const { record } = await node.collect(site, { accept: true });
    const ageMs = timeOfId(record.id).getTime() - from;
    assert.ok(ageMs >= -intervals.collectingMs, `${ageMs} ms`);
  });

  test("are counted once each for one visitor on two nodes, and none fails", async () => {
    const site = await newSite();
    await using left = openNode();
    await using right = openNode();
    await Promise.all(
      count(200).map((n) =>
        (n % 2 ? left : right).collect(site, { accept: n % 4 < 2, token: `hot${n % 3}` }),
      ),
    );
    assert.equal(await assertStatesMatchRecords(site.id), 200);
  });

  test("beyond the queue's capacity are rejected immediately, and none of those is stored", async () => {
    const site = await newSite();
    await publish(site);
    await using node = openNode({ queueMax: 10 });
    await node.collect(site, { accept: true });
    const results = await Promise.allSettled(
      count(100).map((n) => node.collect(site, { accept: true, token: `t${n}` })),
    );
    const refused = results.filter((r) => r.status === "rejected");
    assert.ok(refused.length === 90, `${refused.length} refused`);
    for (const { reason } of refused) assert.ok(isFault("busy")(reason), String(reason));
    assert.equal(await assertStatesMatchRecords(site.id), 101 - refused.length);
  });

  test("that are queued at shutdown are written first", async () => {
    const site = await newSite();
    const node = openNode();
    const all = Promise.all(count(500).map(() => node.collect(site, { accept: true })));
    // Their configuration is looked up first; then they are queued.
    await node.collect(site, { accept: true });
    await node[Symbol.asyncDispose]();
    await all;
    assert.equal(await assertStatesMatchRecords(site.id), 501);
  });
});

describe("an idempotency key", () => {
  test("is used once by a hundred concurrent requests on two nodes, or in one group", async () => {
    const site = await newSite();
    await using left = openNode();
    await using right = openNode();
    const key = randomUUID();
    const answers = await Promise.all(
      count(100).map((n) => (n % 2 ? left : right).collect(site, { accept: true }, { key })),
    );
    assert.equal(new Set(answers.map(({ record }) => record.id)).size, 1);
    assert.equal(answers.filter(({ isReplay }) => !isReplay).length, 1);
    const other = left.collect(site, { accept: false }, { key });
    await assert.rejects(other, isFault("impossible"));
    assert.equal(await assertStatesMatchRecords(site.id), 1);
  });

  test("may be reused after its expiry", async () => {
    const site = await newSite();
    await using node = openNode();
    const key = randomUUID();
    const first = await node.collect(site, { accept: true }, { key });
    await sql`UPDATE consent_keys SET expires_at = now() WHERE project_id = ${site.id}`.execute(
      service.data,
    );
    const second = await node.collect(site, { accept: false }, { key });
    assert.notEqual(second.record.id, first.record.id);
    assert.equal(second.isReplay, false);
  });
});

describe("the cache of a project", () => {
  test("is refreshed when another node publishes: no answer counts for an old version", async () => {
    const site = await newSite();
    await publish(site);
    await using node = openNode();
    const first = await node.collect(site, { accept: true, token: "t" });
    assert.equal(first.record.version, 1);
    await publish(site);
    const second = await node.collect(site, { accept: true, token: "t" });
    assert.equal(second.record.version, 2);
  });

  test("is dropped with the project: nothing is collected for a deleted one", async () => {
    const site = await newSite();
    await publish(site);
    await using node = openNode();
    await node.collect(site, { accept: true });
    const address = `/v1/vault/projects/${site.id}?confirm=${site.id}`;
    const { status } = await service.fetch(address, { method: "DELETE", token: site.token });
    assert.equal(status, 204);
    await assert.rejects(node.collect(site, { accept: true }), isFault("not-found"));
  });
});

describe("answer combinations", () => {
  test("for all vendors at once are numbered in a configuration whose numbers visitors used up, also in later versions", async () => {
    const site = await newSite();
    const names = count(8).map((n) => `v${n}`);
    const stepsOf = (round: number) => {
      const vendors = names.map((name) => ({ name, domain: `${round}.example` }));
      return { steps: [{ name: "all", layout: "category", vendors }] };
    };
    const identifier = await create(site.token, "cookies", toCookies(site.id, stepsOf(0)));
    const warned: object[] = [];
    const log = { warn: (entry: object) => void warned.push(entry) };
    const choices = openAnswerCombinations(service.buckets, log);
    await using node = openNode({ choices });
    const send = (token: string, accept: boolean, bits?: number) => {
      const vendors = Object.fromEntries(
        names.map((name, bit) => [name, ((bits ?? 0) & (1 << bit)) !== 0]),
      );
      const preferences = bits === undefined ? {} : { preferences: { vendors } };
      return node.collect(site, { accept, token, ...preferences }, { identifier });
    };
    await Promise.all(count(256).map((bits) => send(`odd${bits}`, true, bits)));
    assert.deepEqual(warned, [{ projectId: site.id, identifier }]);
    assert.deepEqual(
      choices.readings.map(({ name, read }) => [name, read()]),
      [["avow_choices_full", 1]],
    );
    const metrics = await service.fetch("/metrics");
    assert.match(metrics.body, /^avow_choices_full \d+$/m);
    const versions = 3;
    for (const round of count(versions)) {
      const at = `/v1/vault/cookies/${identifier}`;
      const json = stepsOf(round + 1);
      const put = await service.fetch(at, { method: "PATCH", token: site.token, json });
      assert.equal(put.status, 200, JSON.stringify(put.body));
      await publish(site);
      await send(`yes${round}`, true);
      await send(`no${round}`, false);
      await send(`change${round}`, true);
      await send(`change${round}`, false);
    }
    const { rows } = await sql<{ token: string; choice: number | null }>`
      SELECT token, choice FROM consent_states WHERE project_id = ${site.id} AND token NOT LIKE 'odd%'
    `.execute(service.data);
    assert.equal(rows.length, 3 * versions);
    assert.deepEqual(
      rows.filter(({ choice }) => choice === null),
      [],
    );
    assert.equal(new Set(rows.map(({ choice }) => choice)).size, 3 * versions);
    await assertStatesMatchRecords(site.id);
  });

  test("beyond the two hundred of a configuration are stored in full, and read the same", async () => {
    const site = await newSite();
    const names = count(9).map((n) => `v${n}`);
    const steps = [{ name: "all", layout: "category", vendors: names.map((name) => ({ name })) }];
    const identifier = await create(site.token, "cookies", toCookies(site.id, { steps }));
    await using node = openNode();
    const vendorsOf = (n: number) =>
      Object.fromEntries(names.map((name, bit) => [name, (n & (1 << bit)) !== 0]));
    const send = (n: number) =>
      node.collect(
        site,
        { accept: true, token: `t${n}`, preferences: { vendors: vendorsOf(n) } },
        { identifier },
      );
    await Promise.all(count(300).map(send));
    const { rows } = await sql<{ choices: number; without: number }>`
      SELECT (SELECT count(*) FROM choices WHERE project_id = ${site.id} AND identifier = ${identifier}) AS choices,
        (SELECT count(*) FROM consent_states WHERE project_id = ${site.id} AND choice IS NULL) AS without
    `.execute(service.data);
    assert.deepEqual(rows[0], { choices: 200, without: 100 });
    for (const n of [0, 42, 150, 250, 299]) {
      const statuses = await readStatuses(site, `t${n}`);
      for (const name of names)
        assert.equal(
          statuses[`${identifier}/${name}`],
          vendorsOf(n)[name] ? "accepted" : "refused",
          `${name} of ${n}`,
        );
    }
    // Answers stored in full can be followed by others as usual.
    await Promise.all([send(299), send(298)]);
    await node.collect(site, { accept: false, token: "t299" }, { identifier });
    const statuses = await readStatuses(site, "t299");
    const expected = vendorsOf(299);
    for (const name of names)
      assert.equal(
        statuses[`${identifier}/${name}`],
        expected[name] ? "withdrawn" : "refused",
        name,
      );
    const { body } = await readToken(site, "t299");
    assert.equal(body.history.length, 3);
    await assertStatesMatchRecords(site.id);
  });
});
