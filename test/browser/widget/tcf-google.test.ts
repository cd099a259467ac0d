import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { openPage, skip } from "./browser.ts";
import { openShop, toPage } from "./site.ts";
import {
  answerBy,
  ask,
  dialogOf,
  eventsOf,
  flip,
  keepNoFiles,
  listening,
  newTcfSite,
  policy,
} from "./tcf.ts";

const googleProviders = [
  { id: 89, name: "Provider 89", policyUrl: "https://provider-89.example/privacy" },
  { id: 43, name: "Provider 43" },
  { id: 70, name: "Provider 70" },
];

describe("Google's Additional Consent", { skip }, () => {
  it("has the choices for Google's providers in TCData, in the record and on the next page", async () => {
    const site = await newTcfSite([2, 5], undefined, { googleProviders });
    await using shop = await openShop({ "/": toPage(site.projectId, { head: listening }) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    await dialog.getByText("We and our partners (5) store information").waitFor();
    await flip(page, "Purpose 1");
    await dialog.getByText("Show the partners (5)").click();
    await dialog.locator('a[href="https://provider-89.example/privacy"]').waitFor();
    assert.equal(
      await dialog.getByRole("switch", { name: "Provider 89", exact: true }).isChecked(),
      false,
    );
    await flip(page, "Provider 89");
    await flip(page, "Provider 43");
    const consent = await answerBy(page, "Save my choices");
    assert.equal(consent.accept, true, "a purpose for a provider");
    assert.equal(consent.preferences.addtlConsent, "2~43.89~dv.70");
    const { body: kept } = await service.fetch(
      `/v1/client/${site.projectId}/consents/${consent.token}`,
      { token: site.token },
    );
    assert.equal(kept.history[0].preferences.addtlConsent, "2~43.89~dv.70");
    const [shown, answered] = await eventsOf(page);
    assert.equal(shown?.["addtlConsent"], undefined);
    assert.equal(answered?.["addtlConsent"], "2~43.89~dv.70");
    await page.reload();
    await page.getByRole("button", { name: "Cookie settings" }).click();
    await dialog.getByText("Show the partners (5)").click();
    const isOn = (name: string) => dialog.getByRole("switch", { name, exact: true }).isChecked();
    assert.deepEqual([await isOn("Provider 43"), await isOn("Provider 70")], [true, false]);
    assert.equal((await ask(page, "getTCData"))["addtlConsent"], "2~43.89~dv.70");
    const all = await answerBy(page, "Accept all");
    assert.equal(all.preferences.addtlConsent, "2~43.70.89~dv.");
    await page.getByRole("button", { name: "Cookie settings" }).click();
    const none = await answerBy(page, "Refuse all");
    assert.equal(none.preferences.addtlConsent, "2~~dv.43.70.89");
    assert.equal(none.accept, false);
    // The library also passes the result of removing a listener.
    assert.equal(
      await page.evaluate(
        "new Promise((resolve) => __tcfapi('removeEventListener', 2, resolve, events[0].listenerId))",
      ),
      true,
    );
    assert.deepEqual(faults, []);
  });

  it("asks again when a provider was added, and has no string without providers", async () => {
    const site = await newTcfSite([2, 5]);
    await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
    await using opened = await openPage();
    const { page } = opened;
    await keepNoFiles(page);
    await page.goto(shop.url);
    const { preferences } = await answerBy(page, "Accept all");
    assert.equal("addtlConsent" in preferences, false);
    assert.equal((await ask(page, "getTCData"))["addtlConsent"], undefined);
    const { body } = await service.fetch(`/v1/vault/tcf?projectId=${site.projectId}`, {
      token: site.token,
    });
    await service.fetch(`/v1/vault/tcf/${body[0].id}`, {
      method: "PATCH",
      token: site.token,
      json: { googleProviders },
    });
    await site.publish();
    await page.reload();
    await dialogOf(page).waitFor();
    const again = await answerBy(page, "Refuse all");
    assert.equal(again.preferences.addtlConsent, "2~~dv.43.70.89");
  });
});
