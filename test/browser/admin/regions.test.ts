import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FrameLocator, Page } from "playwright-core";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs } from "./visits.ts";

function previewOf(page: Page): FrameLocator {
  return page.frameLocator("iframe.front:not([aria-hidden=true])").last();
}

const waitUntilSaved = (page: Page): Promise<void> => page.getByText("All changes saved").waitFor();

describe("the rules by region of a banner", { skip }, () => {
  it("start with the usual ones, are edited, previewed by region, and can be removed", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    const readRules = async (): Promise<unknown> => {
      const id = site.at.split("/").at(-1);
      const { body } = await service.fetch(`/v1/vault/cookies/${id}`, { token: site.token });
      return body.regions;
    };
    await page.getByRole("tab", { name: "Regions" }).click();
    await page.getByRole("button", { name: "Use the usual rules" }).click();
    const europe = page.getByRole("group", { name: /^European Economic Area, United Kingdom/ });
    const america = page.getByRole("group", { name: /^US states with a privacy law/ });
    const others = page.getByRole("group", { name: "all other regions" });
    await europe.waitFor();
    await others.getByLabel("Consent model").selectOption("none");
    await america.getByText("Texts of the first screen").click();
    await america.getByLabel("Title", { exact: true }).fill("Your privacy choices");
    await america.getByRole("checkbox", { name: "YouTube" }).uncheck();
    await waitUntilSaved(page);
    assert.deepEqual(await readRules(), [
      { in: ["EEA", "GB", "CH", "BR", "CA-QC"], model: "opt-in" },
      {
        in: ["US_PRIVACY", "CA"],
        model: "opt-out",
        title: "Your privacy choices",
        defaults: { youtube: false },
      },
      { in: ["*"], model: "none" },
    ]);
    const preview = previewOf(page);
    await preview.getByRole("button", { name: "Accept all" }).waitFor();
    await page.getByLabel("Region", { exact: true }).selectOption({ index: 1 });
    await preview.getByRole("heading", { name: "Your privacy choices" }).waitFor();
    await preview.getByRole("button", { name: "Do not sell or share my data" }).waitFor();
    assert.deepEqual(await findViolations(page), []);

    await others.getByRole("button", { name: "Delete this rule" }).click();
    await page.getByText("The rule for all other regions is deleted.").waitFor();
    await page
      .getByText("No rule applies to all other regions: their visitors are asked for consent.")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByLabel("Regions", { exact: true }).last().fill("Atlantis");
    await page.getByText(/a country \(FR\), a subdivision/).waitFor();
    await page.getByLabel("Regions", { exact: true }).last().fill("jp, kr");
    await page.getByRole("group", { name: "Japan and South Korea" }).waitFor();
    await waitUntilSaved(page);
    assert.deepEqual(listFaults(visit), []);
  });

  it("have a place for the uses, hosts and storage of each vendor", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await page.locator(".step-open", { hasText: "Films" }).click();
    await page.locator("summary", { hasText: "YouTube" }).click();
    await page.getByRole("checkbox", { name: "Sale of personal data" }).uncheck();
    await page.getByLabel("Hosts", { exact: true }).fill("*.youtube.com\nwww.youtube-nocookie.com");
    const storage = page.getByRole("group", { name: "Cookies and storage" });
    await storage.getByRole("button", { name: "Add" }).click();
    await storage.getByLabel("Name").fill("VISITOR_INFO*");
    await storage.getByLabel("Duration").fill("6 months");
    await waitUntilSaved(page);
    const id = site.at.split("/").at(-1);
    const { body } = await service.fetch(`/v1/vault/cookies/${id}`, { token: site.token });
    const { uses, hosts, storage: stored } = body.steps[2].vendors[0];
    assert.deepEqual(
      { uses, hosts, stored },
      {
        uses: ["sharing", "advertising"],
        hosts: ["*.youtube.com", "www.youtube-nocookie.com"],
        stored: [{ name: "VISITOR_INFO*", kind: "cookie", duration: "6 months" }],
      },
    );
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });
});
