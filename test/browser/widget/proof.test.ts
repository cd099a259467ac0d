import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changeProject } from "../../interface/publishing.ts";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import {
  assertTimes,
  waitForWidgetEvent,
  openVisit,
  press,
  readHistory,
  readMemory,
} from "./visits.ts";

const site = await newLiveSite({ cookies: [shopCookies] });

describe("the record of an answer", { skip }, () => {
  it("has its display, both clocks, the version, the language, and the page without its query", async () => {
    const before = Date.now();
    await using visit = await openVisit(site, { path: "/cups" });
    const { page, shop } = visit;
    await page.goto(`${shop.url}/cups?email=ann%40shop.example#basket`);
    const { token } = await press(visit, "Accept all");
    const [record, ...more] = await readHistory(site, token);
    assert.deepEqual(more, []);
    assertTimes(record, before);
    assert.deepEqual(record, {
      ...record,
      grade: "ticketed",
      url: `${shop.url}/cups`,
      language: "en",
      version: 1,
      collection: "cookies",
      identifier: site.cookies[0],
    });
    assert.doesNotMatch(JSON.stringify(record), /ann|basket/);
  });

  it("is not ticketed when another version went live while the banner was open", async () => {
    const own = await newLiveSite({ cookies: [shopCookies] });
    await using visit = await openVisit(own, {
      prepare: (page) =>
        page.route(/\/v1\/app\/tickets\//, async (route) => {
          await changeProject(own.token, own.projectId);
          await own.publish();
          await route.continue();
        }),
    });
    const asked = visit.page.waitForResponse(/\/v1\/app\/tickets\//);
    await visit.dialog.waitFor();
    await asked;
    assert.equal((await press(visit, "Accept all")).grade, "browser");
  });

  it("keeps the token that the site sets by its tag, or later by the API", async () => {
    await using visit = await openVisit(site, { attributes: 'data-token="customer-7"' });
    assert.equal((await press(visit, "Accept all")).token, "customer-7");
    assert.equal((await readMemory(visit.page))?.["$$token"], "customer-7");
    await using later = await openVisit(site);
    const { page, dialog, launcher } = later;
    await dialog.waitFor();
    await page.evaluate("avow.token = 'customer-8'");
    assert.equal((await press(later, "Refuse all")).token, "customer-8");
    await page.reload();
    await launcher.click();
    assert.equal((await press(later, "Accept all")).token, "customer-8");
  });

  it("applies in the other tabs at once: none asks again, and a withdrawal reloads them", async () => {
    const body = `<main><h1>Shop</h1></main>
      <img data-avow-vendor="one" data-src="/counted.png" alt="">`;
    await using visit = await openVisit(site, { body });
    const { page, shop } = visit;
    const second = await page.context().newPage();
    second.setDefaultTimeout(30_000);
    await second.goto(`${shop.url}/`);
    const other = { ...visit, page: second, dialog: second.getByRole("dialog") };
    await other.dialog.waitFor();
    const heard = waitForWidgetEvent(second, "answered");
    const first = await press(visit, "Accept all");
    assert.equal((await heard)?.["token"], first.token);
    await other.dialog.waitFor({ state: "detached" });
    await second.locator('img[src="/counted.png"]').waitFor({ state: "attached" });
    await second.locator("avow-widget button.icon").click();
    const reloaded = page.waitForEvent("load");
    const last = await press(other, "Refuse all");
    assert.equal(last.token, first.token);
    assert.equal((await readHistory(site, first.token)).length, 2);
    await reloaded;
    await visit.launcher.click();
    assert.equal(await visit.dialog.getByRole("switch", { name: "One" }).isChecked(), false);
    assert.equal(await page.locator("img[data-src]").count(), 1, "the tag is blocked again");
  });

  it("is reported to the page when the service rejects it, and the answer still applies", async () => {
    await using visit = await openVisit(site, { attributes: `data-token="${"x".repeat(9_000)}"` });
    const { page, dialog } = visit;
    const error = waitForWidgetEvent(page, "error");
    await dialog.getByRole("button", { name: "Accept all" }).click();
    assert.ok((await error)?.["error"] instanceof Error);
    assert.equal(await page.evaluate("avow.isAccepted('one')"), true);
  });
});
