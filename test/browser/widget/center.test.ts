import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findViolations } from "./axe.ts";
import { skip } from "./browser.ts";
import { newLiveSite } from "./site.ts";
import { openVisit, press } from "./visits.ts";

/** Vendors named `Count 1`, `Count 2` …, the first with declared storage. */
const listVendors = (title: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `${title.toLowerCase().replace("é", "e")}${at + 1}`,
    title: `${title} ${at + 1}`,
    shortDescription: `It helps with ${title.toLowerCase()}.`,
    ...(at === 0 && {
      storage: [
        { name: "_ga_*", purpose: "Distinguishes visitors.", duration: "2 years", provider: "G" },
        { name: "seen", kind: "localStorage" },
      ],
    }),
  }));
const site = await newLiveSite({
  cookies: [
    {
      name: "many",
      language: "en",
      steps: [
        { name: "welcome", layout: "welcome", title: "Cookies", message: "<p>May we?</p>" },
        { name: "a", layout: "category", title: "Analytics", vendors: listVendors("Count", 20) },
        { name: "b", layout: "category", title: "Ads", vendors: listVendors("Réclame", 20) },
        {
          name: "c",
          layout: "category",
          title: "Maps",
          showToggleAllSwitch: false,
          vendors: listVendors("Map", 2),
        },
      ],
    },
  ],
});

describe("the preference center", { skip }, () => {
  it("groups many vendors by category, and finds them by their texts", async () => {
    await using visit = await openVisit(site);
    const { page, dialog } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    const search = dialog.getByRole("searchbox", { name: "Search services" });
    const shown = dialog.locator(".vendors > li").filter({ visible: true });
    await search.waitFor();
    assert.equal(await shown.count(), 0, "the lists are closed");
    await dialog.getByRole("switch", { name: "Analytics" }).click();
    assert.equal(await dialog.getByRole("switch", { name: "Maps" }).count(), 0);
    await search.fill("RECLAME 7");
    assert.deepEqual(await shown.getByRole("switch").count(), 1);
    assert.equal(await dialog.getByRole("heading", { name: "Analytics" }).isVisible(), false);
    await dialog.getByRole("switch", { name: "Réclame 7" }).click();
    await search.fill("nothing like this");
    await dialog.getByText("No service matches.").waitFor();
    assert.equal(await shown.count(), 0);
    await search.fill("");
    await dialog.getByRole("heading", { name: "Maps" }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    const { preferences } = await press(visit, "Save my choices");
    const accepted = Object.entries(preferences.vendors).filter(([, isOn]) => isOn);
    assert.equal(accepted.length, 21);
    assert.equal(preferences.vendors["reclame7"], true);
    assert.deepEqual(visit.faults, []);
  });

  it("lists name, purpose, duration and provider of what each vendor stores", async () => {
    await using visit = await openVisit(site, { viewport: { width: 320, height: 568 } });
    const { page, dialog } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByText("Services (20)").first().click();
    await dialog.getByText("Details", { exact: true }).first().click();
    const stored = dialog.locator(".stored").first();
    await stored.waitFor();
    assert.equal(
      (await stored.innerText()).replaceAll(/\n+/g, "\n"),
      "Cookies and storage\n_ga_*\nDistinguishes visitors.\nDuration: 2 years\nProvider: G\nseen",
    );
    assert.deepEqual(await findViolations(page), []);
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
  });

  it("loads only when it is shown, once", async () => {
    await using visit = await openVisit(site);
    const { page, dialog, launcher, requests } = visit;
    await dialog.waitFor();
    const countFiles = (): number => requests.filter((one) => one.includes("/center.")).length;
    assert.equal(countFiles(), 0);
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("searchbox").waitFor();
    await press(visit, "Refuse all");
    await launcher.click();
    await dialog.getByRole("searchbox").waitFor();
    assert.equal(countFiles(), 1);
    assert.equal(await page.evaluate("document.activeElement.localName"), "avow-widget");
  });

  it("lets visitors refuse while its file cannot be loaded", async () => {
    await using visit = await openVisit(site, {
      prepare: (page) => page.route(/\/widget\/center\./, (route) => route.abort()),
    });
    const { page, dialog, launcher } = visit;
    const failed = page.evaluate(
      `new Promise((resolve) => document.addEventListener("avow:error", () => resolve(true)))`,
    );
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await failed;
    await press(visit, "Accept all");
    await launcher.click();
    const { accept } = await press(visit, "Refuse all");
    assert.equal(accept, false);
  });
});
