import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { addDisplays } from "../../packages/server/modules/consents/displays/displays-store.ts";
import { recountAnswers } from "../../packages/server/modules/consents/stats/tally.ts";
import {
  findLogSize,
  listPlacedConsents,
} from "../../packages/server/modules/evidence/log/placed.ts";
import { service } from "../harness.ts";
import { newSite } from "./site.ts";
import { answer, askStats, readStats } from "./stats.ts";
import { newLiveSite } from "./tickets.ts";

const { data } = service;
const QUARTER_MS = 900_000;
const recount = (projectId: string, isCheck: boolean) =>
  recountAnswers(
    { data, config: { statisticsPages: true }, findLogSize, listPlacedConsents },
    { projectId, isCheck },
  );

/**
 * One display in every third quarter of an hour around a time, with unequal counts, in two configurations.
 */
function listDisplays(projectId: string, from: string, days: number) {
  const first = Date.parse(from);
  const length = Math.floor((days * 86_400_000) / QUARTER_MS / 3);
  return Array.from({ length }, (_, n) => ({
    projectId,
    slot: new Date(first + n * 3 * QUARTER_MS),
    identifier: n % 2 === 0 ? "one" : "two",
    step: "first",
    device: "mobile",
    shown: n + 1,
    accepted: n % 5,
    partly: n % 3,
    refused: n % 2,
  }));
}

const zones = [
  "UTC",
  "Europe/Paris",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

describe("numbers by day", () => {
  for (const [title, from, days] of [
    ["when clocks are put forward", "2026-03-26T00:00:00Z", ["2026-03-27", "2026-03-31"]],
    ["when clocks are put back", "2026-10-22T00:00:00Z", ["2026-10-23", "2026-10-27"]],
    [
      "in April, when the south puts them back",
      "2026-04-02T00:00:00Z",
      ["2026-04-03", "2026-04-07"],
    ],
  ] as const) {
    it(`are the sums of each day's quarters of an hour, in every time zone, ${title}`, async () => {
      const site = await newSite();
      const displays = listDisplays(site.id, from, 8);
      // In two halves: later displays are added to the same hour and day.
      await addDisplays(
        data,
        displays.filter((_, n) => n % 2 === 0),
      );
      await addDisplays(
        data,
        displays.filter((_, n) => n % 2 === 1),
      );
      for (const tz of zones) {
        const query = { from: days[0], to: days[1], tz, group: "step" };
        const { status, body } = await askStats(site, query);
        assert.equal(status, 200, JSON.stringify(body));
        const bounds = [...body.starts, body.to].map((start: string) => Date.parse(start));
        for (const name of ["shown", "accepted", "partly", "refused"] as const) {
          const expected = bounds
            .slice(0, -1)
            .map((begin, at) =>
              displays
                .filter(
                  ({ slot }) => slot.getTime() >= begin && slot.getTime() < (bounds[at + 1] ?? 0),
                )
                .reduce((sum, display) => sum + display[name], 0),
            );
          assert.deepEqual(body.series[0][name], expected, `${tz} ${name}`);
        }
        const one = { ...query, configuration: "two" };
        const { totals } = (await askStats(site, one)).body;
        const own = displays.filter(
          ({ slot, identifier }) =>
            identifier === "two" &&
            slot.getTime() >= (bounds[0] ?? 0) &&
            slot.getTime() < (bounds.at(-1) ?? 0),
        );
        assert.equal(
          totals.shown,
          own.reduce((sum, { shown }) => sum + shown, 0),
          tz,
        );
      }
    });
  }

  it("are updated by the same statement as those by hour, also for answers", async () => {
    const site = await newLiveSite();
    for (const accept of [true, "partly", false, true] as const) await answer(site, accept);
    const byDay = (await readStats(site)).totals;
    assert.deepEqual(byDay, { shown: 0, accepted: 2, partly: 1, refused: 1, ignored: 0 });
    assert.deepEqual((await readStats(site, { by: "hour" })).totals, byDay);
  });

  it("are checked and recreated with those by hour", async () => {
    const site = await newLiveSite();
    await answer(site, true);
    await readStats(site);
    const slot = new Date(Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS);
    const [display] = listDisplays(site.id, slot.toISOString(), 1);
    assert.ok(display);
    await addDisplays(data, [display]);
    assert.equal((await recount(site.id, true)).differences, 0);
    await sql`UPDATE answer_days SET refused = 5 WHERE project_id = ${site.id}`.execute(data);
    await sql`UPDATE display_days SET shown = 70 WHERE project_id = ${site.id}`.execute(data);
    // For each kind one surplus and one missing count.
    assert.equal((await recount(site.id, true)).differences, 4);
    assert.equal((await recount(site.id, false)).differences, 4);
    assert.equal((await recount(site.id, true)).differences, 0);
    const { totals } = (await askStats(site, { group: "device" })).body;
    assert.equal(totals.shown, 1);
    assert.equal((await askStats(site)).body.totals.refused, 0);
  });
});
