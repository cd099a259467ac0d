import assert from "node:assert/strict";
import { describe, it } from "node:test";
import axe from "axe-core";
import { GVL, TCModel, TCString, type VendorList } from "@iabtechlabtcf/core";
import { service } from "../../harness.ts";
import { newVendor, smallVendorList, writeVendorList } from "../../vendor-list.ts";
import { openPage, skip } from "./browser.ts";
import { openShop, toPage } from "./site.ts";
import {
  CMP_ID,
  type Event,
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

describe("the layout iab, from page to page", { skip }, () => {
  it("records no TC string for Escape or an answer by the page itself", async () => {
    const site = await newTcfSite([2]);
    await using shop = await openShop({ "/": toPage(site.projectId, { head: listening }) }, policy);
    await using opened = await openPage();
    const { page } = opened;
    await page.goto(shop.url);
    await dialogOf(page).waitFor();
    assert.equal((await ask(page, "ping"))["displayStatus"], "visible");
    await flip(page, "Purpose 1");
    await dialogOf(page).press("Escape");
    await page.getByRole("button", { name: "Cookie settings" }).waitFor();
    const ping = await ask(page, "ping");
    assert.equal(ping["displayStatus"], "hidden");
    assert.equal(ping["gdprApplies"], true);
    assert.equal(ping["gvlVersion"], 12);
    assert.equal(ping["cmpId"], CMP_ID);
    await page.getByRole("button", { name: "Cookie settings" }).click();
    await flip(page, "Purpose 3");
    const saved = page.waitForResponse(/\/v1\/app\/consents\//);
    await page.evaluate("window.avow.answer({})");
    const [consent] = await (await saved).json();
    assert.equal(consent.preferences.tcString, undefined);
    assert.deepEqual(
      (await eventsOf(page)).map(({ eventStatus, tcString }) => [eventStatus, tcString]),
      [
        ["cmpuishown", ""],
        ["cmpuishown", ""],
      ],
    );
    await page.reload();
    await dialogOf(page).waitFor();
  });

  it("answers messages from frames of other origins", async () => {
    const site = await newTcfSite([2, 5]);
    await using frame = await openShop({
      "/": `<!doctype html><title>Tag</title><script>
        const has = (one) => { try { return Boolean(one.frames.__tcfapiLocator); } catch { return false; } };
        let locator = window;
        while (!has(locator) && locator !== window.top) locator = locator.parent;
        const asked = {};
        const ask = (command, asText) => new Promise((resolve) => {
          const callId = String(Math.random());
          asked[callId] = resolve;
          const call = { __tcfapiCall: { command, version: 2, callId } };
          locator.postMessage(asText ? JSON.stringify(call) : call, "*");
        });
        addEventListener("message", ({ data }) => {
          const { __tcfapiReturn: { callId, returnValue, success } } = typeof data === "string" ? JSON.parse(data) : data;
          asked[callId]?.({ returnValue, success, type: typeof data });
        });
      </script>`,
    });
    const body = `<iframe src="${frame.url}" title="Tag"></iframe>`;
    await using shop = await openShop(
      { "/": toPage(site.projectId, { body }) },
      `${policy}; frame-src ${frame.url}`,
    );
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const { preferences } = await answerBy(page, "Accept all");
    // The frame existed before the API did.
    await page
      .locator(`iframe[src="${frame.url}"]`)
      .evaluate((one) => one.replaceWith(one.cloneNode()));
    const tag = page.frameLocator(`iframe[src="${frame.url}"]`).locator("html");
    for (const asText of [true, false]) {
      const answer = (await tag.evaluate(`ask("getTCData", ${asText})`)) as {
        returnValue: Event;
        success: boolean;
        type: string;
      };
      assert.equal(answer.returnValue.tcString, preferences.tcString);
      assert.equal(answer.success, true);
      assert.equal(answer.type, asText ? "string" : "object");
    }
    await page.evaluate(
      `for (const wrong of ["{__tcfapiCall", '{"__tcfapiCall":1}', null, 7, { other: 1 }]) postMessage(wrong, "*")`,
    );
    assert.deepEqual(faults, []);
  });

  it("shows each partner's declarations on request", async () => {
    const site = await newTcfSite([2, 5, 8, 9]);
    await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    await dialog.getByText("Show the partners (4)").click();
    await dialog.getByLabel("Details: Vendor 2").click();
    await dialog.getByText("Purpose 1 (60 days)").waitFor();
    await dialog.getByText("Purpose 3 (30 days)").waitFor();
    await dialog.getByText("90 days, renewed at each visit").waitFor();
    const links = await dialog
      .getByRole("link")
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    assert.deepEqual(links, [
      "https://vendor-2.example/privacy",
      "https://vendor-2.example/claim",
      "https://vendor-2.example/storage.json",
    ]);
    assert.equal(await dialog.getByRole("switch", { name: "Vendor 5", exact: true }).count(), 0);
    assert.deepEqual(faults, []);
  });

  it("is accessible with its list and its details open", async () => {
    const site = await newTcfSite([2, 5, 8, 9]);
    await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
    await using opened = await openPage({ reducedMotion: "reduce" });
    const { page } = opened;
    await page.goto(shop.url);
    const dialog = dialogOf(page);
    await dialog.getByLabel("Details: Purpose 1").press("Enter");
    await dialog.getByText("Show the partners (4)").press("Enter");
    await dialog.getByLabel("Details: Vendor 2").press("Enter");
    await dialog.getByText("Purpose 1 (60 days)").waitFor();
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run('avow-widget')")) as axe.AxeResults;
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    );
  });

  const changes: [string, object, number[]?][] = [
    ["a vendor was added", smallVendorList, [2, 5]],
    ["the policy version changed", { ...smallVendorList, tcfPolicyVersion: 6 }],
    [
      "a vendor's declarations changed",
      {
        ...smallVendorList,
        vendorListVersion: 13,
        vendors: { ...smallVendorList.vendors, 2: newVendor(2, { purposes: [1, 2, 3] }) },
      },
    ],
  ];
  for (const [what, list, vendors] of changes)
    it(`asks again when ${what}`, async () => {
      const { site, tcf } = await newChangingSite([2]);
      await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
      await using opened = await openPage();
      const { page } = opened;
      await keepNoFiles(page);
      await page.goto(shop.url);
      await answerBy(page, "Refuse all");
      await writeVendorList(list);
      if (vendors) await tcf({ vendors });
      await site.publish();
      await page.goto(shop.url);
      await dialogOf(page).waitFor();
    });

  it("does not ask again when a vendor is removed or the list is only newer, but after 13 months", async () => {
    const { site, tcf } = await newChangingSite([2, 5, 9]);
    await using shop = await openShop({ "/": toPage(site.projectId) }, policy);
    await using opened = await openPage();
    const { page } = opened;
    await keepNoFiles(page);
    await page.goto(shop.url);
    await answerBy(page, "Refuse all");
    await writeVendorList({ ...smallVendorList, vendorListVersion: 14 });
    await tcf({ vendors: [2, 9] });
    await site.publish();
    await page.goto(shop.url);
    await page.getByRole("button", { name: "Cookie settings" }).waitFor();
    assert.equal(await dialogOf(page).count(), 0);
    const old = toOldString([2, 9]);
    await page.evaluate((tcString) => {
      const name = "axeptio_cookies=";
      const shown = globalThis as unknown as { document: { cookie: string } };
      const kept = shown.document.cookie.split("; ").find((one) => one.startsWith(name)) ?? "";
      const memory = {
        ...JSON.parse(decodeURIComponent(kept.slice(name.length))),
        $$tcString: tcString,
      };
      shown.document.cookie = `${name}${encodeURIComponent(JSON.stringify(memory))};path=/`;
    }, old);
    await page.goto(shop.url);
    await dialogOf(page).waitFor();
  });
});

/** A site, and a function that changes its tcf document. */
async function newChangingSite(vendors: readonly number[]) {
  const site = await newTcfSite(vendors);
  const { body } = await service.fetch(`/v1/vault/tcf?projectId=${site.projectId}`, {
    token: site.token,
  });
  const tcf = async (json: object): Promise<void> => {
    const path = `/v1/vault/tcf/${body[0].id}`;
    const { status } = await service.fetch(path, { method: "PATCH", token: site.token, json });
    assert.equal(status, 200);
  };
  return { site, tcf };
}

/** A TC string that is still correct, but 14 months old. */
function toOldString(vendors: readonly number[]): string {
  const model = new TCModel(new GVL(smallVendorList as unknown as VendorList));
  model.cmpId = CMP_ID;
  model.vendorsDisclosed.set([...vendors]);
  const then = service.clock.now();
  then.setMonth(then.getMonth() - 14);
  Object.assign(model, { created: then, lastUpdated: then });
  return TCString.encode(model);
}
