import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { type KyselyPlugin, sql } from "kysely";
import { rebuildStates } from "../../packages/server/modules/consents/erase/rebuild.ts";
import { service } from "../harness.ts";
import { assertStatesMatchRecords, openNode } from "./collector.ts";
import { type Site, newSite, publish, readToken } from "./site.ts";

const count = (length: number) => Array.from({ length }, (_, n) => n);

/** A project whose visitors answered several times, in several ways. */
async function newAnsweredSite(): Promise<Site> {
  const site = await newSite();
  await publish(site);
  await using node = openNode();
  const vendors = { matomo: true, chat: false };
  for (const round of count(3))
    await Promise.all(
      count(40).map((n) =>
        node.collect(site, {
          accept: (n + round) % 3 > 0,
          token: `t${n % 25}`,
          ...(n % 4 === 0 ? { preferences: { vendors } } : {}),
        }),
      ),
    );
  return site;
}

async function readAll(site: Site): Promise<unknown[]> {
  const read = await Promise.all(count(25).map((n) => readToken(site, `t${n}`)));
  return read.map(({ body }) => body.state);
}

const breaks: Record<string, (id: string) => ReturnType<typeof sql>> = {
  "a missing state": (id) =>
    sql`DELETE FROM consent_states WHERE project_id = ${id} AND token < 't2'`,
  "all states missing": (id) =>
    sql`WITH p AS (DELETE FROM past_states WHERE project_id = ${id}) DELETE FROM consent_states WHERE project_id = ${id}`,
  "a missing past state": (id) =>
    sql`DELETE FROM past_states WHERE project_id = ${id} AND token = 't1'`,
  "another choice": (id) =>
    sql`UPDATE consent_states SET choice = choice % 2 + 1, items = NULL WHERE project_id = ${id}`,
  "a wrong count": (id) =>
    sql`UPDATE consent_states SET consents = consents + 1 WHERE project_id = ${id}`,
  "a state with another end": (id) =>
    sql`UPDATE past_states SET until_id = ${randomUUID()} WHERE project_id = ${id} AND token = 't3'`,
  "a state without a record": (id) => sql`
    INSERT INTO consent_states SELECT project_id, 'ghost', identifier, collection, choice, items, since,
      consent_id, version, first_seen_at, consents
    FROM consent_states WHERE project_id = ${id} AND token = 't1'`,
};

/** A database that records the maximum number of rows in a result. */
function openCounted() {
  const longest = { rows: 0 };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      longest.rows = Math.max(longest.rows, result.rows.length);
      return result;
    },
  };
  return { db: service.data.withPlugin(plugin), longest };
}

/** Two visitors with one answer each, and between them one with 60 for two configurations. */
async function newUnevenSite(): Promise<Site> {
  const site = await newSite();
  await publish(site);
  await using node = openNode();
  const processing = { collection: "processings", identifier: site.processing };
  for (const n of count(60))
    await node.collect(site, { accept: n % 3 > 0, token: "m" }, n % 4 === 0 ? processing : {});
  await node.collect(site, { accept: true, token: "a" });
  await node.collect(site, { accept: true, token: "z" });
  return site;
}

describe("avow rebuild", () => {
  for (const [name, breakIt] of Object.entries(breaks))
    test(`finds and fixes ${name}`, async () => {
      const site = await newAnsweredSite();
      const before = await readAll(site);
      const options = { projectId: site.id };
      assert.equal(
        (await rebuildStates(service.data, { ...options, isCheck: true })).differences,
        0,
      );
      await breakIt(site.id).execute(service.data);
      const checked = await rebuildStates(service.data, { ...options, isCheck: true });
      assert.ok(checked.differences > 0);
      const rebuilt = await rebuildStates(service.data, { ...options, isCheck: false });
      assert.equal(rebuilt.differences, checked.differences, "checking changed nothing");
      assert.equal(await assertStatesMatchRecords(site.id), 120);
      assert.deepEqual(await readAll(site), before);
    });

  test("works while consents are collected", async () => {
    const site = await newAnsweredSite();
    await sql`DELETE FROM consent_states WHERE project_id = ${site.id}`.execute(service.data);
    await using node = openNode();
    const collecting = Promise.all(
      count(300).map(async (n) => {
        await new Promise((resolve) => setTimeout(resolve, n));
        return node.collect(site, { accept: n % 2 === 0, token: `t${n % 25}` });
      }),
    );
    for (const _ of count(5))
      await rebuildStates(service.data, { projectId: site.id, isCheck: false });
    await collecting;
    await rebuildStates(service.data, { projectId: site.id, isCheck: false });
    assert.equal(await assertStatesMatchRecords(site.id), 420);
  });

  test("reads and writes a token with many records by pages, with the same result", async () => {
    const site = await newUnevenSite();
    await sql`UPDATE past_states SET until_id = ${randomUUID()} WHERE project_id = ${site.id}
      AND consent_id IN (SELECT consent_id FROM past_states WHERE project_id = ${site.id}
        AND identifier = ${site.cookies} ORDER BY consent_id OFFSET 30 LIMIT 1)`.execute(
      service.data,
    );
    await sql`DELETE FROM consent_states WHERE project_id = ${site.id} AND token = 'z'`.execute(
      service.data,
    );
    const run = async (recordsPerPage: number, isCheck: boolean) => {
      const { db, longest } = openCounted();
      const differences: string[] = [];
      const done = await rebuildStates(db, {
        projectId: site.id,
        isCheck,
        recordsPerPage,
        onDifference: ({ token, identifier }) => differences.push(`${token} ${identifier}`),
      });
      return { done, differences, longest: longest.rows };
    };
    const whole = await run(1_000, true);
    assert.deepEqual(whole.differences, [`m ${site.cookies}`, `z ${site.cookies}`]);
    assert.ok(whole.longest >= 60, "one page has all records");
    for (const recordsPerPage of [1, 2, 7, 61, 62]) {
      const paged = await run(recordsPerPage, true);
      assert.deepEqual(paged.differences, whole.differences);
      assert.deepEqual(paged.done, whole.done);
      assert.ok(paged.longest <= Math.max(recordsPerPage, 4), `${paged.longest} rows at once`);
    }
    const fixed = await run(7, false);
    assert.deepEqual(fixed.done, whole.done);
    assert.ok(fixed.longest <= 7, `${fixed.longest} rows at once`);
    assert.equal(await assertStatesMatchRecords(site.id), 62);
  });

  for (const [name, breakIt] of Object.entries(breaks))
    test(`finds and fixes ${name} by pages of three records`, async () => {
      const site = await newAnsweredSite();
      const before = await readAll(site);
      await breakIt(site.id).execute(service.data);
      const options = { projectId: site.id };
      const checked = await rebuildStates(service.data, { ...options, isCheck: true });
      const rebuilt = await rebuildStates(service.data, {
        ...options,
        isCheck: false,
        recordsPerPage: 3,
      });
      assert.equal(rebuilt.differences, checked.differences);
      assert.equal(await assertStatesMatchRecords(site.id), 120);
      assert.deepEqual(await readAll(site), before);
    });
});
