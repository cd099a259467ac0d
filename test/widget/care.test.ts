import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import { openVisit, press } from "./visits.ts";

const site = await newLiveSite({ cookies: [shopCookies] });
const observing = `
  window.seen = { shift: 0, violations: [] };
  new PerformanceObserver((list) => {
    // Cumulative layout shift is what moves without the visitor's doing.
    for (const { value, hadRecentInput } of list.getEntries()) seen.shift += hadRecentInput ? 0 : value;
  }).observe({ type: "layout-shift", buffered: true });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
    seen.violations.push(violatedDirective));`;

interface Seen {
  shift: number;
  violations: string[];
}

describe("the widget on somebody's page", { skip }, () => {
  it("keeps the strictest policy, and puts one name into the page's scope", async () => {
    const bare = "<!doctype html><title>Bare</title><main><h1>Bare</h1></main>";
    await using visit = await openVisit(site, {
      pages: { "/bare": bare },
      prepare: (page) => page.addInitScript(observing),
    });
    const { page, shop, faults, dialog, launcher } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("switch", { name: "All of them" }).click();
    await press(visit, "Accept all");
    await launcher.click();
    await dialog.waitFor();
    const names = "Object.getOwnPropertyNames(window)";
    const after: string[] = await page.evaluate(names);
    assert.deepEqual((await page.evaluate<Seen>("seen")).violations, []);
    await page.goto(`${shop.url}/bare`);
    const before = new Set(await page.evaluate<string[]>(names));
    assert.deepEqual(
      after.filter((name) => !before.has(name)),
      ["avow"],
    );
    assert.deepEqual(faults, []);
  });

  it("moves nothing of the page", async () => {
    await using visit = await openVisit(site, {
      body: `<main><h1>Shop</h1>${"<p>A cup.</p>".repeat(50)}</main>`,
      prepare: (page) => page.addInitScript(observing),
    });
    const { page, dialog } = visit;
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await press(visit, "Accept all");
    assert.equal((await page.evaluate<Seen>("seen")).shift, 0);
  });

  it("asks nobody but the service for anything", async () => {
    await using visit = await openVisit(site);
    await press(visit, "Accept all");
    const hosts = visit.requests.map((one) => new URL(one.split(" ")[1] ?? "").host);
    assert.equal(new Set(hosts).size, 2, hosts.join(" "));
  });
});
