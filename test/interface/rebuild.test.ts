import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { rebuildStates } from "../../server/modules/consents/rebuild.ts";
import { service } from "../harness.ts";
import { assertLedger, openNode } from "./ledger.ts";
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
  "a state that is gone": (id) =>
    sql`DELETE FROM consent_states WHERE project_id = ${id} AND token < 't2'`,
  "all states gone": (id) =>
    sql`WITH p AS (DELETE FROM past_states WHERE project_id = ${id}) DELETE FROM consent_states WHERE project_id = ${id}`,
  "a past state that is gone": (id) =>
    sql`DELETE FROM past_states WHERE project_id = ${id} AND token = 't1'`,
  "another choice": (id) =>
    sql`UPDATE consent_states SET choice = choice % 2 + 1, items = NULL WHERE project_id = ${id}`,
  "a count that is wrong": (id) =>
    sql`UPDATE consent_states SET consents = consents + 1 WHERE project_id = ${id}`,
  "a state that ended at another time": (id) =>
    sql`UPDATE past_states SET until_id = gen_random_uuid() WHERE project_id = ${id} AND token = 't3'`,
  "a state that no record made": (id) => sql`
    INSERT INTO consent_states SELECT project_id, 'ghost', identifier, collection, choice, items, since,
      consent_id, version, first_seen_at, consents
    FROM consent_states WHERE project_id = ${id} AND token = 't1'`,
};

describe("npm run rebuild", () => {
  for (const [name, breakIt] of Object.entries(breaks))
    test(`finds and mends ${name}`, async () => {
      const site = await newAnsweredSite();
      const before = await readAll(site);
      const options = { projectId: site.id };
      assert.equal((await rebuildStates(service.db, { ...options, isCheck: true })).differences, 0);
      await breakIt(site.id).execute(service.db);
      const checked = await rebuildStates(service.db, { ...options, isCheck: true });
      assert.ok(checked.differences > 0);
      const rebuilt = await rebuildStates(service.db, { ...options, isCheck: false });
      assert.equal(rebuilt.differences, checked.differences, "checking changed nothing");
      assert.equal(await assertLedger(site.id), 120);
      assert.deepEqual(await readAll(site), before);
    });

  test("works while consents are collected", async () => {
    const site = await newAnsweredSite();
    await sql`DELETE FROM consent_states WHERE project_id = ${site.id}`.execute(service.db);
    await using node = openNode();
    const collecting = Promise.all(
      count(300).map(async (n) => {
        await new Promise((resolve) => setTimeout(resolve, n));
        return node.collect(site, { accept: n % 2 === 0, token: `t${n % 25}` });
      }),
    );
    for (const _ of count(5))
      await rebuildStates(service.db, { projectId: site.id, isCheck: false });
    await collecting;
    await rebuildStates(service.db, { projectId: site.id, isCheck: false });
    assert.equal(await assertLedger(site.id), 420);
  });
});
