import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { openAnswerCombinations } from "../../packages/server/modules/consents/states/answer-combinations.ts";
import { rebuildStates } from "../../packages/server/modules/consents/erase/rebuild.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { erase } from "./erasures.ts";
import { importFile, toCsv } from "./imports.ts";
import { assertStatesMatchRecords, openNode } from "./collector.ts";
import { waitForProof } from "./proofs.ts";
import { type Site, collect, newSite, publish } from "./site.ts";
import { newTicket, shop } from "./tickets.ts";

const count = (length: number) => Array.from({ length }, (_, n) => n);
/** Answers that only the tests' tokens give: their combination is deleted with the last of them. */
const rare = { accept: true, preferences: { vendors: { matomo: true, chat: false } } };
const other = { accept: true, preferences: { vendors: { matomo: false, chat: true } } };

/** Checks that answer combinations, salts and states all have their records, and the reverse. */
async function assertConsistent(site: Site): Promise<number> {
  const { rows } = await sql<{ what: string; n: number }>`
    WITH named AS (
      SELECT identifier, choice FROM consents WHERE project_id = ${site.id}
      UNION SELECT identifier, choice FROM consent_states WHERE project_id = ${site.id}
      UNION SELECT identifier, choice FROM past_states WHERE project_id = ${site.id})
    SELECT 'names a choice that is gone' AS what, count(*) AS n FROM named n
    WHERE n.choice IS NOT NULL AND NOT EXISTS (SELECT FROM choices c WHERE c.project_id = ${site.id}
      AND c.identifier = n.identifier AND c.choice = n.choice)
    UNION ALL
    SELECT 'a salt without record', count(*) FROM consent_salts s WHERE s.project_id = ${site.id}
      AND NOT EXISTS (SELECT FROM consents r WHERE r.project_id = s.project_id AND r.id = s.consent_id)`.execute(
    service.data,
  );
  for (const { what, n } of rows) assert.equal(n, 0, what);
  return assertStatesMatchRecords(site.id);
}

async function eraseAlways(site: Site, token: string, signal: AbortSignal): Promise<number> {
  let erased = 0;
  while (!signal.aborted) {
    const { status, body } = await erase(site, token);
    assert.ok(status === 200 || status === 404, JSON.stringify(body));
    if (status === 200) erased += body.count;
  }
  return erased;
}

/** Runs `work` while tokens are erased repeatedly; returns the number of erased records. */
async function whileErasing(
  site: Site,
  tokens: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const ending = new AbortController();
  const erasing = Promise.all(tokens.map((token) => eraseAlways(site, token, ending.signal)));
  try {
    await Promise.race([work(), erasing]);
  } finally {
    ending.abort();
  }
  return (await erasing).reduce((sum, n) => sum + n, 0);
}

