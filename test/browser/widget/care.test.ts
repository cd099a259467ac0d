import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import { openVisit, press } from "./visits.ts";

const site = await newLiveSite({ cookies: [shopCookies] });
const observing = `
  window.seen = { shift: 0, violations: [] };
  new PerformanceObserver((list) => {
    // Cumulative layout shift excludes shifts after the visitor's own input.
    for (const { value, hadRecentInput } of list.getEntries()) seen.shift += hadRecentInput ? 0 : value;
  }).observe({ type: "layout-shift", buffered: true });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
    seen.violations.push(violatedDirective));`;

interface Observations {
  shift: number;
  violations: string[];
}

describe("the widget on a third-party page", { skip }, () => {
  it("complies with the strictest policy, and adds one global name", async () => {
    const bare = "<!doctype html><title>Bare</title><main><h1>Bare</h1></main>";
    await using visit = await openVisit(site, {
      pages: { "/bare": bare },
      prepare: (page) => page.addInitScript(observing),
    });
    const { page, shop, faults, dialog, launcher } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("switch", { name: "Analytics" }).click();
    await press(visit, "Accept all");
    await launcher.click();
    await dialog.waitFor();
    const names = "Object.getOwnPropertyNames(window)";
    const after: string[] = await page.evaluate(names);
    assert.deepEqual((await page.evaluate<Observations>("seen")).violations, []);
    await page.goto(`${shop.url}/bare`);
    const before = new Set(await page.evaluate<string[]>(names));
    assert.deepEqual(
      after.filter((name) => !before.has(name)),
      ["avow"],
    );
    assert.deepEqual(faults, []);
  });

  for (const style of [
    "",
    "display: grid; grid-template-rows: auto 1fr auto",
    "display: grid; grid-template-columns: 220px 1fr",
    "display: flex; flex-direction: column; gap: 40px",
  ])
    it(`shifts no layout of a page whose body has the style “${style}”`, async () => {
      await using visit = await openVisit(site, {
        policy: "",
        head: `<style>body { ${style} } *, * > * { margin: 8px }</style>`,
        body: `<header>Shop</header><main><h1>Cups</h1>${"<p>A cup.</p>".repeat(20)}</main><footer>Us</footer>`,
        prepare: (page) => page.addInitScript(observing),
      });
      const { page, dialog, launcher } = visit;
      const look =
        "JSON.stringify([...document.body.children].filter((one) => !one.shadowRoot).map((one) => one.getBoundingClientRect()))";
      await dialog.waitFor();
      const before = await page.evaluate<string>(look);
      await dialog.getByRole("button", { name: "Let me choose" }).click();
      await press(visit, "Accept all");
      await launcher.waitFor();
      assert.equal((await page.evaluate<Observations>("seen")).shift, 0);
      await page.evaluate("document.querySelector('avow-widget').remove()");
      assert.equal(await page.evaluate<string>(look), before);
    });

  for (const style of ["transform: scale(1)", "filter: grayscale(1)", "will-change: transform"])
    it(`is in view on a long page whose body has the style “${style}”`, async () => {
      await using visit = await openVisit(site, {
        policy: "",
        head: `<style>body { ${style}; overflow: hidden } main { height: 4000px; position: relative; z-index: 2147483647 }</style>`,
      });
      const { page, dialog, launcher } = visit;
      await dialog.waitFor();
      const { height = 0 } = page.viewportSize() ?? {};
      const box = await dialog.boundingBox();
      assert.ok(box && box.y > 0 && box.y + box.height <= height, JSON.stringify(box));
      await press(visit, "Refuse all");
      const button = await launcher.boundingBox();
      assert.ok(
        button && button.y > 0 && button.y + button.height <= height,
        "the button to reopen it, too",
      );
      await launcher.click();
      await dialog.waitFor();
    });

  it("is not confused by an element whose name shadows a property of document", async () => {
    await using visit = await openVisit(site, {
      policy: "",
      head: '<img name="currentScript" alt="" data-project="evil" src="http://evil.example/x.js">',
    });
    const { page, requests } = visit;
    await page.waitForLoadState("networkidle");
    assert.deepEqual(
      requests.filter((one) => /evil\.example\/(?!x\.js)/.test(one)),
      [],
    );
  });

  it("sends requests to the service only", async () => {
    await using visit = await openVisit(site);
    await press(visit, "Accept all");
    const hosts = visit.requests.map((one) => new URL(one.split(" ")[1] ?? "").host);
    assert.equal(new Set(hosts).size, 2, hosts.join(" "));
  });
});
