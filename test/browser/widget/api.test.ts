import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import {
  countPosts,
  waitForWidgetEvent,
  openVisit,
  press,
  readHistory,
  readVendors,
} from "./visits.ts";

const site = await newLiveSite({ cookies: [shopCookies] });
const events = ["ready", "shown", "answered", "saved", "kept", "dismissed", "error"];
/** Appends the widget's events to the page's title, from before the widget loads. */
const eventRecorder = `for (const name of ${JSON.stringify(events)})
  document.addEventListener("avow:" + name, () => { document.title += " " + name; });`;

describe("the widget's API for pages", { skip }, () => {
  it("emits events in order", async () => {
    await using visit = await openVisit(site, {
      prepare: (page) => page.addInitScript(eventRecorder),
    });
    const { page, dialog, launcher } = visit;
    await press(visit, "Accept all");
    await waitUntilTrue(page, "document.title.endsWith('saved')");
    assert.equal(await page.title(), "Shop ready shown answered saved");
    await launcher.click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.title(), "Shop ready shown answered saved shown dismissed");
  });

  it("resolves whenAccepted, now or after a later answer", async () => {
    await using visit = await openVisit(site);
    const { page } = visit;
    await waitUntilTrue(page, "window.avow");
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: false, two: false, shop: true });
    await page.evaluate("avow.whenAccepted('shop')");
    const accepted = page.evaluate<string>(
      "Promise.all([avow.whenAccepted('one'), avow.whenAccepted('two')]).then(() => 'both')",
    );
    const heard = page.evaluate(
      "new Promise((resolve) => { const stop = avow.on('answered', (detail) => { stop(); resolve(detail); }); })",
    );
    const { token } = await press(visit, "Accept all");
    assert.equal(await accepted, "both");
    assert.deepEqual(await heard, { vendors: { one: true, two: true, shop: true }, token });
    assert.equal(await page.evaluate("avow.isAccepted('nobody')"), false);
  });

  it("answers for the visitor: the banner closes, the record is saved, and accepted tags run", async () => {
    await using visit = await openVisit(site);
    const { page, dialog, launcher } = visit;
    await dialog.waitFor();
    const saved = waitForWidgetEvent(page, "saved");
    await page.evaluate("avow.answer({ one: true, two: false })");
    await dialog.waitFor({ state: "detached" });
    const { consent } = (await saved) as { consent: { token: string } };
    const [record] = await readHistory(site, consent.token);
    assert.deepEqual(record?.preferences.vendors, { one: true, two: false });
    await page.evaluate("avow.open()");
    assert.equal(await dialog.getByRole("switch", { name: "One" }).isChecked(), true);
    await page.evaluate("avow.close()");
    await dialog.waitFor({ state: "detached" });
    await launcher.waitFor();
    assert.equal(countPosts(visit), 1);
    assert.deepEqual(visit.faults, []);
  });

  it("holds back the banner until it is opened, also by the site's own link", async () => {
    await using visit = await openVisit(site, {
      attributes: "data-manual",
      body: '<main><h1>Shop</h1><a href="/cookies" data-avow-open>Cookies</a></main>',
    });
    const { page, dialog, launcher, shop } = visit;
    await launcher.waitFor();
    assert.equal(await dialog.count(), 0);
    await page.getByRole("link", { name: "Cookies" }).click();
    await press(visit, "Refuse all");
    assert.equal(page.url(), `${shop.url}/`);
  });

  it("rejects when the project's file cannot be loaded, and grants nothing", async () => {
    await using visit = await openVisit(
      { projectId: "0123456789abcdef01234567" },
      { prepare: (page) => page.addInitScript(eventRecorder) },
    );
    const { page, dialog } = visit;
    await waitUntilTrue(page, "document.title.endsWith('error')");
    await assert.rejects(page.evaluate("avow.ready"), /404/);
    assert.equal(await page.evaluate("avow.isAccepted('one')"), false);
    assert.equal(await dialog.count(), 0);
  });
});
