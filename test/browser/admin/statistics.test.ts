import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newSite, publish } from "../../interface/site.ts";
import { answer, movePublication, readStats, show, step } from "../../interface/stats.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAs, openShared } from "./visits.ts";

/** A project with four displays and three answers. */
async function newDisplayedSite() {
  const site = await newSite();
  await publish(site);
  const ticket = () => show(site, { identifier: site.cookies, step, language: "en" });
  await answer(site, true, { ticket: await ticket() });
  await answer(site, "partly", { ticket: await ticket() });
  await answer(site, false, { ticket: await ticket() });
  await ticket();
  await readStats(site);
  const me = await service.fetch("/v1/auth/me", { token: site.token });
  return { ...site, email: String(me.body.email) };
}

describe("statistics", { skip }, async () => {
  const site = await newDisplayedSite();
  const at = `/projects/${site.id}/statistics`;

  it("show displays and answers, over time and by group, each with a table and a file", async () => {
    await using visit = await openAs(site, at, { acceptDownloads: true });
    const { page } = visit;
    const tile = (name: string) => page.locator(`.tile.${name} dd`);
    await tile("shown").waitFor();
    const tiles = Object.fromEntries(
      await Promise.all(
        ["shown", "accepted", "partly", "refused", "ignored"].map(async (name) => [
          name,
          await tile(name).innerText(),
        ]),
      ),
    );
    const { totals } = await readStats(site);
    assert.deepEqual(
      tiles,
      Object.fromEntries(Object.entries(totals).map(([name, count]) => [name, String(count)])),
    );
    assert.deepEqual([tiles["shown"], tiles["accepted"]], ["4", "1"]);
    // Drawn, not only present: some of its pixels have a colour.
    const isDrawn = await page.evaluate(`{
      const canvas = document.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      data.some((value) => value > 0);
    }`);
    assert.equal(isDrawn, true);
    await page.getByText("Show as a table").click();
    assert.equal(await page.locator("details tbody tr").count(), 30);
    assert.match(await page.locator("details tbody tr").first().innerText(), /33\.3\s*%$/);
    await page.getByRole("tab", { name: "Acceptance rate" }).click();
    const legend = page.locator(".chart .legend");
    assert.match(await legend.innerText(), /Accepted, % of answers\s+33\.3\s*%/);
    await page.getByRole("tab", { name: "By device" }).click();
    await page.getByRole("row", { name: /^Phone/ }).waitFor();
    await page.getByRole("tab", { name: "By step" }).click();
    await page.getByRole("row", { name: new RegExp(`^${step}`) }).waitFor();
    await page.getByRole("tab", { name: "By language" }).click();
    await page.getByRole("row", { name: /^English/ }).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV: By language" }).click();
    const csv = await readDownload(downloading);
    assert.match(csv, /^day;language;shown;accepted;partly;refused;ignored/);
    await page.getByLabel("Period", { exact: true }).selectOption("2 days, by the hour");
    await page.getByRole("rowheader", { name: /:00/, includeHidden: true }).first().waitFor({
      state: "attached",
    });
    assert.match(page.url(), /span=2/);
    await page.getByLabel("Time zone", { exact: true }).selectOption("Pacific/Auckland");
    await page.getByText("Days are those of the time zone Pacific/Auckland.").waitFor();
    await page.getByLabel("Period", { exact: true }).selectOption("Choose dates …");
    await page.getByLabel("From", { exact: true }).fill("2026-01-30");
    await page.getByLabel("To", { exact: true }).fill("2026-02-02");
    await page.waitForURL(/tz=Pacific%2FAuckland/);
    await page.getByText("Nothing in this period").waitFor();
    await page.reload();
    assert.equal(await page.getByLabel("From", { exact: true }).inputValue(), "2026-01-30");
    assert.equal(await page.getByLabel("To", { exact: true }).inputValue(), "2026-02-02");
    assert.deepEqual(listFaults(visit), []);
  });

  it("answer each question on its own tab, without accessibility violations", async () => {
    await using visit = await openAs(site, at);
    const { page } = visit;
    await page.getByRole("tab", { name: "Did the last publication change anything?" }).click();
    await page.getByText("There is nothing to compare yet.").waitFor();
    await movePublication(site, new Date(service.clock.now().getTime() - 86_400_000));
    for (const [question, row] of [
      ["Where do they drop out?", "Accepted everything"],
      ["Did the last publication change anything?", "Acceptance: too few to compare"],
      ["How do sites compare?", "Whole days (UTC)"],
    ] as const) {
      await page.getByRole("tab", { name: question }).click();
      await page.getByText(row).first().waitFor();
      assert.deepEqual(await findViolations(page), []);
    }
    assert.match(page.url(), /view=sites/);
    await page.getByRole("tab", { name: "How do sites compare?" }).press("ArrowRight");
    await page.getByText("of the answers to displays accept everything.").waitFor();
    await page.getByText("Today, not over yet").waitFor();
    await page.getByRole("tab", { name: "By country" }).click();
    await page
      .getByText("Nothing is counted by this group")
      .or(page.getByText(/^Answers by country/))
      .waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("offer whole days up to now for sites, and dates and a time zone for a project", async () => {
    await using visit = await openAs(site, `${at}?span=dates&from=2026-01-30&to=2026-02-02`, {
      timezoneId: "America/New_York",
    });
    const { page } = visit;
    const period = page.getByLabel("Period", { exact: true });
    await page.getByLabel("From", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "How do sites compare?" }).click();
    await page.getByText("Whole days (UTC)").waitFor();
    assert.equal(await page.getByLabel("From", { exact: true }).count(), 0);
    assert.equal(await page.getByLabel("Time zone", { exact: true }).count(), 0);
    assert.deepEqual(await period.locator("option").allTextContents(), [
      "7 days",
      "30 days",
      "90 days",
    ]);
    const compared = page.waitForRequest((request) => request.url().includes("days=7"));
    await period.selectOption("7 days");
    await compared;
    assert.equal(new URL(page.url()).search, "?span=7&view=sites");
    const yesterday = new Date(Date.now() - 86_400_000);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
    await page.getByText(`to ${day.format(yesterday)},`).waitFor();
    await page.getByRole("tab", { name: "How many agree?" }).click();
    await page.getByLabel("Time zone", { exact: true }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("have the default period instead of one that does not exist", async () => {
    await using visit = await openAs(site, `${at}?span=toString`);
    const { page } = visit;
    await page.locator(".tile.shown dd").waitFor();
    assert.equal(await page.getByLabel("Period", { exact: true }).inputValue(), "30");
    await visit.open(`${at}?span=dates&from=2026-02-31&to=2026-03-10`);
    const from = page.getByLabel("From", { exact: true });
    await from.waitFor();
    assert.equal(await from.inputValue(), "2026-02-09");
    assert.deepEqual(listFaults(visit), []);
  });

  for (const role of ["viewer", "auditor"] as const)
    it(`are visible to a role that may read consents: ${role}`, async () => {
      await using visit = await openShared(site, role, at);
      await visit.page.locator(".tile.shown dd").waitFor();
      assert.deepEqual(listFaults(visit), []);
    });

  it("count answers without a display, and have dashes for groups without displays", async () => {
    const quiet = await newSite();
    await publish(quiet);
    for (const accept of [true, true, false]) await answer(quiet, accept);
    await readStats(quiet);
    const me = await service.fetch("/v1/auth/me", { token: quiet.token });
    const owner = { ...quiet, email: String(me.body.email) };
    await using visit = await openAs(owner, `/projects/${quiet.id}/statistics`);
    const { page } = visit;
    await page.getByText(/No displays were counted: all 3 answers came from programs/).waitFor();
    for (const name of ["shown", "ignored"])
      assert.equal(await page.locator(`.tile.${name} dd`).innerText(), "–");
    assert.equal(await page.locator(".tile.accepted dd").innerText(), "2");
    await page.getByRole("columnheader", { name: "Accepted, % of answers" }).waitFor();
    await page.getByRole("cell", { name: "66.7%" }).waitFor();
    await visit.open("/projects");
    await page.getByText("last day 67%").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("compare the two banners of an A/B test, with a note on its significance", async () => {
    const tested = await newDisplayedSite();
    const { body } = await service.fetch(`/v1/vault/cookies/${tested.cookies}`, {
      token: tested.token,
    });
    const { status } = await service.fetch("/v1/vault/cookies", {
      token: tested.token,
      json: {
        projectId: tested.id,
        name: "warm",
        title: "Warm",
        language: "en",
        settings: { variantOf: body.name },
      },
    });
    assert.equal(status, 201);
    await using visit = await openAs(tested, `/projects/${tested.id}/statistics`);
    const { page } = visit;
    await page.getByRole("heading", { name: "A/B test" }).waitFor();
    const table = page.getByRole("region", { name: "A/B test" });
    assert.deepEqual(await table.getByRole("row").nth(1).getByRole("cell").allTextContents(), [
      "4",
      "2",
      "50%",
    ]);
    await table.getByRole("row", { name: /^Warm 0 0 –/ }).waitFor();
    await page.getByText(/^Too few displays and answers to compare/).waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("report that nothing was displayed yet, and are hidden from other users", async () => {
    const owner = await service.newOwner();
    await using visit = await openAs(owner, `/projects/${owner.project.id}/statistics`);
    await visit.page.getByRole("heading", { name: "No data yet" }).waitFor();
    await visit.open(at);
    await visit.page.getByText(/Project not found/).waitFor();
  });

  for (const given of [{ colorScheme: "light" }, { colorScheme: "dark" }] as const)
    it(`have no axe-core violations, ${given.colorScheme}`, async () => {
      await using visit = await openAs(site, at, { ...given, reducedMotion: "reduce" });
      const { page } = visit;
      await page.locator(".shares").first().waitFor();
      await page.getByText("Show as a table").click();
      assert.deepEqual(await findViolations(page), []);
    });
});
