import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findViolations } from "./axe.ts";
import { skip } from "./browser.ts";
import { layouts, namingAttributes, others } from "./layouts.ts";
import { inBanner } from "./looks.ts";
import { newLiveSite } from "./site.ts";
import { type Visit, openVisit, press } from "./visits.ts";

const site = await newLiveSite({ cookies: [...layouts, ...others] });
const modal = await newLiveSite({
  project: { overlayStyle: { background: "rgba(0,0,0,.5)" } },
  cookies: layouts,
});
const phone = { width: 375, height: 720 };
const calm = { reducedMotion: "reduce" } as const;
const link = '<main><h1>Shop</h1><a href="#cups">Cups</a> <button>Buy</button></main>';
const focused = "document.activeElement?.shadowRoot?.activeElement ?? document.activeElement";

/** Presses Tab until a control has the focus, as a keyboard user does. */
async function tabTo({ page }: Visit, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(
      `{ const one = ${focused}; (one.labels?.[0] ?? one).textContent || one.ariaLabel }`,
    );
    if (now === name) return;
  }
  assert.fail(`Tab does not reach ${name}.`);
}

describe("banner accessibility", { skip }, () => {
  for (const [given, shown] of [
    [{ ...calm, colorScheme: "light" }, [...layouts, ...others.slice(2)]],
    [{ ...calm, colorScheme: "dark", viewport: phone }, layouts.slice(0, 2)],
    [{ ...calm, forcedColors: "active" }, layouts.slice(1, 2)],
  ] as const)
    it(`has no axe-core violations on any screen: ${JSON.stringify(given)}`, async () => {
      for (const cookies of shown) {
        await using visit = await openVisit(site, {
          ...given,
          attributes: namingAttributes(cookies),
        });
        const { page, dialog, launcher, faults } = visit;
        await dialog.waitFor();
        const further = dialog.getByRole("button", { name: "Let me choose" });
        for (;;) {
          assert.deepEqual(await findViolations(page), [], cookies.name);
          if ((await further.count()) === 0) break;
          await further.click();
          await dialog.getByRole("switch").first().waitFor();
        }
        if (cookies !== shown[0]) continue;
        await dialog.getByRole("button", { name: "Refuse all" }).click();
        await launcher.waitFor();
        assert.deepEqual(await findViolations(page), [], "the launcher");
        await launcher.click();
        await dialog.waitFor();
        for (const details of await dialog.locator("summary").all()) await details.click();
        assert.deepEqual(await findViolations(page), [], "opened again");
        assert.deepEqual(faults, []);
      }
    });

  it("works by keyboard alone, and returns the focus to where it was", async () => {
    await using visit = await openVisit(site, { body: link });
    const { page, dialog } = visit;
    await dialog.waitFor();
    assert.equal(
      await page.evaluate("document.activeElement.localName"),
      "body",
      "the focus is not moved",
    );
    await tabTo(visit, "Let me choose");
    await page.keyboard.press("Enter");
    await dialog.getByRole("switch").first().waitFor();
    assert.equal(await page.evaluate(`(${focused}).textContent`), "Cookie settings");
    await tabTo(visit, "Two");
    await page.keyboard.press("Space");
    const saved = page.waitForResponse(/consents/);
    await tabTo(visit, "Save my choices");
    await page.keyboard.press("Enter");
    const [{ preferences }] = await (await saved).json();
    assert.deepEqual(preferences.vendors, { one: false, two: true });
    await tabTo(visit, "Cookie settings");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(`(${focused}).ariaLabel`), "Cookie settings");
    await tabTo(visit, "Cups");
  });

  it("does not take the focus from a page in use, or returns it", async () => {
    const body = '<main><h1>Shop</h1><label>Search <input autofocus id="q"></label></main>';
    await using visit = await openVisit(site, { body });
    await visit.dialog.waitFor();
    assert.equal(await visit.page.evaluate("document.activeElement.id"), "q");
    // After an answer by keyboard, the focus does not start again at the top of the page.
    await visit.dialog.getByRole("button", { name: "Refuse all" }).press("Enter");
    await visit.dialog.waitFor({ state: "detached" });
    assert.match(String(await visit.page.evaluate(`(${focused}).className`)), /^icon/);
    await using waiting = await openVisit(modal, { body });
    await waiting.dialog.waitFor();
    assert.equal(await waiting.page.evaluate(`(${focused}).id`), "title");
    await press(waiting, "Refuse all");
    assert.equal(await waiting.page.evaluate("document.activeElement.id"), "q");
  });

  it("traps the keyboard focus while it is modal", async () => {
    await using visit = await openVisit(modal, { body: link });
    const { page, dialog } = visit;
    await dialog.waitFor();
    for (let presses = 0; presses < 15; presses += 1) {
      await page.keyboard.press("Tab");
      const where = await page.evaluate("document.activeElement.localName");
      assert.ok(where === "avow-widget" || where === "body", String(where));
    }
    await assert.rejects(page.getByRole("button", { name: "Buy" }).click({ timeout: 500 }));
  });

  it("is reachable and uncut at 320 pixels, at 200 % and at 400 % zoom", async () => {
    for (const cookies of [layouts[1], layouts[3]]) {
      await using visit = await openVisit(site, {
        ...calm,
        attributes: namingAttributes(cookies ?? {}),
      });
      const { dialog, launcher } = visit;
      await dialog.waitFor();
      if (cookies === layouts[1]) {
        await press(visit, "Accept all");
        await launcher.click();
        await dialog.waitFor();
      }
      await assertReachable(visit);
    }
  });

  it("keeps its buttons visible at 400 % zoom, without scrolling", async () => {
    const viewport = { width: 320, height: 200 };
    await using visit = await openVisit(site, { ...calm, viewport });
    const { dialog } = visit;
    for (const names of [
      ["Refuse all", "Accept all", "Let me choose"],
      ["Refuse all", "Accept all", "Save my choices"],
    ]) {
      for (const name of names) {
        const button = dialog.getByRole("button", { name });
        await button.waitFor();
        const box = await button.boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height, name);
      }
      const choose = dialog.getByRole("button", { name: "Let me choose" });
      if ((await choose.count()) > 0) await choose.click();
      await dialog.getByRole("switch").first().waitFor();
    }
    assert.deepEqual(await findViolations(visit.page), []);
  });

  it("respects reduced motion, and shows its switches in forced colours", async () => {
    await using visit = await openVisit(site, {
      ...calm,
      forcedColors: "active",
      attributes: namingAttributes(layouts[1] ?? {}),
    });
    await visit.dialog.waitFor();
    assert.equal(await visit.page.evaluate("document.getAnimations().length"), 0);
    const [look, border] = await Promise.all([
      visit.page.evaluate(`getComputedStyle(${inBanner("input")}).appearance`),
      visit.page.evaluate(`getComputedStyle(${inBanner("button")}).borderStyle`),
    ]);
    assert.deepEqual([look, border], ["auto", "solid"]);
  });
});

/** A small phone, a small notebook at 200 %, and a screen of 1280 pixels at 400 %. */
const small = [
  { width: 320, height: 568 },
  { width: 640, height: 360 },
  { width: 320, height: 200 },
];

/**
 * Asserts that each control is at least 24 pixels in both dimensions, scrolls into view, and fits its width.
 */
async function assertReachable({ page, dialog }: Visit): Promise<void> {
  for (const viewport of small) {
    await page.setViewportSize(viewport);
    for (const control of await dialog.locator("button, input, summary").all()) {
      await control.click({ trial: true });
      const box = await control.boundingBox();
      const what = `${await control.textContent()} ${JSON.stringify(box)}`;
      assert.ok(box && box.width >= 24 && box.height >= 24, what);
      assert.ok(box.x >= 0 && box.x + box.width <= viewport.width, what);
    }
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
  }
}
