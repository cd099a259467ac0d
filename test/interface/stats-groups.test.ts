import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { recountAnswers } from "../../packages/server/modules/consents/stats/tally.ts";
import {
  findLogSize,
  listPlacedConsents,
} from "../../packages/server/modules/evidence/log/placed.ts";
import { service } from "../harness.ts";
import { vendors } from "./site.ts";
import { answer, askStats, readStats, totalsOf } from "./stats.ts";
import { newLiveSite } from "./tickets.ts";

const { data } = service;
const none = { shown: 0, accepted: 0, partly: 0, refused: 0, ignored: 0 };
const url = (path: string) => `https://shop.example${path}`;

describe("GET /v1/app/stats/{projectId}?group=page", () => {
  it("counts answers by page, without queries and identifying segments", async () => {
    const site = await newLiveSite();
    for (const path of ["/a?q=jane", "/a#b", "/a", "/a", "/a"])
      await answer(site, true, { url: url(path) });
    const private_ = ["/orders/17", "/orders/18", "/orders/jane@mail.example", "/orders/a123456b"];
    for (const path of [...private_, `/orders/${"x".repeat(61)}`])
      await answer(site, "partly", { url: url(path) });
    for (const path of ["/users/jane-doe/orders", "/users/john/orders"])
      await answer(site, false, { url: url(path) });
    for (const path of [
      "/~jane/orders",
      "/@jane/orders",
      "/~john/orders",
      "/@x/orders",
      "/~x/orders",
    ])
      await answer(site, false, { url: url(path) });
    for (const name of ["ann", "ben", "eva"])
      await answer(site, false, { url: url(`/users/${name}/orders`) });
    const stats = await readStats(site, { group: "page" });
    assert.deepEqual(totalsOf(stats), {
      "/*/orders": { ...none, refused: 5 },
      "/users/*/orders": { ...none, refused: 5 },
      "/a": { ...none, accepted: 5 },
      "/orders/*": { ...none, partly: 5 },
    });
    assert.equal(stats.undisplayed, 0);
    assert.equal(stats.timeZone, "UTC");
  });

  it("merges pages with fewer than five answers until no group is smaller", async () => {
    const site = await newLiveSite();
    for (let n = 0; n < 6; n += 1) await answer(site, true, { url: url("/large") });
    for (const path of ["/one", "/two", "/two"]) await answer(site, false, { url: url(path) });
    const few = await readStats(site, { group: "page" });
    assert.deepEqual(totalsOf(few), { null: { ...none, accepted: 6, refused: 3 } });
    for (const path of ["/three", "/four"]) await answer(site, false, { url: url(path) });
    const merged = await readStats(site, { group: "page" });
    assert.deepEqual(totalsOf(merged), {
      "/large": { ...none, accepted: 6 },
      null: { ...none, refused: 5 },
    });
  });

  it("limits the pages of a day, the same ones in a recount with other batches", async () => {
    const site = await newLiveSite();
    for (let n = 0; n < 205; n += 1)
      await answer(site, true, { url: url(`/p${String.fromCharCode(97 + (n % 26))}/x${n}`) });
    await answer(site, false, { url: url("/pa/x0") });
    await readStats(site);
    const { rows } = await sql<{ key: string; n: number }>`
      SELECT key, accepted + refused AS n FROM answer_groups
      WHERE project_id = ${site.id} AND dimension = 'page' ORDER BY key`.execute(data);
    assert.equal(rows.length, 201);
    assert.deepEqual(rows[0], { key: "", n: 5 });
    assert.equal(rows.find(({ key }) => key === "/pa/x0")?.n, 2);
    const placed = { data, config: { statisticsPages: true }, findLogSize, listPlacedConsents };
    const found = await recountAnswers(placed, { projectId: site.id, isCheck: true });
    assert.equal(found.differences, 0);
  });

  it("removes pages in a recount with STATISTICS_PAGES=off", async () => {
    const site = await newLiveSite();
    for (let n = 0; n < 5; n += 1) await answer(site, true, { url: url("/a") });
    await readStats(site);
    const placed = { data, config: { statisticsPages: false }, findLogSize, listPlacedConsents };
    await recountAnswers(placed, { projectId: site.id, isCheck: false });
    assert.deepEqual((await readStats(site, { group: "page" })).series, []);
    const byVendor = await readStats(site, { group: "vendor" });
    assert.deepEqual(totalsOf(byVendor)[vendors[0]?.name ?? ""], { ...none, accepted: 5 });
  });

  it("counts the countries of records", async () => {
    const site = await newLiveSite();
    for (let n = 0; n < 6; n += 1) await answer(site, n > 0);
    await readStats(site);
    await sql`UPDATE consents SET country = 'FR' WHERE project_id = ${site.id}`.execute(data);
    const placed = { data, config: { statisticsPages: true }, findLogSize, listPlacedConsents };
    await recountAnswers(placed, { projectId: site.id, isCheck: false });
    const stats = await readStats(site, { group: "region" });
    assert.deepEqual(totalsOf(stats), { FR: { ...none, accepted: 5, refused: 1 } });
  });

  it("rejects hours and a single configuration", async () => {
    const site = await newLiveSite();
    for (const query of [{ by: "hour" }, { configuration: site.cookies }])
      assert.equal((await askStats(site, { group: "page", ...query })).status, 400);
  });
});

describe("GET /v1/app/stats/{projectId}?group=vendor", () => {
  it("counts answers for each vendor", async () => {
    const site = await newLiveSite();
    for (const accept of [true, "partly", "partly", false] as const) await answer(site, accept);
    const stats = await readStats(site, { group: "vendor" });
    const [first, second] = vendors;
    assert.deepEqual(totalsOf(stats), {
      [first?.name ?? ""]: { ...none, accepted: 3, refused: 1 },
      [second?.name ?? ""]: { ...none, accepted: 1, refused: 3 },
    });
  });
});
