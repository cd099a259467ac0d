// The legal requirements for banners, each tested by what a browser displays.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skip, waitUntilTrue } from "./browser.ts";
import { layouts, namingAttributes, others } from "./layouts.ts";
import { inBanner, measure } from "./looks.ts";
import { newLiveSite } from "./site.ts";
import {
  type Visit,
  countPosts,
  openVisit,
  press,
  readHistory,
  readMemory,
  readVendors,
  stopClock,
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

/** Compares the accept and refuse buttons on the first layer and in the preference center. */
async function assertFairScreens({ page, dialog }: Visit): Promise<void> {
  const further = dialog.getByRole("button", { name: "Let me choose" });
  for (;;) {
    await dialog.getByRole("button", { name: "Accept all" }).waitFor();
    const a = await measure(page, ACCEPT);
    assert.deepEqual(a, await measure(page, REFUSE));
    assert.ok(a.contrast >= 4.5, `contrast ${a.contrast}`);
    assert.ok(a.height >= 44, `height ${a.height}`);
    assert.equal(await dialog.locator(`${REFUSE} + ${ACCEPT}`).count(), 1, "they are siblings");
    assert.equal(await dialog.locator("input:checked").count(), 0, "nothing is on");
    if ((await further.count()) === 0) break;
    await further.click();
    await dialog.getByRole("switch").first().waitFor();
  }
  await dialog.getByRole("button", { name: "Save my choices" }).waitFor();
}

describe("the legal requirements for a banner", { skip }, () => {
  for (const [colorScheme, viewport] of [
    ["light", { width: 1280, height: 800 }],
    ["dark", phone],
  ] as const)
    it(`accept and refuse are siblings with equal looks on every screen, and all switches are off: ${colorScheme}`, async () => {
      for (const cookies of layouts) {
        const attributes = namingAttributes(cookies);
        await using visit = await openVisit(site, { attributes, colorScheme, viewport });
        await visit.dialog.waitFor();
        await assertFairScreens(visit);
        assert.deepEqual(visit.faults, []);
      }
    });

  it("texts of very different lengths, and a colour by name or function, do not change that", async () => {
    const given = { attributes: namingAttributes(layouts[1] ?? {}), viewport: phone };
    await using visit = await openVisit(modal, given);
    await visit.dialog.waitFor();
    const long = "Donaudampfschifffahrtsgesellschaftseinwilligung";
    await visit.page.evaluate(`${inBanner(ACCEPT)}.textContent = ${JSON.stringify(long)}`);
    for (const width of [phone.width, 320, 256]) {
      await visit.page.setViewportSize({ ...phone, width });
      const accept = await measure(visit.page, ACCEPT);
      assert.deepEqual(accept, await measure(visit.page, REFUSE), `${width} px`);
      assert.ok(accept.contrast >= 4.5, `contrast ${accept.contrast}`);
    }
  });

  it("one click refuses, one click accepts, and the banner does not return", async () => {
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
    it(`closing by a timeout answers nothing: ${cookies.name}`, async () => {
      const attributes = namingAttributes(cookies);
      await using visit = await openVisit(site, { attributes, prepare: stopClock });
      const { page, dialog, launcher } = visit;
      await dialog.waitFor();
      await page.clock.runFor(1_000);
      await launcher.waitFor();
      assert.equal(await dialog.count(), 0);
      await assertUnanswered(visit);
    });

  it("a timeout does not interrupt a visitor who is reading", async () => {
    const [cookies] = others;
    assert.ok(cookies);
    const attributes = namingAttributes(cookies);
    await using visit = await openVisit(site, { attributes, prepare: stopClock });
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

  it("Escape, scrolling and a click outside answer nothing", async () => {
    const tall = `<main><h1>Shop</h1>${"<p>A cup.</p>".repeat(200)}</main>`;
    await using visit = await openVisit(site, { body: tall });
    const { page, dialog } = visit;
    await dialog.waitFor();
    await page.mouse.wheel(0, 1_000);
    await waitUntilTrue(page, "scrollY > 500");
    await page.mouse.click(1_000, 20);
    assert.equal(await dialog.count(), 1, "the banner is still open");
    await dialog.getByRole("button", { name: "Refuse all" }).focus();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await assertUnanswered(visit);
  });

  it("a click on the backdrop of a modal banner does not close it", async () => {
    await using visit = await openVisit(modal);
    const { page, dialog } = visit;
    await dialog.waitFor();
    await page.mouse.click(1_000, 20);
    assert.equal(await dialog.count(), 1, "the banner is still open");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await assertUnanswered(visit);
  });

  it("the choices reopen as stored; withdrawing takes as few clicks as accepting", async () => {
    const tag = '<script type="text/plain" data-avow-vendor="two" src="/two.js"></script>';
    await using visit = await openVisit(site, {
      attributes: namingAttributes(layouts[1] ?? {}),
      body: `<main><h1>Shop</h1>${tag}</main>`,
      policy: "",
      pages: { "/two.js": "document.title = 'two ran'" },
    });
    const { page, dialog, launcher } = visit;
    await press(visit, "Accept all");
    await waitUntilTrue(page, "document.title === 'two ran'");
    await launcher.click();
    assert.equal(await dialog.getByRole("switch", { name: "Two" }).isChecked(), true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal((await readVendors(page))["two"], true, "closing withdraws nothing");
    await launcher.click();
    const reloaded = page.waitForEvent("load");
    const { accept, preferences, token } = await press(visit, "Refuse all");
    await reloaded;
    assert.deepEqual([accept, preferences.vendors], [false, none]);
    await launcher.waitFor();
    assert.equal(await page.title(), "Shop", "a withdrawn vendor does not run");
    assert.deepEqual(
      (await readHistory(site, token)).map((record) => record.accept),
      [false, true],
    );
  });
});

/** Asserts that nothing was posted, granted or remembered, and that the banner asks again. */
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
