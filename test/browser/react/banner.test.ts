import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { openPage, skip, waitUntilTrue } from "../widget/browser.ts";
import { newLiveSite, shopCookies } from "../widget/site.ts";
import { openReactShop } from "./react-shop.ts";

const cookies = { ...shopCookies, settings: { placeholders: true } };

/** Waits until React has hydrated the page, so that its buttons work. */
async function hydrate(page: Page): Promise<void> {
  await waitUntilTrue(
    page,
    `Object.keys(document.querySelector("main button") ?? {}).some((key) => key.startsWith("__reactFiber"))`,
  );
}

describe("a page rendered by a server", { skip }, () => {
  for (const major of [19, 18] as const)
    it(`has the banner before scripts run, and hydrates without a mismatch in React ${major}`, async () => {
      const { projectId: project } = await newLiveSite({ cookies: [cookies] });
      await using shop = await openReactShop({ project, major });
      const html = await (await fetch(shop.url)).text();
      assert.match(html, /<dialog[^>]* open/);
      assert.match(html, /Accept all/);
      assert.match(html, /Popular pots/);
      await using opened = await openPage();
      const { page, faults } = opened;
      await page.goto(shop.url);
      await hydrate(page);
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Refuse all" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.deepEqual(shop.fires, { tag: 0, frame: 0 });
      await page.getByRole("button", { name: "Cookie settings" }).click();
      await dialog.getByRole("switch", { name: "One" }).click();
      const sent = page.waitForResponse(/\/v1\/app\/consents\//);
      await dialog.getByRole("button", { name: "Save" }).click();
      const [record] = await (await sent).json();
      assert.equal(record.grade, "ticketed");
      await page.getByText("Pots for you").waitFor();
      await page.reload();
      await hydrate(page);
      await waitUntilTrue(page, `document.querySelector('script[src="/tag.js"]')`);
      assert.match(await page.content(), /Pots for you/);
      assert.deepEqual(shop.fires, { tag: 2, frame: 0 });
      assert.deepEqual(faults, []);
    });
});
