import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PurposeRestriction, RestrictionType, TCString } from "@iabtechlabtcf/core";
import { newVendor, smallVendorList } from "../../vendor-list.ts";
import { openPage, skip } from "./browser.ts";
import { openShop, toPage } from "./site.ts";
import { answerBy, ask, dialogOf, newTcfSite, policy, read } from "./tcf.ts";

/** 2 asks consent for 1 and 3 and claims 7; 5 claims 2, and 7 as flexible; 6 asks consent for 7 as flexible. */
const list = {
  ...smallVendorList,
  vendors: {
    ...smallVendorList.vendors,
    6: newVendor(6, { purposes: [1, 7], flexiblePurposes: [7] }),
  },
};
const restrictions = [
  { purpose: 3, type: "not-allowed" },
  { purpose: 7, type: "require-consent", vendors: [2, 5] },
  { purpose: 7, type: "require-legitimate-interest", vendors: [6] },
];

describe("publisher restrictions", { skip }, () => {
  it("are in the TC string, and change what visitors are asked", async () => {
    const site = await newTcfSite([2, 5, 6], list, { restrictions });
    await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    await dialog.getByRole("switch", { name: "Purpose 7", exact: true }).waitFor();
    // Nobody may use it: it is not shown.
    assert.equal(await dialog.getByText("Purpose 3").count(), 0);
    await dialog.getByText("Show the partners (3)").click();
    // It asks consent now.
    await dialog.getByRole("switch", { name: "Vendor 5", exact: true }).waitFor();
    const consent = await answerBy(page, "Accept all");
    const { tcString } = consent.preferences;
    assert.deepEqual(read(tcString), {
      purposes: [1, 7],
      interests: [2, 7],
      specialFeatures: [],
      vendors: [2, 5, 6],
      vendorInterests: [2, 5, 6],
      disclosed: [2, 5, 6],
    });
    const { publisherRestrictions } = TCString.decode(tcString);
    const listOf = (purpose: number, type: RestrictionType) =>
      publisherRestrictions.getVendors(new PurposeRestriction(purpose, type));
    assert.deepEqual(listOf(3, RestrictionType.NOT_ALLOWED), [2]);
    // 2 has not declared the purpose as flexible.
    assert.deepEqual(listOf(7, RestrictionType.REQUIRE_CONSENT), [5]);
    assert.deepEqual(listOf(7, RestrictionType.REQUIRE_LI), [6]);
    const { publisher } = (await ask(page, "getTCData")) as unknown as Record<
      string,
      { restrictions: object }
    >;
    assert.deepEqual(publisher?.restrictions, { 3: { 2: 0 }, 7: { 5: 1, 6: 2 } });
    assert.deepEqual(faults, []);
  });
});
