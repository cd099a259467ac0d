import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { openExplained } from "./explained.ts";
import { sumSites } from "../../packages/server/modules/consents/stats/sites-store.ts";
import { sumGroups } from "../../packages/server/modules/consents/stats/stats-store.ts";
import type { Site } from "./site.ts";
import { movePublication } from "./stats.ts";
import { newLiveSite } from "./tickets.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { data } = service;
const none = { shown: 0, accepted: 0, partly: 0, refused: 0, ignored: 0 };

function askAround(site: Site, version: number, query: Record<string, string> = {}) {
  const path = { projectId: site.id, version: String(version) };
  return service.fetch(hrefOf("", paths.publicationStats, path, query), { token: site.token });
}

/** Writes the counts of an hour, as answers to counted displays. */
async function count(
  site: Site,
  hour: Date,
  { shown, accepted, refused }: { shown: number; accepted: number; refused: number },
): Promise<void> {
  await sql`INSERT INTO answer_counts VALUES (${site.id}, ${hour}, ${site.cookies}, ${accepted}, 0, ${refused},
    ARRAY[ARRAY[${accepted}::integer,0,0,0], ARRAY[0,0,0,0], ARRAY[${refused}::integer,0,0,0]])`.execute(
    data,
  );
  await sql`INSERT INTO display_counts VALUES (${site.id}, ${hour}, ${site.cookies}, '', 'mobile', ${shown},
    ${accepted}, 0, ${refused}, ARRAY[ARRAY[${shown}::integer,0,0,0], ARRAY[${accepted}::integer,0,0,0],
    ARRAY[0,0,0,0], ARRAY[${refused}::integer,0,0,0]])`.execute(data);
}

/** Writes the counts of a UTC day, some days ago. */
async function countDay(
  site: Site,
  daysAgo: number,
  { shown, accepted, refused }: { shown: number; accepted: number; refused: number },
): Promise<void> {
  const today = Math.floor(service.clock.now().getTime() / DAY_MS);
  const day = new Date((today - daysAgo) * DAY_MS);
  await sql`INSERT INTO answer_days VALUES (${site.id}, ${day}, ${site.cookies}, ${accepted}, 0, ${refused})`.execute(
    data,
  );
  await sql`INSERT INTO display_days VALUES (${site.id}, ${day}, ${site.cookies}, '', 'mobile', ${shown}, ${accepted},
    0, ${refused})`.execute(data);
}

/** The start of an hour, some hours before the present one. */
function hoursAgo(hours: number): Date {
  const now = service.clock.now().getTime();
  return new Date((Math.floor(now / HOUR_MS) - hours) * HOUR_MS);
}

