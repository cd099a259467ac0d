import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { before, describe, it } from "node:test";
import { service } from "../../harness.ts";
import { writeVendorList } from "../../vendor-list.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs, openShared } from "./visits.ts";

const steps = [{ name: "partners", layout: "iab", title: "Partners" }];

/** A paid project whose banner uses IAB's framework. */
async function newTcfSite() {
  const site = await newBannerSite({ isPaid: true });
  const at = `/v1/vault/cookies/${site.cookies.id}`;
  await service.fetch(at, { method: "PATCH", token: site.token, json: { steps } });
  const read = async () =>
    (await service.fetch(`/v1/vault/tcf?projectId=${site.project.id}`, { token: site.token })).body;
  return { ...site, readTcf: read };
}

describe("partners of the TCF in the banner's editor", { skip }, () => {
  before(() => writeVendorList());

  it("are chosen from IAB's list by a search, stored with the CMP's number, and published", async () => {
    const site = await newTcfSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    const dialog = page.getByRole("dialog");
    await page.getByText("No partner is selected yet").waitFor();
    await page.getByRole("button", { name: "Choose partners" }).click();
    await dialog.getByRole("checkbox").first().waitFor();
    assert.equal(await dialog.getByRole("checkbox").count(), 4, "no deleted vendor");
    await dialog.getByLabel("Search by name or number").fill("vendor 8");
    await dialog.getByLabel("Vendor 8").check();
    await dialog.getByLabel("Search by name or number").fill("2");
    await dialog.getByLabel("Vendor 2").check();
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Use 2 partners" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("2 partners", { exact: true }).waitFor();
    await page.getByText("2 · Purposes 1, 3 · legitimate interest for 7").waitFor();
    await page.getByLabel("CMP ID").fill("1");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Enter a number from 2 to 4095.").waitFor();
    await page.getByLabel("CMP ID").fill("31");
    await page.getByLabel("Country of the website’s publisher").fill("fr");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    const [{ vendors, cmpId, publisherCC }, ...others] = await site.readTcf();
    assert.deepEqual([vendors, cmpId, publisherCC, others], [[2, 8], 31, "FR", []]);
    // The preview shows what would be published now.
    const preview = page.frameLocator("iframe");
    await preview.getByText("Partners").first().waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("are read-only for a viewer, and cannot be chosen without a list", async () => {
    const site = await newTcfSite();
    const { token, project } = site;
    const json = { projectId: project.id, cmpId: 31, vendors: [2, 99] };
    await service.fetch("/v1/vault/tcf", { token, json });
    await using visit = await openShared({ id: project.id, token }, "viewer", site.at);
    const { page } = visit;
    await page.getByText("Vendor 2").first().waitFor();
    await page.getByText("Vendor 99, which is no longer in the list").waitFor();
    assert.equal(await page.getByRole("button", { name: "Choose partners" }).count(), 0);
    assert.equal(await page.getByLabel("CMP ID").count(), 0);
    await rm(service.config.tcfVendorList ?? "");
    await using own = await openAs(site, site.at);
    await own.page.getByText(/This service has no IAB vendor list/).waitFor();
    assert.equal(await own.page.getByRole("button", { name: "Choose partners" }).count(), 0);
    await writeVendorList();
  });
});
