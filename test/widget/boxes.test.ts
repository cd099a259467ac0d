import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { newsletter } from "./box-sites.ts";
import { openPage, skip } from "./browser.ts";
import { newLiveSite, openShop, toPage } from "./site.ts";

const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types avow`;
const posts = /\/v1\/app\/consents\//;

describe("a consent box", { skip }, () => {
  it("tells everything before it asks, saves the answer with its proof, and shows it again", async () => {
    const site = await newLiveSite({ processings: [newsletter] });
    const body = `<div data-avow="processing:${site.processings[0]}"></div>`;
    await using shop = await openShop({ "/": toPage(site.projectId, { body }) }, policy);
    await using opened = await openPage();
    const { page, faults, requests } = opened;
    await page.goto(shop.url);
    const box = page.getByRole("group", { name: "Our newsletter" });
    await box.getByText("Once a month, nothing else").waitFor();
    assert.equal(await box.locator("strong").textContent(), "write to you");
    assert.equal(await box.getByText("To send news of the shop by e-mail.").isVisible(), true);
    await box.getByText("Details").click();
    for (const text of [
      "Mailer – Sends the letters",
      "In Lyon, France.",
      "First name",
      "12 months",
    ])
      assert.equal(await box.getByText(text).isVisible(), true, text);
    for (const text of ["Topics are chosen by what you open.", "Here at any time"])
      assert.equal(await box.getByText(text).isVisible(), true, text);
    const website = box.getByRole("link", { name: "mailer.example/privacy" });
    assert.equal(await website.getAttribute("rel"), "noopener noreferrer");
    const saved = page.waitForResponse(posts);
    await box.getByRole("button", { name: "Yes, please" }).click();
    const [consent] = await (await saved).json();
    assert.equal(consent.grade, "ticketed");
    assert.deepEqual(
      [consent.collection, consent.identifier, consent.accept, consent.value, consent.language],
      ["processings", site.processings[0], true, "yes", "en"],
    );
    await page.getByRole("group", { name: "Welcome" }).getByText("See you soon.").waitFor();
    const { body: kept } = await service.fetch(
      `/v1/client/${site.projectId}/consents/${consent.token}`,
      { token: site.token },
    );
    assert.equal(kept.history[0].consentId, consent.consentId);
    requests.length = 0;
    await page.reload();
    await page.getByText("Accepted").waitFor();
    assert.deepEqual(
      requests.filter((sent) => sent.includes("/v1/")),
      [],
      "what is remembered is shown without asking the service",
    );
    assert.deepEqual(faults, []);
  });
});
