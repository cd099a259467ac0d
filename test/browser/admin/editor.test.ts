import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FrameLocator, Page } from "playwright-core";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { create, newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs } from "./visits.ts";

/** Waits until the edit is saved; skips a frame, since the screen may still show the state before it. */
async function waitUntilSaved(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  await page.getByText("All changes saved").waitFor();
}
const stepNames = (page: Page): Promise<string[]> =>
  page.locator(".step-open .cut").allTextContents();
const open = (page: Page, name: string): Promise<void> =>
  page.locator(".step-open", { hasText: name }).click();

/** The visible preview frame. */
function previewOf(page: Page): FrameLocator {
  return page.frameLocator("iframe.front:not([aria-hidden=true])").last();
}

/** The type of the DOM function: the tests have no DOM types. */
interface Styles {
  getComputedStyle: (of: unknown) => { backgroundColor: string };
}

interface Banner {
  version: number;
  steps: { name: string; title?: string; vendors?: { name: string; title: string }[] }[];
}

describe("the cookie editor", { skip }, () => {
  it("edits a banner: the real widget previews it, findings are beside their fields, and edits are saved", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, `/projects/${site.project.id}/cookies`);
    const { page } = visit;
    await page.getByRole("link", { name: "Shop banner" }).click();
    const preview = previewOf(page);
    await preview.getByRole("heading", { name: "Your choice about cookies" }).waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Biscuits?");
    await preview.getByRole("heading", { name: "Biscuits?" }).waitFor();
    await waitUntilSaved(page);
    await open(page, "Knowing what is useful");
    await preview.getByText("Counts visits.").waitFor();
    await page.locator("summary", { hasText: "Matomo" }).click();
    const policy = page.getByLabel("Privacy policy");
    const described = await policy.getAttribute("aria-describedby");
    const finding = page.locator(`[id="${described}"]`);
    assert.match(await finding.innerText(), /“Matomo” has no privacy policy/);
    await policy.fill("http:/matomo");
    await page.getByText("must be an http or https address").waitFor();
    assert.equal(await policy.getAttribute("aria-invalid"), "true");
    await policy.fill("https://matomo.org/privacy-policy/");
    await finding.waitFor({ state: "detached" });
    await page.getByText("No problems found here.").waitFor();
    await waitUntilSaved(page);
    const { steps } = (await site.read()) as unknown as Banner;
    assert.equal(steps[0]?.title, "Biscuits?");
    const recorded = await service.fetch(`/v1/app/consents/${site.project.id}`, {
      token: site.token,
    });
    // By keyboard, since the tests' pointer misses targets in a scaled frame.
    await preview.getByRole("button", { name: "Accept all" }).press("Enter");
    await preview.getByRole("button", { name: "Cookie settings" }).waitFor();
    assert.deepEqual(recorded.body.items ?? recorded.body, []);
    assert.deepEqual(listFaults(visit), []);
    const foreign = visit.requests.filter((one) => !one.includes(service.url));
    assert.deepEqual(foreign, [], "no request to another host");
    const requests = visit.requests.filter((one) =>
      /^POST .*\/v1\/app\/(tickets|consents)/.test(one),
    );
    assert.deepEqual(requests, [], "the preview records nothing and counts no display");
  });

  it("moves steps by keyboard, with an announcement, and by dragging", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await page.getByRole("button", { name: "Move Your choice about cookies", exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByText("Your choice about cookies is now 2 of 3.").waitFor();
    assert.deepEqual(await stepNames(page), [
      "Knowing what is useful",
      "Your choice about cookies",
      "Films",
    ]);
    await page.getByRole("button", { name: "Move Films up" }).click();
    await page.getByText("Films is now 2 of 3.").waitFor();
    const handle = page.getByRole("button", { name: "Move Knowing what is useful", exact: true });
    const from = await handle.boundingBox();
    const last = await page.locator(".step-list li").last().boundingBox();
    assert.ok(from && last);
    await page.mouse.move(from.x + 5, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 5, last.y + last.height / 2 + 8, { steps: 12 });
    await page.mouse.up();
    const expected = ["Films", "Your choice about cookies", "Knowing what is useful"];
    assert.deepEqual(await stepNames(page), expected);
    await waitUntilSaved(page);
    const { steps } = (await site.read()) as unknown as Banner;
    assert.deepEqual(
      steps.map(({ title }) => title),
      expected,
    );
    assert.deepEqual(listFaults(visit), []);
  });

  it("finds vendors by a search of kept and known ones, or creates them by name", async () => {
    const site = await newBannerSite();
    await create(site.token, "vendors", {
      projectId: site.project.id,
      name: "crm",
      title: "Our CRM",
      domain: "crm.example",
    });
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await open(page, "Knowing what is useful");
    const dialog = page.getByRole("dialog", { name: "Add a vendor" });
    const pick = async (typed: string, name: string): Promise<void> => {
      await page.getByRole("button", { name: "Add a vendor" }).click();
      await dialog.getByLabel("Search by name or domain").fill(typed);
      await dialog.getByRole("button", { name }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await pick("crm.ex", "Our CRM");
    await pick("hotj", "Hotjar");
    await pick("Plaisible Métrics", "Add “Plaisible Métrics” as your own vendor");
    await page.getByRole("button", { name: "Add a vendor" }).click();
    await dialog.getByLabel("Search by name or domain").fill("hotj");
    assert.ok(await dialog.getByRole("button", { name: "Hotjar" }).isDisabled(), "once only");
    await page.keyboard.press("Escape");
    await previewOf(page).getByText("Our CRM").waitFor();
    await waitUntilSaved(page);
    const { steps } = (await site.read()) as unknown as Banner;
    const vendors = steps[1]?.vendors ?? [];
    assert.equal(vendors.length, 4);
    assert.match(
      JSON.stringify(vendors[1]),
      /^"[0-9a-f]{24}"$/,
      "a kept vendor stays in the library",
    );
    assert.deepEqual(
      vendors.slice(2).map(({ name }) => name),
      ["hotjar", "plaisible_metrics"],
    );
    assert.deepEqual(listFaults(visit), []);
  });

  it("marks layouts that the plan does not include, with the plan that does, and unlocks them with it", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    await visit.page.getByRole("button", { name: "Add a step" }).click();
    const locked = visit.page.getByRole("button", { name: "Soft prompt" });
    assert.ok(await locked.isDisabled());
    const [, lock = ""] = (await locked.getAttribute("aria-describedby"))?.split(" ") ?? [];
    const why = visit.page.locator(`#${lock}`);
    // Several layouts are locked, but the reason is shown once.
    assert.ok((await visit.page.locator(".choices button:disabled").count()) > 1);
    assert.equal(await visit.page.getByText("Not included in the plan").count(), 1);
    assert.match(
      await why.innerText(),
      /Not included in the plan Free\. Included in Pro\. To unlock it, an owner/,
    );
    assert.deepEqual(await findViolations(visit.page), []);
    const paid = await newBannerSite({ isPaid: true });
    await using other = await openAs(paid, paid.at);
    const { page } = other;
    await page.getByRole("button", { name: "Add a step" }).click();
    await page.getByRole("button", { name: "Soft prompt" }).click();
    await page.getByLabel("Hide after (milliseconds)").fill("9000");
    await waitUntilSaved(page);
    const { steps } = (await paid.read()) as unknown as Banner;
    assert.partialDeepStrictEqual(steps[3], { layout: "soft_consent", timeout: 9_000 });
    await open(page, "Your choice about cookies");
    assert.equal(await page.getByLabel("Hide after (milliseconds)").count(), 0);
    assert.equal(await page.getByRole("heading", { name: "Vendors" }).count(), 0);
    assert.deepEqual([...listFaults(visit), ...listFaults(other)], []);
  });

  it("shows the contrast of colours, applies them at once, and replaces texts", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await page.getByRole("tab", { name: "Design" }).click();
    const contrasts = page.getByRole("region", { name: "Contrast" }).getByRole("listitem");
    await page.getByLabel("Background", { exact: true }).fill("white");
    await page.getByLabel("Text", { exact: true }).fill("#767676");
    assert.match(await contrasts.first().innerText(), /4\.5 : 1\s+AA$/);
    await page.getByLabel("Text", { exact: true }).fill("hsl(0 0% 70%)");
    assert.match(await contrasts.first().innerText(), /too low$/);
    await page
      .getByText(/has a contrast of 2\.1 to 1/)
      .first()
      .waitFor();
    await page.getByLabel("Text", { exact: true }).fill("nothing");
    await page.getByText("This is not a valid colour.").waitFor();
    await page.getByLabel("Text", { exact: true }).fill("black");
    await page.getByLabel("Buttons", { exact: true }).fill("rebeccapurple");
    await page.getByRole("tab", { name: "Texts" }).click();
    await page.getByLabel("Refuse all", { exact: true }).fill("No, none");
    await previewOf(page).getByRole("button", { name: "No, none" }).waitFor();
    await waitUntilSaved(page);
    const button = previewOf(page).getByRole("button", { name: "No, none" });
    await button.and(previewOf(page).locator("button.refuseAll")).waitFor();
    const color = await button.evaluate(
      (one) => (globalThis as unknown as Styles).getComputedStyle(one).backgroundColor,
    );
    assert.equal(color, "rgb(102, 51, 153)");
    assert.deepEqual(listFaults(visit), []);
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`has no axe-core violations in any part, ${colorScheme}`, async () => {
      const site = await newBannerSite();
      const options = { colorScheme, reducedMotion: "reduce" } as const;
      await using visit = await openAs(site, site.at, options);
      const { page } = visit;
      await previewOf(page).getByRole("button", { name: "Accept all" }).waitFor();
      for (const tab of ["Steps", "Regions", "Texts", "Design", "Settings"]) {
        await page.getByRole("tab", { name: tab }).click();
        if (tab === "Steps") await open(page, "Films");
        if (tab === "Regions")
          await page.getByRole("button", { name: "Use the usual rules" }).click();
        assert.deepEqual(await findViolations(page), [], tab);
      }
      await visit.open(`/projects/${site.project.id}/cookies`);
      await page.getByRole("link", { name: "Shop banner" }).waitFor();
      assert.deepEqual(await findViolations(page), [], "the list");
      assert.deepEqual(listFaults(visit), []);
    });
});