describe("erasure during concurrent writes", () => {
  it("erases concurrently collected consents of the token completely, or keeps them completely", async () => {
    const site = await newSite();
    await publish(site);
    await using one = openNode();
    await using two = openNode();
    let collected = 0;
    const erased = await whileErasing(site, ["a", "b"], async () => {
      for (const round of count(25)) {
        const bodies = [rare, other, { accept: false }, { accept: true }];
        const body = bodies[round % bodies.length] ?? rare;
        const sent = await Promise.all(
          [one, two].flatMap((node) =>
            ["a", "b", "c"].map((token) => node.collect(site, { ...body, token })),
          ),
        );
        collected += sent.length;
      }
    });
    assert.ok(erased > 0);
    assert.equal(await assertConsistent(site), collected - erased);
  });

  it("leaves no record of an answer combination that was deleted with its only other user", async () => {
    const site = await newSite();
    await publish(site);
    await using one = openNode();
    await using two = openNode();
    for (const round of count(12)) {
      await one.collect(site, { ...rare, token: "first" });
      // Both nodes have the number cached; it is erased while they use it.
      const [erased] = await Promise.all([
        erase(site, "first"),
        ...count(4).map(async (n) => {
          await delay(n);
          const node = n % 2 ? one : two;
          await node.collect(site, { ...rare, token: `next-${round}-${n}` });
        }),
      ]);
      assert.equal(erased?.status, 200);
      assert.equal(await assertConsistent(site), 4);
      for (const n of count(4)) assert.equal((await erase(site, `next-${round}-${n}`)).status, 200);
    }
    assert.equal(await assertConsistent(site), 0);
    const { rows } = await sql`SELECT FROM choices WHERE project_id = ${site.id}`.execute(
      service.data,
    );
    assert.equal(rows.length, 0, "no record has these answers any more");
  });

  it("never reuses the number of an erased answer combination", async () => {
    const site = await newSite();
    await publish(site);
    await using node = openNode();
    const numberOf = async (): Promise<number> => {
      const { rows } = await sql<{ choice: number }>`
        SELECT choice FROM consents WHERE project_id = ${site.id}`.execute(service.data);
      assert.equal(rows.length, 1);
      return rows[0]?.choice ?? 0;
    };
    const numbers: number[] = [];
    for (const body of [rare, other, rare]) {
      await node.collect(site, { ...body, token: "t" });
      numbers.push(await numberOf());
      assert.equal((await erase(site, "t")).status, 200);
    }
    assert.equal(new Set(numbers).size, 3, String(numbers));
  });

  it("collects answers with display tickets after their combination was erased", async () => {
    const site = await newSite();
    await publish(site);
    const collectTicketed = async () => {
      const ticket = await newTicket(site);
      const body = { ...rare, token: "t", ticket };
      const answer = await collect(site, "cookies", site.cookies, body, { origin: shop });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      assert.equal(answer.body.grade, "ticketed");
    };
    const erased = await whileErasing(site, ["t"], async () => {
      for (const _ of count(20)) await collectTicketed();
    });
    assert.ok(erased > 0);
    // Sequentially, so that the combination's previous number is certainly deleted.
    const { status, body } = await erase(site, "t");
    const left = status === 200 ? body.count : 0;
    assert.equal(erased + left, 20);
    await collectTicketed();
    assert.equal((await erase(site, "t")).body.count, 1);
    await collectTicketed();
    assert.equal(await assertConsistent(site), 1);
  });

  it("leaves one receipt for several concurrent erasures of one person", async () => {
    const site = await newSite();
    await using node = openNode();
    for (const round of count(4)) {
      const token = `t-${round}`;
      for (const _ of count(6)) await node.collect(site, { ...rare, token });
      const orders = await Promise.all(count(4).map(() => erase(site, token)));
      const statuses = orders.map(({ status }) => status).toSorted((a, b) => a - b);
      assert.deepEqual(statuses, [200, 404, 404, 404]);
      assert.equal(orders.find(({ status }) => status === 200)?.body.count, 6);
    }
    const href = hrefOf("", paths.erasures, { projectId: site.id });
    const { body } = await service.fetch(href, { token: site.token });
    assert.deepEqual(
      body.items.map((one: { count: number }) => one.count),
      [6, 6, 6, 6],
    );
  });

  it("runs before or after each batch of an import of the same token", async () => {
    const site = await newSite();
    await publish(site);
    const { preferences } = rare;
    const day = (n: number) => new Date(Date.UTC(2025, 0, 1 + n)).toISOString();
    const lines = count(1_500).map((n) => ({
      token: n % 3 === 0 ? "a" : `token-${n % 50}`,
      date: day(n % 200),
      ...(n % 2 ? { preferences } : {}),
    }));
    const erased = await whileErasing(site, ["a", "token-1"], async () => {
      for (const part of [lines.slice(0, 500), lines]) {
        const { status } = await importFile(site, toCsv(site, part));
        assert.equal(status, "Done");
      }
    });
    assert.ok(erased > 0);
    await assertConsistent(site);
  });

  it("also erases rebuilt states, even those whose record was missing", async () => {
    const site = await newSite();
    await publish(site);
    await using node = openNode({ choices: openAnswerCombinations(service.buckets) });
    const options = { projectId: site.id, isCheck: false };
    for (const round of count(15)) {
      await Promise.all(
        ["a", "b"].flatMap((token) =>
          [rare, other].map((body) => node.collect(site, { ...body, token })),
        ),
      );
      if (round % 2)
        await sql`DELETE FROM consent_states WHERE project_id = ${site.id}`.execute(service.data);
      const [{ status }] = await Promise.all([
        erase(site, "a"),
        delay(round % 4).then(() => rebuildStates(service.data, options)),
      ]);
      assert.equal(status, 200);
      await rebuildStates(service.data, options);
      await assertConsistent(site);
    }
  });

  it("leaves no salt of a record that the log was appending, and the log continues to work", async () => {
    const site = await newSite();
    await using node = openNode();
    const until = performance.now() + 2_000;
    for (let n = 0; performance.now() < until; n += 1) {
      const tokens = count(20).map((at) => `t-${n}-${at}`);
      await Promise.all(tokens.map((token) => node.collect(site, { ...rare, token })));
      await delay((n * 37) % 500);
      const answers = await Promise.all(tokens.map((token) => erase(site, token)));
      for (const { status } of answers) assert.equal(status, 200);
    }
    const { record } = await node.collect(site, { ...rare, token: "last" });
    await waitForProof(record.id, "last");
    assert.equal(await assertConsistent(site), 1);
  });
});
