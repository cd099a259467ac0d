import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { openPage, skip, waitUntilTrue } from "./browser.ts";
import { namingAttributes } from "./layouts.ts";
import { newLiveSite, openShop, shopCookies, toPage } from "./site.ts";
import {
  type Visit,
  openVisit,
  press,
  readHistory,
  readMemory,
  readVendors,
  strictPolicy,
} from "./visits.ts";

const DAY_MS = 86_400_000;
const named = {
  ...shopCookies,
  name: "named",
  isDefault: false,
  settings: {
    jsonCookieName: "shop_choices",
    authorizedVendorsCookieName: "shop_yes",
    allVendorsCookieName: "shop_all",
    expiresAfterDays: 90,
  },
};
const many = Array.from({ length: 60 }, (_, index) => ({
  name: `${"a-vendor-with-a-very-long-name-".repeat(3)}${index}`,
  title: `Vendor ${index}`,
}));
const large = {
  ...shopCookies,
  name: "large",
  isDefault: false,
  steps: [{ name: "all", layout: "category", title: "Cookies", vendors: many }],
};
const small = {
  ...large,
  name: "small",
  steps: [{ ...large.steps[0], vendors: many.slice(0, 2) }],
};
const site = await newLiveSite({ cookies: [shopCookies, named, large, small] });

/** Cookies by name: content, and days until they expire. */
async function readCookies({ page }: Visit): Promise<Map<string, { text: string; days: number }>> {
  const cookies = await page.context().cookies();
  return new Map(
    cookies.map(({ name, value, expires }) => [
      name,
      {
        text: decodeURIComponent(value),
        days: Math.round((expires * 1000 - Date.now()) / DAY_MS),
      },
    ]),
  );
}

