import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { smallVendorList } from "../../vendor-list.ts";
import { findViolations } from "./axe.ts";
import { openPage, skip } from "./browser.ts";
import { newLiveSite, openShop, toPage } from "./site.ts";
import { CMP_ID, answerBy, dialogOf, newTcfSite, policy, read } from "./tcf.ts";

const stack = (id: number, purposes: number[], specialFeatures: number[] = []) => ({
  id,
  name: `Stack ${id}`,
  description: `Meaning of stack ${id}.`,
  purposes,
  specialFeatures,
});
/** 1 fits the vendors 2 and 9, 2 does not. */
const list = { ...smallVendorList, stacks: { 1: stack(1, [3, 7]), 2: stack(2, [3, 7, 11]) } };

const body = "<main><h1>Shop</h1></main>";

describe("stacks", { skip }, () => {
  it("group the purposes, of which each keeps its own choice", async () => {
    const site = await newTcfSite([2, 9], list);
    await using shop = await openShop({ "/": toPage(site.projectId, { body }) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    await dialog.getByRole("heading", { name: "Stack 1", exact: true }).waitFor();
    await dialog.getByText("Meaning of stack 1.").waitFor();
    assert.equal(await dialog.getByText("Stack 2").count(), 0);
    const purposes = dialog.getByRole("switch", { name: /^Purpose \d$/ });
    assert.equal(await purposes.count(), 2, "7 is a legitimate interest only");
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("switch", { name: "Purpose 3", exact: true }).click();
    const consent = await answerBy(page, "Save my choices");
    assert.deepEqual(read(consent.preferences.tcString).purposes, [3]);
    assert.deepEqual(faults, []);
  });

  it("replace their purposes in a first layer without choices", async () => {
    const site = await newLiveSite({
      cookies: [
        {
          name: "layered",
          language: "en",
          steps: [
            { name: "welcome", layout: "welcome", title: "Cookies", message: "<p>May we?</p>" },
            { name: "partners", layout: "iab", title: "Partners" },
          ],
        },
      ],
      tcf: { cmpId: CMP_ID, vendors: [2, 9] },
    });
    await using shop = await openShop({ "/": toPage(site.projectId, { body }) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    await dialog.getByText("Stack 1", { exact: true }).click();
    await dialog.getByText("Meaning of stack 1.").waitFor();
    assert.deepEqual(await dialog.locator(".names > li").allInnerTexts(), [
      "Stack 1\n\nMeaning of stack 1.",
      "Purpose 1",
      "Special feature 1",
    ]);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(faults, []);
  });
});