describe("GET /v1/app/stats/{projectId}/versions/{version}", () => {
  it("compares equal windows around the publication", async () => {
    const site = await newLiveSite();
    await movePublication(site, hoursAgo(48));
    await count(site, hoursAgo(50), { shown: 1_000, accepted: 300, refused: 200 });
    await count(site, hoursAgo(47), { shown: 1_000, accepted: 200, refused: 400 });
    // Outside of the windows.
    await count(site, hoursAgo(73), { shown: 7, accepted: 7, refused: 0 });
    await count(site, hoursAgo(23), { shown: 7, accepted: 7, refused: 0 });
    const { status, body } = await askAround(site, 1, { days: "1" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.before.totals, {
      ...none,
      shown: 1_000,
      accepted: 300,
      refused: 200,
      ignored: 500,
    });
    assert.deepEqual(body.after.totals, {
      ...none,
      shown: 1_000,
      accepted: 200,
      refused: 400,
      ignored: 400,
    });
    assert.equal(body.before.to, hoursAgo(48).toISOString());
    assert.equal(body.after.to, hoursAgo(24).toISOString());
    assert.ok(Math.abs(body.accepting.difference - (200 / 600 - 300 / 500)) < 1e-9);
    assert.ok(Math.abs(body.answering.difference - 0.1) < 1e-9);
    assert.ok(body.accepting.isEnough && body.accepting.p < 0.001);
  });

  it("shortens both windows to the time since the publication, and excludes its quarter of an hour", async () => {
    const site = await newLiveSite();
    await movePublication(site, new Date(hoursAgo(3).getTime() + 60_000));
    await count(site, hoursAgo(3), { shown: 9, accepted: 9, refused: 0 });
    await count(site, hoursAgo(2), { shown: 20, accepted: 5, refused: 5 });
    const { body } = await askAround(site, 1);
    assert.equal(body.before.to, hoursAgo(3).toISOString());
    assert.equal(Date.parse(body.after.from) - Date.parse(body.before.to), HOUR_MS / 4);
    const lengths = [body.before, body.after].map(
      ({ from, to }) => Date.parse(to) - Date.parse(from),
    );
    assert.equal(lengths[0], lengths[1]);
    assert.ok((lengths[0] ?? 0) < 4 * HOUR_MS);
    assert.deepEqual(body.after.totals, {
      ...none,
      shown: 20,
      accepted: 5,
      refused: 5,
      ignored: 10,
    });
    assert.equal(body.accepting, null);
  });

  it("reports too few answers, and no version that was never published", async () => {
    const site = await newLiveSite();
    await movePublication(site, hoursAgo(4));
    await count(site, hoursAgo(5), { shown: 20, accepted: 9, refused: 11 });
    await count(site, hoursAgo(3), { shown: 20, accepted: 9, refused: 11 });
    assert.equal((await askAround(site, 1)).body.accepting.isEnough, false);
    assert.equal((await askAround(site, 9)).status, 404);
    const other = await newLiveSite();
    assert.equal((await askAround({ ...other, token: site.token }, 1)).status, 404);
  });

  it("returns CSV", async () => {
    const site = await newLiveSite();
    const { body, headers } = await askAround(site, 1, { format: "csv" });
    assert.match(headers.get("content-type") ?? "", /^text\/csv/);
    assert.match(String(body), /^window;from;to;shown;accepted;partly;refused;ignored\r\nbefore;/);
  });
});

describe("GET /v1/app/stats", () => {
  const ask = (token: string, query: Record<string, string> = {}) =>
    service.fetch(hrefOf("", paths.siteStats, {}, query), { token });

  it("compares the caller's sites with the period before", async () => {
    const site = await newLiveSite();
    await countDay(site, 2, { shown: 40, accepted: 10, refused: 20 });
    await countDay(site, 9, { shown: 30, accepted: 5, refused: 5 });
    const { status, body } = await ask(site.token, { days: "7" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.isPartial, false);
    const own = body.sites.find(({ projectId }: { projectId: string }) => projectId === site.id);
    assert.deepEqual(own.totals, { ...none, shown: 40, accepted: 10, refused: 20, ignored: 10 });
    assert.deepEqual(own.before.totals, {
      ...none,
      shown: 30,
      accepted: 5,
      refused: 5,
      ignored: 20,
    });
    const other = await newLiveSite();
    const seen = (await ask(other.token)).body.sites;
    assert.ok(!seen.some(({ projectId }: { projectId: string }) => projectId === site.id));
  });

  it("returns the sites of one organization", async () => {
    const site = await newLiveSite();
    const { body } = await ask(site.token, { organization: "0".repeat(24) });
    assert.deepEqual(body.sites, []);
    assert.equal((await ask(site.token, { organization: "x" })).status, 400);
  });
});

describe("the queries of comparisons", () => {
  const { db, queries, explain } = openExplained();

  it("read the days of the compared projects by primary key", async () => {
    const ids = Array.from({ length: 300 }, (_, n) => `e${n.toString(16).padStart(23, "0")}`);
    const days = sql`FROM unnest(${sql.val(ids)}::text[]) AS p(id) CROSS JOIN generate_series(0, 99) AS s(n)
      CROSS JOIN LATERAL (SELECT timestamptz '1990-01-01 00:00Z' + n * interval '1 day' AS day) d`;
    await sql`INSERT INTO answer_days SELECT id, day, 'a', 1, 0, 0 ${days}`.execute(db);
    await sql`INSERT INTO display_days SELECT id, day, 'a', '', 'mobile', 1, 1, 0, 0 ${days}`.execute(
      db,
    );
    await sql`INSERT INTO answer_groups SELECT id, day, 'page', '/', 1, 0, 0 ${days}`.execute(db);
    const tables = ["answer_days", "display_days", "answer_groups"] as const;
    for (const table of tables) await sql`ANALYZE ${sql.table(table)}`.execute(db);
    queries.length = 0;
    const [from, middle, to] = [1, 2, 3].map((day) => new Date(Date.UTC(1990, 0, day))) as [
      Date,
      Date,
      Date,
    ];
    const projectIds = ids.slice(0, 5);
    await sumSites(db, { projectIds, from, middle, to });
    await sumGroups(db, { projectId: ids[0] ?? "", bounds: [from, middle, to], group: "page" });
    for (const query of queries.slice()) {
      const plan = JSON.stringify(await explain(query));
      assert.doesNotMatch(plan, /Seq Scan/, plan);
      assert.match(plan, /_pkey/, plan);
    }
    for (const table of tables) await db.deleteFrom(table).where("project_id", "in", ids).execute();
  });
});
