import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KyselyPlugin, sql } from "kysely";
import { pino } from "pino";
import { toOneBucket } from "../../packages/server/platform/db/buckets/buckets.ts";
import { openDisplays } from "../../packages/server/modules/consents/displays/displays.ts";
import { recountAnswers } from "../../packages/server/modules/consents/stats/tally.ts";
import {
  findLogSize,
  listPlacedConsents,
} from "../../packages/server/modules/evidence/log/placed.ts";
import { intervals, service } from "../harness.ts";
import { importFile, toCsv } from "./imports.ts";
import { newLink, post } from "./persons.ts";
import { newSite, vendors } from "./site.ts";
import { answer, askStats, readStats, show, step } from "./stats.ts";
import { newLiveSite } from "./tickets.ts";

const log = pino({ level: "silent" });
const { buckets, data } = service;
const recount = (projectId: string, isCheck: boolean) =>
  recountAnswers(
    { data, config: { statisticsPages: true }, findLogSize, listPlacedConsents },
    { projectId, isCheck },
  );

async function sumShown(projectId: string): Promise<number> {
  const { rows } = await sql<{ shown: number }>`
    SELECT coalesce(sum(shown), 0)::integer AS shown FROM display_counts
    WHERE project_id = ${projectId}`.execute(data);
  return rows[0]?.shown ?? 0;
}

describe("avow rebuild --statistics", () => {
  it("finds unchanged counts correct, and recreates changed ones", async () => {
    const site = await newLiveSite();
    for (const accept of [true, "partly", false, true] as const) await answer(site, accept);
    const before = (await readStats(site)).totals;
    assert.deepEqual(before, { shown: 0, accepted: 2, partly: 1, refused: 1, ignored: 0 });
    assert.equal((await recount(site.id, true)).differences, 0);
    for (const table of ["answer_counts", "answer_days"])
      await sql`UPDATE ${sql.table(table)} SET accepted = 7 WHERE project_id = ${site.id}`.execute(
        data,
      );
    assert.notEqual((await recount(site.id, true)).differences, 0);
    assert.equal((await askStats(site)).body.totals.accepted, 7);
    await recount(site.id, false);
    assert.deepEqual((await askStats(site)).body.totals, before);
    await sql`DELETE FROM answer_days WHERE project_id = ${site.id}`.execute(data);
    await recount(site.id, false);
    assert.deepEqual((await askStats(site)).body.totals, before);
    await answer(site, true);
    assert.equal((await readStats(site)).totals.accepted, 3);
  });

  it("changes no other project's counts", async () => {
    const [one, other] = [await newLiveSite(), await newLiveSite()];
    for (const site of [one, other]) {
      await answer(site, true);
      await readStats(site);
      await sql`UPDATE answer_days SET accepted = 9 WHERE project_id = ${site.id}`.execute(data);
    }
    await recount(one.id, false);
    assert.equal((await askStats(one)).body.totals.accepted, 1);
    assert.equal((await askStats(other)).body.totals.accepted, 9);
  });
});

