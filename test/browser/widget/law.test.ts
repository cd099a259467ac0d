// What the law asks of what visitors see: each rule by what a browser shows.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { skip, waitUntilSo } from "./browser.ts";
import { layouts, naming, others } from "./layouts.ts";
import { inBanner, lookAt } from "./looks.ts";
import { newLiveSite } from "./site.ts";
import {
  type Visit,
  countPosts,
  openVisit,
  press,
  readHistory,
  readMemory,
  readVendors,
} from "./visits.ts";

const all = [...layouts, ...others];
const site = await newLiveSite({ cookies: all });
const modal = await newLiveSite({
  project: {
    overlayStyle: { background: "rgba(0,0,0,.5)" },
    colors: { main: "rgb(250, 220, 40)" },
  },
  cookies: layouts,
});
const phone = { width: 375, height: 720 };
const ACCEPT = ".acceptAll";
const REFUSE = ".refuseAll";
const none = { one: false, two: false };

/** Compares accept and refuse on every screen of the banner, until there is no next one. */
async function assertFairScreens({ page, dialog }: Visit, minimum: number): Promise<void> {
  const further = dialog.getByRole("button", { name: /^(Let me choose|Next)$/ });
  for (let screens = 1; ; screens += 1) {
    await dialog.getByRole("button", { name: "Accept all" }).waitFor();
    const a = await lookAt(page, ACCEPT);
    assert.deepEqual(a, await lookAt(page, REFUSE));
    assert.ok(a.contrast >= 4.5, `contrast ${a.contrast}`);
    assert.ok(a.height >= 44, `height ${a.height}`);
    assert.equal(await dialog.locator(`${REFUSE} + ${ACCEPT}`).count(), 1, "they are siblings");
    assert.equal(await dialog.locator("input:checked").count(), 0, "nothing is on");
    if ((await further.count()) === 0) return assert.ok(screens >= minimum, `${screens}`);
    await further.click();
  }
}

