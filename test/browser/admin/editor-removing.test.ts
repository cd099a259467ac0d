import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { poll } from "../../poll.ts";
import { skip } from "../widget/browser.ts";
import { banner, newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs } from "./visits.ts";

const [, , films] = banner.steps;

describe("removing from a banner", { skip }, () => {
  it("a deleted step is announced, the step before gets the focus, and Undo restores it", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    const stepNames = (): Promise<string[]> => page.locator(".step-open .cut").allTextContents();
    await page.locator(".step-open", { hasText: "Films" }).click();
    const before = await stepNames();
    await page.getByRole("button", { name: "Delete this step" }).press("Enter");
    const notice = page.getByRole("status").filter({ hasText: "Films is deleted." });
    await notice.waitFor();
    await page.locator(".step-open:focus", { hasText: "Knowing what is useful" }).waitFor();
    assert.deepEqual(await stepNames(), before.slice(0, 2));
    await notice.getByRole("button", { name: "Undo" }).press("Enter");
    await page.locator(".step-open[aria-current=step]:focus", { hasText: "Films" }).waitFor();
    assert.deepEqual(await stepNames(), before);
    await notice.waitFor({ state: "detached" });
    const title = page.getByLabel("Title", { exact: true }).first();
    await title.fill("Moving pictures");
    const isSaved = ({ steps }: typeof banner): boolean => steps[2]?.title === "Moving pictures";
    const read = async () => (await site.read()) as unknown as typeof banner;
    const { steps } = await poll({
      read,
      isRight: isSaved,
      waitMs: 30_000,
      toMessage: () => "It is not saved",
    });
    assert.partialDeepStrictEqual(steps[2], { ...films, title: "Moving pictures" });
    assert.deepEqual(listFaults(visit), []);
  });

  it("a removed vendor is announced and can be restored; the others stay open or closed", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await page.locator(".step-open", { hasText: "Knowing what is useful" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a vendor" });
    for (const name of ["Hotjar", "Our own"]) {
      await page.getByRole("button", { name: "Add a vendor" }).click();
      await dialog.getByLabel("Search by name or domain").fill(name);
      await dialog.getByRole("button", { name }).first().click();
      await dialog.waitFor({ state: "detached" });
    }
    const openOf = (name: string) =>
      page
        .locator("details.vendor", { hasText: name })
        .evaluate((one: { open: boolean }) => one.open);
    const names = (): Promise<string[]> => page.locator(".vendor summary .cut").allTextContents();
    assert.deepEqual(await names(), ["Matomo", "Hotjar", "Our own"]);
    await page.locator("summary", { hasText: "Hotjar" }).click();
    const hotjar = page.locator("details.vendor", { hasText: "Hotjar" });
    await hotjar.getByRole("button", { name: "Remove" }).press("Enter");
    const notice = page.getByRole("status").filter({ hasText: "Hotjar is removed." });
    await notice.waitFor();
    await page.locator("summary:focus", { hasText: "Matomo" }).waitFor();
    assert.deepEqual(await names(), ["Matomo", "Our own"]);
    assert.equal(await openOf("Our own"), false, "the open vendor was the removed one");
    await notice.getByRole("button", { name: "Undo" }).press("Enter");
    await page.locator("summary:focus", { hasText: "Hotjar" }).waitFor();
    assert.deepEqual(await names(), ["Matomo", "Hotjar", "Our own"]);
    assert.deepEqual(listFaults(visit), []);
  });
});