describe("counting", () => {
  it("excludes imported answers, which were asked for elsewhere", async () => {
    const site = await newSite();
    const date = new Date(service.clock.now().getTime() - 3_600_000).toISOString();
    await importFile(site, toCsv(site, [{ token: "elsewhere", date }]));
    await answer(site, true);
    assert.equal((await readStats(site)).totals.accepted, 1);
  });

  it("excludes changes on a person's own page, and a recount agrees", async () => {
    const site = await newLiveSite();
    await answer(site, true, { token: "changing" });
    const { url } = await newLink(site, "changing", { token: site.token });
    for (const vendor of vendors.slice(0, 2).map(({ name }) => name)) {
      const form = { do: "refuse", identifier: site.cookies, vendor };
      assert.equal((await post(url, form)).status, 303);
    }
    const { totals } = await readStats(site);
    assert.deepEqual(totals, { shown: 0, accepted: 1, partly: 0, refused: 0, ignored: 0 });
    assert.equal((await recount(site.id, true)).differences, 0);
  });

  it("counts an answer that refuses one vendor and leaves others accepted as partial", async () => {
    const site = await newLiveSite();
    const [{ name } = { name: "" }] = vendors;
    const preferences = { vendors: { [name]: false } };
    const ticket = await show(site, { identifier: site.cookies, step });
    await answer(site, true, { preferences, ticket });
    await answer(site, false, { preferences });
    const { totals } = await readStats(site);
    assert.deepEqual(totals, { shown: 1, accepted: 0, partly: 1, refused: 1, ignored: 0 });
    const byDevice = await readStats(site, { group: "device" });
    assert.equal(byDevice.totals.partly, 1);
    assert.equal((await recount(site.id, true)).differences, 0);
  });

  it("accepts 300 displays in a minute from one network, with a ticket for each", async () => {
    const site = await newLiveSite();
    for (let n = 0; n < 310; n += 1) await show(site, { identifier: site.cookies, step });
    assert.equal((await readStats(site)).totals.shown, 300);
  });

  it("keeps counts of an erased token: a number identifies nobody", async () => {
    const site = await newLiveSite();
    await answer(site, true, { token: "erased" });
    await readStats(site);
    const at = `/v1/app/tokens/${site.id}/erased`;
    const { status } = await service.fetch(at, { method: "DELETE", token: site.token });
    assert.equal(status, 200);
    assert.equal((await readStats(site)).totals.accepted, 1);
  });

  it("stores only sums of displays: no address, no user agent, no token", async () => {
    const site = await newLiveSite();
    await show(site, { identifier: site.cookies, step });
    await readStats(site);
    const { rows } = await sql`
      SELECT to_jsonb(d) - 'hour' - 'quarters' AS row FROM display_counts d WHERE project_id = ${site.id}`.execute(
      data,
    );
    const row = { project_id: site.id, identifier: site.cookies, step, device: "mobile" };
    assert.deepEqual(rows, [{ row: { ...row, shown: 1, accepted: 0, partly: 0, refused: 0 } }]);
  });
});

describe("displays in memory", () => {
  const shown = { identifier: "banner", step: "first", device: "mobile" } as const;
  const now = new Date("2026-03-01T10:17:00Z");

  it("are in the database after shutdown", async () => {
    const { id } = await newSite();
    const displays = openDisplays({ buckets, log, intervals });
    for (let n = 0; n < 20; n += 1) displays.noteDisplay(id, shown, now);
    await displays[Symbol.asyncDispose]();
    assert.equal(await sumShown(id), 20);
  });

  it("are kept while the database rejects them, and counted once when it recovers", async () => {
    const { id } = await newSite();
    const away = openFailingDatabase();
    const displays = openDisplays({ buckets: toOneBucket(away.db), log, intervals });
    displays.noteDisplay(id, shown, now);
    displays.noteAnswer(id, shown, { displayedAt: now, kind: "partly" });
    const deadline = Date.now() + 20_000;
    while (away.state.asked < 2) {
      assert.ok(Date.now() < deadline, "it is retried");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    displays.noteDisplay(id, shown, now);
    away.state.isAway = false;
    await displays[Symbol.asyncDispose]();
    const { rows } = await sql`
      SELECT hour, shown, partly, quarters FROM display_counts WHERE project_id = ${id}`.execute(
      data,
    );
    const hour = new Date("2026-03-01T10:00:00Z");
    const none = [0, 0, 0, 0];
    const quarters = [none.with(1, 2), none, none.with(1, 1), none];
    assert.deepEqual(rows, [{ hour, shown: 2, partly: 1, quarters }]);
  });

  it("are limited per project, and the excess is logged", async () => {
    const { id } = await newSite();
    const displays = openDisplays({ buckets, log, intervals });
    const taken = Array.from({ length: 3_000 }, () => displays.noteDisplay(id, shown, now));
    const other = displays.noteDisplay(`${id}x`, shown, now);
    await displays[Symbol.asyncDispose]();
    const count = taken.filter(Boolean).length;
    assert.equal(count, 1_000);
    assert.equal(await sumShown(id), count);
    assert.ok(other, "another project is still counted");
    assert.equal(displays.readings[0]?.read(), 2_000);
  });
});

/** A database that rejects everything until it recovers. */
function openFailingDatabase() {
  const state = { isAway: true, asked: 0 };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      state.asked += 1;
      if (state.isAway) throw new Error("The database is away.");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { state, db: data.withPlugin(plugin) };
}
