import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { openPage, skip } from "./browser.ts";
import { newLiveSite, openShop, shopCookies, toPage } from "./site.ts";

const site = await newLiveSite({ cookies: [shopCookies] });
const file = `${service.url}/cdn/${site.projectId}.json`;
const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}`;

describe("a page with a banner", { skip }, () => {
  it("loads two files, and requests a ticket", async () => {
    await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
    await using opened = await openPage();
    await opened.page.goto(shop.url);
    await opened.page.getByRole("dialog").waitFor();
    await opened.page.waitForLoadState("networkidle");
    assert.deepEqual(opened.requests, [
      `GET ${shop.url}/`,
      `GET ${service.url}/widget.js`,
      `GET ${file}`,
      `POST ${service.url}/v1/app/tickets/${site.projectId}?identifier=${site.cookies[0]}&step=welcome`,
    ]);
  });

  it("does not load the published file again when the page preloads it", async () => {
    const head = `<link rel="preload" as="fetch" crossorigin href="${file}">`;
    await using shop = await openShop({ "/": toPage(site.projectId, { head }) }, policy);
    await using opened = await openPage();
    const { page, requests, faults } = opened;
    await page.goto(shop.url);
    await page.getByRole("dialog").waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(requests.filter((request) => request === `GET ${file}`).length, 1);
    assert.deepEqual(faults, []);
  });
});