describe("what the law asks of a banner", { skip }, () => {
  for (const [colorScheme, viewport] of [
    ["light", { width: 1280, height: 800 }],
    ["dark", phone],
  ] as const)
    it(`accept and refuse are siblings of the same looks on every screen, and nothing is on: ${colorScheme}`, async () => {
      for (const cookies of layouts) {
        const attributes = naming(cookies);
        await using visit = await openVisit(site, { attributes, colorScheme, viewport });
        await visit.dialog.waitFor();
        await assertFairScreens(visit, cookies.steps.length);
        assert.deepEqual(visit.faults, []);
      }
    });

  it("texts of very different lengths, and a colour by name or function, change nothing of that", async () => {
    const given = { attributes: naming(layouts[1] ?? {}), viewport: phone };
    await using visit = await openVisit(modal, given);
    await visit.dialog.waitFor();
    const long = "Donaudampfschifffahrtsgesellschaftseinwilligung";
    await visit.page.evaluate(`${inBanner(ACCEPT)}.textContent = ${JSON.stringify(long)}`);
    const accept = await lookAt(visit.page, ACCEPT);
    assert.deepEqual(accept, await lookAt(visit.page, REFUSE));
    assert.ok(accept.contrast >= 4.5, `contrast ${accept.contrast}`);
  });

  it("one click refuses, one click accepts, and neither is asked again", async () => {
    for (const [name, accept] of [
      ["Refuse all", false],
      ["Accept all", true],
    ] as const) {
      await using visit = await openVisit(site);
      const consent = await press(visit, name);
      assert.equal(consent.accept, accept);
      assert.deepEqual(consent.preferences.vendors, { one: accept, two: accept });
      assert.deepEqual(await readVendors(visit.page), { one: accept, two: accept, shop: true });
      await visit.page.reload();
      await visit.launcher.waitFor();
      assert.equal(await visit.dialog.count(), 0, "no banner after a reload");
      assert.equal((await readHistory(site, consent.token)).length, 1);
      assert.deepEqual(visit.faults, []);
    }
  });

  for (const cookies of others.slice(0, 2))
    it(`a time that is over answers nothing: ${cookies.name}`, async () => {
      // On a busy machine it may be gone before anybody looks.
      const note = "document.addEventListener('avow:shown', () => (self.isShown = true))";
      const prepare = (page: Page): Promise<unknown> => page.addInitScript(note);
      await using visit = await openVisit(site, { attributes: naming(cookies), prepare });
      await visit.launcher.waitFor();
      assert.equal(await visit.page.evaluate("self.isShown"), true);
      assert.equal(await visit.dialog.count(), 0);
      await assertUnanswered(visit);
    });

  it("a time that is over takes nothing from who is reading it", async () => {
    const [cookies] = others;
    assert.ok(cookies);
    const clock = async (page: Page): Promise<void> => {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
    };
    await using visit = await openVisit(site, { attributes: naming(cookies), prepare: clock });
    const { page, dialog, launcher } = visit;
    await dialog.hover();
    await page.clock.runFor(60_000);
    assert.equal(await dialog.count(), 1);
    await page.mouse.move(0, 0);
    await page.clock.runFor(60_000);
    await dialog.waitFor({ state: "detached" });
    await launcher.waitFor();
    await assertUnanswered(visit);
  });

  it("Escape, scrolling and a click beside it answer nothing", async () => {
    const tall = `<main><h1>Shop</h1>${"<p>A cup.</p>".repeat(200)}</main>`;
    await using visit = await openVisit(site, { body: tall });
    const { page, dialog } = visit;
    await dialog.waitFor();
    await page.mouse.wheel(0, 1_000);
    await waitUntilSo(page, "scrollY > 500");
    await page.mouse.click(1_000, 20);
    assert.equal(await dialog.count(), 1, "it stands there still");
    await dialog.getByRole("button", { name: "Refuse all" }).focus();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await assertUnanswered(visit);
  });

  it("nor do they where the page waits behind it: a click on the backdrop leaves it open", async () => {
    await using visit = await openVisit(modal);
    const { page, dialog } = visit;
    await dialog.waitFor();
    await page.mouse.click(1_000, 20);
    assert.equal(await dialog.count(), 1, "it stands there still");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await assertUnanswered(visit);
  });

  it("the choices come back with what is stored; withdrawing takes as few clicks as giving", async () => {
    const tag = '<script type="text/plain" data-avow-vendor="two" src="/two.js"></script>';
    await using visit = await openVisit(site, {
      attributes: naming(layouts[1] ?? {}),
      body: `<main><h1>Shop</h1>${tag}</main>`,
      policy: "",
      pages: { "/two.js": "document.title = 'two ran'" },
    });
    const { page, dialog, launcher } = visit;
    await press(visit, "Accept all");
    await waitUntilSo(page, "document.title === 'two ran'");
    await launcher.click();
    assert.equal(await dialog.getByRole("switch", { name: "Two" }).isChecked(), true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal((await readVendors(page))["two"], true, "closing takes nothing back");
    await launcher.click();
    const reloaded = page.waitForEvent("load");
    const { accept, preferences, token } = await press(visit, "Refuse all");
    await reloaded;
    assert.deepEqual([accept, preferences.vendors], [false, none]);
    await launcher.waitFor();
    assert.equal(await page.title(), "Shop", "what was withdrawn runs no more");
    assert.deepEqual(
      (await readHistory(site, token)).map((record) => record.accept),
      [false, true],
    );
  });
});

/** Holds that nothing was posted, granted or remembered, and that it is asked again. */
async function assertUnanswered(visit: Visit): Promise<void> {
  const { page, dialog } = visit;
  const vendors = await readVendors(page);
  assert.deepEqual({ ...vendors, ...none }, vendors, "nothing is granted");
  assert.equal(await readMemory(page), undefined, "nothing is remembered");
  await page.reload();
  await dialog.waitFor();
  assert.equal(countPosts(visit), 0, "nothing was posted");
  assert.deepEqual(visit.faults, []);
}
