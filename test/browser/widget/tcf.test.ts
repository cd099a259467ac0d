import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TCString, type VendorList } from "@iabtechlabtcf/core";
import { service } from "../../harness.ts";
import { openPage, skip } from "./browser.ts";
import { openShop, toPage } from "./site.ts";
import {
  CMP_ID,
  answerBy,
  ask,
  dialogOf,
  eventsOf,
  flip,
  listening,
  newTcfSite,
  policy,
  read,
} from "./tcf.ts";

const realPath = join(import.meta.dirname, "../../../../shared/data/gvl-v3-list7.json");
const noRealList = existsSync(realPath) ? false : `no vendor list at ${realPath}`;
describe("the layout iab", { skip }, () => {
  it("encodes exactly the choices in a TC string, records it, and reports it to tags", async () => {
    const site = await newTcfSite([2, 5, 8, 9]);
    await using shop = await openShop({ "/": toPage(site.projectId, { head: listening }) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    await dialog.getByText("We and our partners (4) store information").waitFor();
    const switches = dialog.getByRole("switch");
    for (const one of await switches.all()) assert.equal(await one.isChecked(), false);
    await flip(page, "Purpose 1");
    await flip(page, "Special feature 1");
    await flip(page, "Object to legitimate interest: Purpose 7");
    await dialog.getByText("Show the partners (4)").click();
    await flip(page, "Vendor 9");
    await flip(page, "Object to legitimate interest: Vendor 2");
    const consent = await answerBy(page, "Save my choices");
    const { tcString } = consent.preferences;
    assert.deepEqual(read(tcString), {
      purposes: [1],
      interests: [2],
      specialFeatures: [1],
      vendors: [9],
      // 8 declares special purposes only.
      vendorInterests: [5, 8],
      disclosed: [2, 5, 8, 9],
    });
    const model = TCString.decode(tcString);
    assert.equal(model.cmpId, CMP_ID);
    assert.equal(model.cmpVersion, 3);
    assert.equal(model.consentLanguage, "EN");
    assert.equal(model.publisherCountryCode, "FR");
    assert.equal(model.vendorListVersion, 12);
    assert.equal(model.policyVersion, 5);
    assert.equal(model.isServiceSpecific, true);
    assert.equal(tcString.split(".").length, 3, "core, disclosed vendors, publisher");
    assert.equal(consent.accept, true);
    assert.equal(consent.grade, "ticketed");
    const { body: kept } = await service.fetch(
      `/v1/client/${site.projectId}/consents/${consent.token}`,
      { token: site.token },
    );
    assert.equal(kept.history[0].preferences.tcString, tcString);
    const events = await eventsOf(page);
    assert.deepEqual(
      events.map(({ eventStatus }) => eventStatus),
      ["cmpuishown", "useractioncomplete"],
    );
    assert.equal(events[0]?.tcString, "");
    assert.equal(events[1]?.tcString, tcString);
    assert.equal(events[1]?.["gdprApplies"], true);
    assert.deepEqual(faults, []);
  });

  it("remembers the answer: later pages report it to tags at once, ask nothing, and show the choices", async () => {
    const site = await newTcfSite([2, 5, 8, 9]);
    await using shop = await openShop({ "/": toPage(site.projectId, { head: listening }) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    await dialogOf(page).waitFor();
    await flip(page, "Purpose 3");
    await flip(page, "Object to legitimate interest: Purpose 2");
    const { preferences } = await answerBy(page, "Save my choices");
    await page.reload();
    await page.getByRole("button", { name: "Cookie settings" }).waitFor();
    assert.equal(await dialogOf(page).count(), 0);
    const [loaded, ...more] = await eventsOf(page);
    assert.equal(loaded?.eventStatus, "tcloaded");
    assert.equal(loaded.tcString, preferences.tcString);
    assert.deepEqual(more, []);
    await page.getByRole("button", { name: "Cookie settings" }).click();
    const isOn = (name: string) =>
      dialogOf(page).getByRole("switch", { name, exact: true }).isChecked();
    assert.equal(await isOn("Purpose 3"), true);
    assert.equal(await isOn("Purpose 1"), false);
    assert.equal(await isOn("Object to legitimate interest: Purpose 2"), true);
    assert.equal(await isOn("Object to legitimate interest: Purpose 7"), false);
    await page.keyboard.press("Escape");
    assert.equal((await ask(page, "getTCData")).tcString, preferences.tcString);
    assert.deepEqual(faults, []);
  });

  it("objects to every interest on refusal, and does the opposite on acceptance", async () => {
    const site = await newTcfSite([2, 5, 8, 9]);
    await using shop = await openShop({ "/": toPage(site.projectId, { head: listening }) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const refused = await answerBy(page, "Refuse all");
    assert.equal(refused.accept, false);
    assert.deepEqual(read(refused.preferences.tcString), {
      purposes: [],
      interests: [],
      specialFeatures: [],
      vendors: [],
      vendorInterests: [8],
      disclosed: [2, 5, 8, 9],
    });
    await page.getByRole("button", { name: "Cookie settings" }).click();
    const accepted = await answerBy(page, "Accept all");
    assert.equal(accepted.accept, true);
    assert.deepEqual(read(accepted.preferences.tcString), {
      purposes: [1, 3],
      interests: [2, 7],
      specialFeatures: [1],
      vendors: [2, 9],
      vendorInterests: [2, 5, 8],
      disclosed: [2, 5, 8, 9],
    });
    assert.deepEqual(faults, []);
  });
});

describe("the layout iab on a real vendor list", { skip: skip || noRealList }, () => {
  it("asks for all of its vendors, and its TC string decodes to the choices", async () => {
    const list = JSON.parse(await readFile(realPath, "utf8")) as VendorList;
    const ids = Object.values(list.vendors)
      .filter((one) => !one.deletedDate)
      .map(({ id }) => id);
    const site = await newTcfSite(ids, list);
    await using shop = await openShop({ "/": toPage(site.projectId, { head: listening }) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    const { 1: storage, 4: profile } = list.purposes;
    await flip(page, storage?.name ?? "");
    await flip(page, profile?.name ?? "");
    await flip(page, `Object to legitimate interest: ${list.purposes["10"]?.name}`);
    await flip(page, list.specialFeatures["1"]?.name ?? "");
    await dialog.getByText(`Show the partners (${ids.length})`).click();
    const rows = dialog.locator(".partners li");
    await rows.nth(ids.length - 1).waitFor({ state: "attached" });
    const chosen = Object.values(list.vendors).filter(({ id }) => [1, 2, 755].includes(id));
    for (const { name } of chosen) await flip(page, name);
    const consent = await answerBy(page, "Save my choices");
    const claiming = Object.values(list.vendors).filter(
      ({ purposes, legIntPurposes, specialPurposes }) =>
        legIntPurposes.length > 0 || (purposes.length === 0 && specialPurposes.length > 0),
    );
    const all = [...new Set(Object.values(list.vendors).flatMap((one) => one.legIntPurposes))];
    assert.deepEqual(read(consent.preferences.tcString), {
      purposes: [1, 4],
      interests: all.filter((id) => id !== 10).toSorted((a, b) => a - b),
      specialFeatures: [1],
      vendors: chosen.map(({ id }) => id),
      vendorInterests: claiming.map(({ id }) => id).filter((id) => ids.includes(id)),
      disclosed: ids,
    });
    assert.deepEqual(faults, []);
  });
});
