import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findViolations } from "../widget/axe.ts";
import { openPage, skip, waitUntilTrue } from "../widget/browser.ts";
import { layouts } from "../widget/layouts.ts";
import { newLiveSite, shopCookies } from "../widget/site.ts";
import { newTcfSite } from "../widget/tcf.ts";
import { openReactShop } from "./react-shop.ts";
import { openReactVisit } from "./react-visits.ts";

const cookies = { ...shopCookies, settings: { placeholders: true } };
const newShopSite = () => newLiveSite({ cookies: [cookies] });

describe("a page rendered by a server", { skip }, () => {
  for (const major of [19, 18] as const)
    it(`has the banner before scripts run, and hydrates without a mismatch in React ${major}`, async () => {
      const { projectId: project } = await newShopSite();
      await using visit = await openReactVisit({ project, major });
      const { page, faults, shop, dialog, launcher, hydrate } = visit;
      const html = await (await fetch(shop.url)).text();
      assert.match(html, /<dialog[^>]* open/);
      assert.match(html, /Accept all/);
      assert.match(html, /Popular pots/);
      assert.match(html, /Without a vendor/);
      assert.doesNotMatch(html, /Ungated/);
      await dialog.getByRole("button", { name: "Refuse all" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.deepEqual(shop.fires, { tag: 0, frame: 0 });
      await launcher.click();
      await dialog.getByRole("switch", { name: "One" }).click();
      const sent = page.waitForResponse(/\/v1\/app\/consents\//);
      await dialog.getByRole("button", { name: "Save" }).click();
      const [record] = await (await sent).json();
      assert.equal(record.grade, "ticketed");
      await page.getByText("Pots for you").waitFor();
      await waitUntilTrue(page, `document.querySelector('script[src="/tag.js"]')`);
      assert.equal(shop.fires.tag, 1);
      const rendered = await (await page.reload())?.text();
      assert.match(rendered ?? "", /Pots for you/);
      await hydrate();
      await waitUntilTrue(page, `document.querySelector('script[src="/tag.js"]')`);
      assert.deepEqual(shop.fires, { tag: 2, frame: 0 });
      assert.deepEqual(faults, []);
    });

  it("counts one display, although strict mode runs effects twice", async () => {
    const { projectId: project } = await newShopSite();
    await using visit = await openReactVisit({ project });
    await visit.dialog.getByRole("button", { name: "Accept all" }).click();
    await visit.page.getByText("Pots for you").waitFor();
    const asked = visit.requests.filter((one) => one.includes("/tickets/"));
    assert.equal(asked.length, 1, asked.join("\n"));
    assert.equal(visit.shop.fires.tag, 1);
  });
});

describe("a page rendered by the browser alone", { skip }, () => {
  it("asks when the project has loaded", async () => {
    const { projectId: project } = await newShopSite();
    await using visit = await openReactVisit({ project, isClientOnly: true });
    const { page, dialog, faults } = visit;
    await dialog.getByRole("button", { name: "Accept all" }).click();
    await page.getByText("Pots for you").waitFor();
    await page.frameLocator("iframe").locator("html").waitFor();
    assert.deepEqual(faults, []);
  });
});

describe("the banner", { skip }, () => {
  it("gives accept and refuse the same look, and preselects nothing", async () => {
    const { projectId: project } = await newShopSite();
    await using visit = await openReactVisit({ project });
    const { page, dialog } = visit;
    const looks = await page.evaluate<string[]>(`["Refuse all", "Accept all"].map((text) => {
      const button = [...document.querySelectorAll("dialog button")].find((one) => one.textContent === text);
      const { width, height } = button.getBoundingClientRect();
      const { color, backgroundColor, font, border } = getComputedStyle(button);
      return JSON.stringify([button.className, width, height, color, backgroundColor, font, border]);
    })`);
    assert.equal(looks[0], looks[1]);
    assert.match(looks[0] ?? "", /shop-button/);
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    const switches = dialog.getByRole("switch");
    assert.equal(await switches.count(), 3);
    for (const one of await switches.all()) assert.equal(await one.isChecked(), false);
  });

  it("keeps the focus of the page, moves it to the preference center, and returns it", async () => {
    const { projectId: project } = await newShopSite();
    await using visit = await openReactVisit({ project });
    const { page, dialog, launcher } = visit;
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.ariaLabel ?? document.activeElement.textContent",
      );
    assert.equal(await page.evaluate("document.activeElement === document.body"), true);
    await dialog.getByRole("button", { name: "Let me choose" }).press("Enter");
    await dialog.getByRole("button", { name: "Save" }).waitFor();
    assert.equal(await focused(), "Cookie settings");
    assert.equal(await dialog.evaluate((one) => one.matches(":modal")), true);
    await page.keyboard.press("Escape");
    await launcher.waitFor();
    assert.equal(await focused(), "Cookie settings");
    await page.getByRole("button", { name: "Privacy" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Save" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await focused(), "Privacy");
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`has no violation of accessibility rules in any layout, ${colorScheme}`, async () => {
      for (const layout of layouts) {
        const { projectId: project } = await newLiveSite({ cookies: [layout] });
        const look = { colorScheme, viewport: { width: 360, height: 720 } };
        await using visit = await openReactVisit({ project }, look);
        const { page, dialog, faults } = visit;
        assert.deepEqual(await findViolations(page), [], layout.name);
        await page.getByRole("button", { name: "Privacy" }).dispatchEvent("click");
        await dialog.getByRole("button", { name: "Save" }).waitFor();
        assert.deepEqual(await findViolations(page), [], layout.name);
        assert.deepEqual(faults, []);
      }
    });

  it("follows the project's language, direction and design", async () => {
    const arabic = { ...cookies, language: "ar" };
    const project = { colors: { main: "#7a1f5c" }, widgetStyle: { position: "top-right" } };
    const site = await newLiveSite({ cookies: [arabic], project });
    await using visit = await openReactVisit({ project: site.projectId });
    const { dialog } = visit;
    assert.equal(await dialog.getAttribute("dir"), "rtl");
    assert.equal(await dialog.getAttribute("lang"), "ar");
    const color = await visit.page.evaluate(
      "getComputedStyle(document.querySelector('dialog button')).backgroundColor",
    );
    assert.equal(color, "rgb(122, 31, 92)");
    assert.match((await dialog.getAttribute("class")) ?? "", /avow-top avow-right/);
    assert.deepEqual(visit.faults, []);
  });

  it("moves nothing for visitors who prefer reduced motion", async () => {
    const { projectId: project } = await newShopSite();
    await using visit = await openReactVisit({ project }, { reducedMotion: "reduce" });
    await visit.launcher.or(visit.dialog.getByRole("button", { name: "Let me choose" })).click();
    await visit.dialog.getByRole("button", { name: "Save" }).waitFor();
    const name = await visit.page.evaluate(
      "getComputedStyle(document.querySelector('dialog')).animationName",
    );
    assert.equal(name, "none");
  });
});

describe("an interface of the app's own", { skip }, () => {
  it("asks on the state alone", async () => {
    const { projectId: project } = await newShopSite();
    await using visit = await openReactVisit({ project, isOwn: true });
    const { page, dialog, faults } = visit;
    const own = page.getByRole("complementary", { name: "Own banner" });
    assert.equal(await own.getByText("one, two").count(), 1);
    const sent = page.waitForResponse(/\/v1\/app\/consents\//);
    await own.getByRole("button", { name: "Accept all" }).click();
    const [record] = await (await sent).json();
    assert.equal(record.grade, "ticketed");
    await page.getByText("Pots for you").waitFor();
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(faults, []);
  });
});

describe("a known visitor", { skip }, () => {
  it("is not asked on another device, and never sees a banner there", async () => {
    const { projectId: project } = await newShopSite();
    const token = "customer-9";
    await using first = await openReactVisit({ project, token });
    await first.dialog.getByRole("button", { name: "Accept all" }).click();
    await first.page.getByText("Pots for you").waitFor();
    await using shop = await openReactShop({ project, token });
    assert.doesNotMatch(await (await fetch(shop.url)).text(), /<dialog/);
    await using other = await openPage();
    await other.page.goto(shop.url);
    await other.page.getByText("Pots for you").waitFor();
    assert.equal(await other.page.getByRole("dialog").count(), 0);
    assert.deepEqual(other.faults, []);
  });
});

describe("a visitor who signs out", { skip }, () => {
  it("is no longer known by the token", async () => {
    const { projectId: project } = await newShopSite();
    await using visit = await openReactVisit({ project, token: "customer-10" });
    const { page, dialog } = visit;
    await dialog.getByRole("button", { name: "Accept all" }).click();
    await page.getByText("Signed in").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Signed in").waitFor({ state: "detached" });
  });
});

describe("the layout of IAB's TCF", { skip }, () => {
  it("is the widget's banner, whose answers the state follows", async () => {
    const { projectId: project } = await newTcfSite([2, 5]);
    await using visit = await openReactVisit({ project });
    const { page, dialog, requests } = visit;
    const sent = page.waitForResponse(/\/v1\/app\/consents\//);
    await dialog.getByRole("button", { name: "Accept all" }).click();
    const [record] = await (await sent).json();
    assert.equal(record.grade, "ticketed");
    await waitUntilTrue(page, `document.querySelector("[data-tc]")?.dataset.tc`);
    assert.equal(requests.filter((one) => one.includes("/tickets/")).length, 1);
    await page.getByRole("button", { name: "Privacy" }).click();
    await dialog.getByRole("button", { name: "Save" }).waitFor();
  });
});
