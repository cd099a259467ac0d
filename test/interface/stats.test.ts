import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { create, newSite, publish, share, toCookies } from "./site.ts";
import { answer, askStats, readStats, show, step, totalsOf } from "./stats.ts";
import { newLiveSite } from "./tickets.ts";

const none = { shown: 0, accepted: 0, partly: 0, refused: 0, ignored: 0 };
const tablet = { "user-agent": "Mozilla/5.0 (iPad; CPU OS 15_0 like Mac OS X) Safari/604.1" };
const laptop = {
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"macOS"',
  "user-agent": "Chrome/140",
};

describe("GET /v1/app/stats/{projectId}", () => {
  it("counts displays, acceptances, partial ones, refusals and ignored displays, by day", async () => {
    const site = await newLiveSite();
    const shown = { identifier: site.cookies, step };
    const [first, second, third] = [
      await show(site, shown),
      await show(site, shown),
      await show(site, shown),
    ];
    await show(site, shown);
    await answer(site, true, { ticket: first });
    await answer(site, "partly", { ticket: second });
    await answer(site, false, { ticket: third });
    const stats = await readStats(site);
    const counted = { shown: 4, accepted: 1, partly: 1, refused: 1, ignored: 1 };
    assert.deepEqual(stats.totals, counted);
    assert.equal(stats.starts.length, 30);
    assert.equal(stats.series.length, 1);
    const [series] = stats.series;
    assert.ok(series);
    assert.equal(series.key, null);
    assert.deepEqual(series.totals, counted);
    for (const name of ["shown", "accepted", "partly", "refused", "ignored"] as const) {
      assert.equal(series[name].length, 30);
      assert.equal(
        series[name].reduce((sum, n) => sum + n, 0),
        counted[name],
      );
    }
  });

  it("counts answers without a ticket as the records have them, and none twice", async () => {
    const site = await newLiveSite();
    await show(site, { identifier: site.cookies, step });
    await answer(site, true, { token: "same" });
    await answer(site, false, { token: "same" });
    const stats = await readStats(site);
    assert.deepEqual(stats.totals, { shown: 1, accepted: 1, partly: 0, refused: 1, ignored: 1 });
    assert.equal(stats.undisplayed, 2);
    assert.equal(stats.series[0]?.undisplayed, 2);
    const ticket = await show(site, { identifier: site.cookies, step });
    await answer(site, true, { ticket });
    const after = await readStats(site, { group: "configuration" });
    assert.deepEqual(after.totals, { shown: 2, accepted: 2, partly: 0, refused: 1, ignored: 1 });
    assert.equal(after.undisplayed, 2);
    const byDevice = await readStats(site, { group: "device" });
    assert.deepEqual([byDevice.totals.accepted, byDevice.undisplayed], [1, 0]);
  });

  it("distinguishes devices by hints and user agents, and excludes robots", async () => {
    const site = await newLiveSite();
    const shown = { identifier: site.cookies, step };
    await show(site, shown);
    await show(site, shown, { "user-agent": "Mozilla/5.0 (Linux; Android 16) Chrome/140" });
    await show(site, shown, tablet);
    await show(site, shown, laptop);
    await show(site, shown, { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
    const ticket = await show(site, shown, laptop);
    await answer(site, "partly", { ticket });
    const by = await readStats(site, { group: "device" });
    assert.deepEqual(totalsOf(by), {
      desktop: { ...none, shown: 2, partly: 1, ignored: 1 },
      tablet: { ...none, shown: 2, ignored: 2 },
      mobile: { ...none, shown: 1, ignored: 1 },
    });
  });

  it("distinguishes configurations, their languages and steps", async () => {
    const site = await newSite();
    const french = await create(
      site.token,
      "cookies",
      toCookies(site.id, { title: "Bandeau", language: "fr" }),
    );
    await publish(site);
    await show(site, { identifier: site.cookies, step });
    const ticket = await show(site, { identifier: french, step });
    await answer({ ...site, cookies: french }, true, { ticket });
    await show(site, { identifier: site.processing, step: "" });
    const own = { ...none, shown: 1, ignored: 1 };
    const accepted = { ...none, shown: 1, accepted: 1 };
    const by = await readStats(site, { group: "configuration" });
    assert.deepEqual(totalsOf(by), {
      [site.cookies]: own,
      [french]: accepted,
      [site.processing]: own,
    });
    const names = by.series.map(({ name }) => name);
    assert.deepEqual(new Set(names), new Set(["Bandeau", "Banner", "Newsletter"]));
    const languages = totalsOf(await readStats(site, { group: "language" }));
    assert.deepEqual(languages, { en: { ...none, shown: 2, ignored: 2 }, fr: accepted });
    const steps = totalsOf(await readStats(site, { group: "step" }));
    assert.deepEqual(steps, { [step]: { ...accepted, shown: 2, ignored: 1 }, "": own });
    const only = await readStats(site, { configuration: french });
    assert.deepEqual(only.totals, accepted);
  });

  it("counts no display of a configuration that the live version does not show or ask for", async () => {
    const site = await newLiveSite();
    await show(site, {});
    await show(site, { identifier: site.cookies, step: "another" });
    await show(site, { identifier: site.cookies });
    await show(site, { identifier: "0123456789abcdef01234567", step });
    await show(site, { identifier: site.processing, step });
    assert.deepEqual((await readStats(site)).totals, none);
  });

  it("counts one answer per display: no replay, no ticket twice", async () => {
    const site = await newLiveSite();
    const ticket = await show(site, { identifier: site.cookies, step });
    await answer(site, true, { ticket });
    await answer(site, true, { ticket });
    const { totals } = await readStats(site, { group: "device" });
    assert.deepEqual(totals, { ...none, shown: 1, accepted: 1 });
  });

  it("has the days of a time zone, also of one that is 45 minutes off the hour", async () => {
    const site = await newLiveSite();
    const query = { from: "2026-03-28", to: "2026-03-30" };
    const { body } = await askStats(site, { ...query, tz: "Europe/Paris" });
    assert.deepEqual(body.starts, [
      "2026-03-27T23:00:00.000Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
    assert.equal(body.to, "2026-03-30T22:00:00.000Z");
    const nepal = await askStats(site, { ...query, tz: "Asia/Kathmandu" });
    assert.equal(nepal.body.starts[0], "2026-03-27T18:15:00.000Z");
    const hours = { from: "2026-10-25", to: "2026-10-25", by: "hour", tz: "Europe/Paris" };
    assert.equal((await askStats(site, hours)).body.starts.length, 25);
  });

  it("counts an answer of the next hour at the display's hour", async () => {
    const site = await newLiveSite();
    const ticket = await show(site, { identifier: site.cookies, step });
    await answer(site, true, { ticket });
    const stats = await readStats(site, { by: "hour", group: "step" });
    const [series] = stats.series;
    assert.ok(series);
    const at = series.shown.indexOf(1);
    assert.equal(series.accepted[at], 1);
    assert.ok(at >= 46 && stats.starts.length === 48, String(at));
  });

  it("is a CSV by Accept or format=csv, without formulas", async () => {
    const site = await newSite();
    const title = '=HYPERLINK("https://evil.example")';
    const own = toCookies(site.id, { title });
    const identifier = await create(site.token, "cookies", own);
    await publish(site);
    await show(site, { identifier, step });
    const days = { from: "2026-11-01", to: "2026-11-02" };
    await readStats(site);
    const { headers } = await askStats(site, days, { accept: "text/csv" });
    assert.match(headers.get("content-type") ?? "", /^text\/csv/);
    const { body } = await askStats(site, { ...days, format: "csv" });
    assert.equal(
      body,
      "day;shown;accepted;partly;refused;ignored\r\n2026-11-01;0;0;0;0;0\r\n2026-11-02;0;0;0;0;0\r\n",
    );
    const grouped = await askStats(site, { group: "configuration", format: "csv" });
    assert.match(grouped.headers.get("content-disposition") ?? "", /attachment; filename="stat/);
    const lines = grouped.body.trimEnd().split("\r\n");
    assert.equal(lines[0], "day;configuration;name;shown;accepted;partly;refused;ignored");
    assert.match(lines.at(-1), new RegExp(`;${identifier};"'=HYPERLINK`));
  });

  it("is for readers of a project's consents, auditors too, and keys of stats:read", async () => {
    const site = await newLiveSite();
    for (const role of ["editor", "viewer", "auditor"]) {
      const token = await share(site, role);
      assert.equal((await askStats({ id: site.id, token })).status, 200, role);
    }
    const stranger = await service.newUser();
    assert.equal((await askStats({ id: site.id, token: stranger.token })).status, 404);
    assert.equal((await service.fetch(`/v1/app/stats/${site.id}`)).status, 403);
    for (const [scope, status] of [
      ["stats:read", 200],
      ["consents:read", 403],
    ] as const) {
      const json = { label: "dashboard", scopes: [scope], projectId: site.id };
      const key = await service.fetch("/v1/auth/tokens", { token: site.token, json });
      assert.equal((await askStats({ id: site.id, token: key.body.token })).status, status, scope);
    }
  });

  it("returns 400 for an invalid day, zone or group, for an end before the start, and for more than a year", async () => {
    const site = await newSite();
    for (const [query, path] of [
      [{ from: "yesterday" }, "?from"],
      [{ from: "2026-02-30" }, "?from"],
      [{ to: "2026-01-01T25:00Z" }, "?to"],
      [{ from: "2026-02-02", to: "2026-02-01" }, "?to"],
      [{ from: "2024-01-01", to: "2025-12-31" }, "?from"],
      [{ from: "2026-01-01", to: "2026-03-01", by: "hour" }, "?from"],
      [{ from: "-271820-01-01", to: "2026-03-01" }, "?from"],
      [{ tz: "Mars/Olympus" }, "?tz"],
      [{ tz: "+02:00" }, "?tz"],
      [{ tz: "PST" }, "?tz"],
      [{ group: "colour" }, "?group"],
      [{ by: "minute" }, "?by"],
    ] as const) {
      const { status, body } = await askStats(site, query);
      assert.equal(status, 400, JSON.stringify(query));
      assert.equal(body.errors[0].path, path, JSON.stringify(body));
    }
    const year = { from: "2025-01-01", to: "2026-01-01", tz: "Pacific/Apia" };
    assert.equal((await askStats(site, year)).body.starts.length, 366);
  });
});
