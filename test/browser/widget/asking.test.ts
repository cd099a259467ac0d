import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { namingAttributes, others } from "./layouts.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import { countPosts, openVisit, press, readHistory, readMemory, readVendors } from "./visits.ts";

const picture =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='72' height='72'/%3E";
const step = { name: "all", layout: "category", title: "Cookies" };
const [one, two, three] = ["One", "Two", "Three"].map((title) => ({
  name: title.toLowerCase(),
  title,
  shortDescription: `${title} counts.`,
}));
const site = await newLiveSite({
  cookies: [
    shopCookies,
    others[2] ?? {},
    {
      name: "own",
      language: "en",
      strings: { acceptAll: "Yes to all", refuseAll: "No to all" },
      steps: [
        {
          ...step,
          topTitle: "Hearth",
          subTitle: "and Clay",
          image: "https://shop.example/cup.svg",
          strings: { acceptAll: "All of this" },
          showToggleAllSwitch: true,
          vendors: [
            { ...one, longDescription: "It counts visits.", policyUrl: "https://one.example/p" },
            two,
          ],
        },
      ],
    },
  ],
});

describe("the banner", { skip }, () => {
  it("shows the step's text over the configuration's, with picture, titles and details", async () => {
    await using visit = await openVisit(site, {
      attributes: 'data-cookies="own"',
      policy: "",
      prepare: (page) =>
        page.route("https://shop.example/cup.svg", (route) =>
          route.fulfill({
            contentType: "image/svg+xml",
            body: decodeURIComponent(picture.split(",")[1] ?? ""),
          }),
        ),
    });
    const { page, dialog } = visit;
    for (const text of ["Hearth", "and Clay", "One counts.", "Two counts."])
      await dialog.getByText(text, { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "All of this" }).waitFor();
    await dialog.getByRole("button", { name: "No to all" }).waitFor();
    await waitUntilTrue(
      page,
      `document.querySelector("avow-widget").shadowRoot.querySelector(".head img").naturalWidth === 72`,
    );
    assert.equal(await dialog.getByText("It counts visits.").isVisible(), false);
    await dialog.getByText("Details").click();
    await dialog.getByText("It counts visits.").waitFor();
    const link = dialog.getByRole("link", { name: "Privacy policy" });
    assert.equal(await link.getAttribute("href"), "https://one.example/p");
    assert.equal(await link.getAttribute("rel"), "noreferrer");
    const all = dialog.getByRole("switch", { name: "All of them" });
    const single = dialog.getByRole("switch", { name: "Two" });
    await all.click();
    assert.equal(await single.isChecked(), true);
    await single.click();
    assert.equal(await all.isChecked(), false);
    await single.click();
    assert.equal(await all.isChecked(), true);
    await single.click();
    const { preferences } = await press(visit, "Save my choices");
    assert.deepEqual(preferences.vendors, { one: true, two: false });
  });

  it("lists all categories with switches on one screen, and saves them at once", async () => {
    await using visit = await openVisit(site);
    const { dialog, page } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("heading", { name: "Analytics" }).waitFor();
    await dialog.getByRole("heading", { name: "Needed" }).waitFor();
    await dialog.getByText("Always on").waitFor();
    assert.equal(await dialog.getByRole("switch").count(), 3, "required vendors have no switch");
    const [category, single] = ["Analytics", "Two"].map((name) =>
      dialog.getByRole("switch", { name }),
    );
    await category?.click();
    assert.equal(await single?.isChecked(), true);
    await single?.click();
    assert.equal(await category?.isChecked(), false);
    const { preferences } = await press(visit, "Save my choices");
    assert.deepEqual(preferences.vendors, { one: true, two: false });
    assert.deepEqual(await readVendors(page), { one: true, two: false, shop: true });
  });

  it("posts nothing for an informational step, which is shown once and then closed", async () => {
    await using visit = await openVisit(site, { attributes: namingAttributes(others[2] ?? {}) });
    const { page, dialog, launcher } = visit;
    await dialog.waitFor();
    assert.equal(await dialog.getByRole("button").count(), 1);
    await dialog.getByRole("button", { name: "Close" }).click();
    await launcher.waitFor();
    const memory = await readMemory(page);
    assert.equal(memory?.["$$completed"], true);
    assert.equal(memory?.["$$token"], undefined, "no token is created");
    await page.reload();
    await launcher.waitFor();
    assert.equal(await dialog.count(), 0);
    assert.equal(countPosts(visit), 0);
  });

  it("asks only about new or changed vendors after a later publication; other answers stand", async () => {
    const own = await newLiveSite({
      cookies: [{ name: "shop", language: "en", steps: [{ ...step, vendors: [one, two] }] }],
    });
    const put = async (vendors: unknown[]): Promise<void> => {
      const { status, body } = await service.fetch(`/v1/vault/cookies/${own.cookies[0]}`, {
        method: "PATCH",
        token: own.token,
        json: { steps: [{ ...step, vendors }] },
      });
      assert.equal(status, 200, JSON.stringify(body));
      await own.publish();
    };
    // A page with a route has no HTTP cache, like a visitor who returns another day.
    const prepare = (page: Page) => page.route(/\.json$/, (route) => route.continue());
    await using visit = await openVisit(own, { prepare });
    const { page, dialog, launcher } = visit;
    const { token } = await press(visit, "Accept all");
    await put([one, two, three]);
    await page.reload();
    await dialog.waitFor();
    assert.equal(await dialog.getByRole("switch").count(), 1, "only the new vendor");
    assert.deepEqual(await readVendors(page), { one: true, two: true, three: false });
    const added = await press(visit, "Refuse all");
    assert.equal(added.token, token);
    assert.deepEqual(added.preferences.vendors, { three: false });
    await put([{ ...one, type: "advertising" }, two, three]);
    await page.reload();
    const only = dialog.getByRole("switch");
    await only.waitFor();
    assert.equal(await only.count(), 1, "only the changed vendor");
    assert.equal(await only.isChecked(), false, "the earlier answer does not cover the change");
    assert.deepEqual(await readVendors(page), { one: false, two: true, three: false });
    const changed = await press(visit, "Accept all");
    assert.deepEqual(changed.preferences.vendors, { one: true });
    await page.reload();
    await launcher.waitFor();
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(await readVendors(page), { one: true, two: true, three: false });
    assert.equal((await readHistory(own, token)).length, 3);
    assert.deepEqual(visit.faults, []);
  });
});