describe("the stored answer", { skip }, () => {
  it("is in three cookies with Axeptio's names and format, for 180 days", async () => {
    await using visit = await openVisit(site);
    const { page, dialog } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("switch", { name: "Two" }).click();
    const { token } = await press(visit, "Save my choices");
    const cookies = await readCookies(visit);
    assert.deepEqual([...cookies.keys()].toSorted(), [
      "axeptio_all_vendors",
      "axeptio_authorized_vendors",
      "axeptio_cookies",
    ]);
    assert.deepEqual(
      [...cookies.values()].map(({ days }) => days),
      [180, 180, 180],
    );
    assert.equal(cookies.get("axeptio_all_vendors")?.text, ",one,two,");
    assert.equal(cookies.get("axeptio_authorized_vendors")?.text, ",two,");
    const { $$date, $$asked, ...memory } = JSON.parse(cookies.get("axeptio_cookies")?.text ?? "");
    assert.ok(Math.abs(Date.parse($$date) - Date.now()) < 60_000, $$date);
    assert.deepEqual(Object.keys($$asked), ["one", "two"]);
    assert.deepEqual(memory, {
      $$token: token,
      $$cookiesVersion: { name: "shop-en", identifier: site.cookies[0] },
      $$completed: true,
      one: false,
      two: true,
    });
    assert.deepEqual(await page.evaluate("Object.keys(localStorage)"), []);
  });

  it("takes its names and lifetime from the configuration, unless the page overrides them", async () => {
    await using visit = await openVisit(site, { attributes: namingAttributes(named) });
    await press(visit, "Accept all");
    const cookies = await readCookies(visit);
    assert.deepEqual([...cookies.keys()].toSorted(), ["shop_all", "shop_choices", "shop_yes"]);
    assert.equal(cookies.get("shop_choices")?.days, 90);
    const own = [
      'data-json-cookie-name="a"',
      'data-authorized-vendors-cookie-name="b"',
      'data-all-vendors-cookie-name="c"',
      'data-expires-after-days="30"',
    ];
    await using other = await openVisit(site, {
      attributes: [namingAttributes(named), ...own].join(" "),
    });
    await press(other, "Refuse all");
    const others = await readCookies(other);
    assert.deepEqual([...others.keys()].toSorted(), ["a", "b", "c"]);
    assert.deepEqual(
      [...others.values()].map(({ days }) => days),
      [30, 30, 30],
    );
    assert.equal(others.get("b")?.text, ",");
    await other.page.reload();
    await other.launcher.waitFor();
    assert.equal(await other.dialog.count(), 0, "the answer is read by that name too");
  });

  it("falls back to local storage when it is too large for a cookie, and replaces the smaller one", async () => {
    await using visit = await openVisit(site, {
      attributes: namingAttributes(small),
      pages: { "/large": toPage(site.projectId, { attributes: namingAttributes(large) }) },
    });
    const { page, dialog, launcher, shop } = visit;
    await press(visit, "Refuse all");
    await page.goto(`${shop.url}/large`);
    await press(visit, "Accept all");
    assert.equal((await readCookies(visit)).get("axeptio_cookies"), undefined, "no stale cookie");
    const vendors = await readVendors(page);
    assert.equal(Object.values(vendors).filter(Boolean).length, 58);
    await page.reload();
    await launcher.waitFor();
    assert.equal(await dialog.count(), 0, "the banner does not ask again");
    assert.deepEqual(await readVendors(page), vendors);
  });

  it("expires in local storage too", async () => {
    await using visit = await openVisit(site, { attributes: namingAttributes(large) });
    const { page, dialog } = visit;
    await press(visit, "Accept all");
    await page.evaluate(`{
      const memory = JSON.parse(decodeURIComponent(localStorage.axeptio_cookies));
      memory.$$date = new Date(Date.now() - 181 * ${DAY_MS}).toISOString();
      localStorage.axeptio_cookies = JSON.stringify(memory);
    }`);
    await page.reload();
    await dialog.waitFor();
    assert.ok(!Object.values(await readVendors(page)).some(Boolean));
  });

  it("is ignored when another script has overwritten the cookie: the banner asks", async () => {
    await using visit = await openVisit(site, {
      prepare: (page) =>
        page.addInitScript(
          `if (!document.cookie) document.cookie = "axeptio_cookies=%E0%A4%A;path=/"`,
        ),
    });
    await press(visit, "Refuse all");
    assert.equal((await readMemory(visit.page))?.["$$completed"], true);
    assert.deepEqual(visit.faults, []);
  });

  it("lasts for the page when cookies and storage are blocked, and the answer is posted", async () => {
    const frame = '<iframe sandbox="allow-scripts" src="/frame" width="900" height="700"></iframe>';
    await using visit = await openVisit(site, {
      path: "/outer",
      policy: `${strictPolicy}; frame-src 'self'`,
      pages: {
        "/frame": toPage(site.projectId),
        "/": `<!doctype html><title>Shop</title>${frame}`,
      },
    });
    const { page, shop, faults } = visit;
    await page.goto(`${shop.url}/`);
    const inner = page.frameLocator("iframe");
    const posted = page.waitForResponse(/\/v1\/app\/consents\//);
    await inner.getByRole("button", { name: "Accept all" }).click();
    const [consent] = await (await posted).json();
    assert.ok(consent.consentId, JSON.stringify(consent));
    assert.equal((await readHistory(site, consent.token)).length, 1);
    const [, child] = page.frames();
    assert.deepEqual(await child?.evaluate("({ ...avow.vendors })"), {
      one: true,
      two: true,
      shop: true,
    });
    for (const storage of ["document.cookie", "localStorage", 'indexedDB.open("a")'])
      await assert.rejects(async () => child?.evaluate(storage), /SecurityError/, storage);
    await inner.getByRole("button", { name: "Cookie settings" }).click();
    assert.equal(await inner.getByRole("switch", { name: "One" }).isChecked(), true);
    assert.deepEqual(faults, []);
    assert.deepEqual(await page.context().cookies(service.url), []);
  });

  it("asks another person whom the site knows, and keeps the answers of each", async () => {
    const { projectId } = await newLiveSite({ cookies: [shopCookies] });
    const [alice, bob] = [`alice-${projectId}`, `bob-${projectId}`];
    const toPageOf = (token: string) => toPage(projectId, { attributes: `data-token="${token}"` });
    await using shop = await openShop({ "/alice": toPageOf(alice), "/bob": toPageOf(bob) });
    await using opened = await openPage();
    const { page } = opened;
    const answer = async (path: string, button: string) => {
      await page.goto(shop.url + path);
      const saved = page.waitForResponse(/\/v1\/app\/consents\//);
      await page.getByRole("button", { name: button }).click();
      await saved;
    };
    await answer("/alice", "Accept all");
    await answer("/bob", "Refuse all");
    assert.equal(await page.evaluate("avow.isAccepted('one')"), false);
    await page.goto(`${shop.url}/alice`);
    await waitUntilTrue(page, "window.avow?.isAccepted('one') === true");
    assert.equal(await page.getByRole("dialog").count(), 0);
  });
});
