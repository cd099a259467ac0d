import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { openPage, skip } from "./browser.ts";
import { newLiveSite, openShop, shopCookies, toPage } from "./site.ts";

const site = await newLiveSite({ cookies: [shopCookies] });
const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types avow`;

describe("a cookie banner", { skip }, () => {
  it("asks, posts the answer with its proof, remembers it, and shows it again", async () => {
    await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Cookies" }).waitFor();
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("switch", { name: "Two" }).click();
    const saved = page.waitForResponse(/\/v1\/app\/consents\//);
    await dialog.getByRole("button", { name: "Save my choices" }).click();
    const [consent] = await (await saved).json();
    assert.equal(consent.grade, "ticketed");
    assert.equal(consent.accept, true);
    assert.deepEqual(consent.preferences.vendors, { one: false, two: true });
    assert.equal(consent.language, "en");
    assert.equal(consent.url, `${shop.url}/`);
    const { body: kept } = await service.fetch(
      `/v1/client/${site.projectId}/consents/${consent.token}`,
      { token: site.token },
    );
    assert.equal(kept.history[0].consentId, consent.consentId);
    await page.reload();
    await page.getByRole("button", { name: "Cookie settings" }).click();
    assert.equal(await dialog.getByRole("switch", { name: "Two" }).isChecked(), true);
    assert.equal(await dialog.getByRole("switch", { name: "One" }).isChecked(), false);
    assert.deepEqual(faults, []);
  });
});
