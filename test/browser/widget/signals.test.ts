import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import { openVisit, press, readHistory } from "./visits.ts";

const [welcome, analytics] = shopCookies.steps;
const signals = { one: ["analytics_storage"], two: { ad_storage: true, ad_user_data: true } };
const vendors = Object.entries(signals).map(([name, googleConsentMode]) => ({
  name,
  title: name === "one" ? "One" : "Two",
  googleConsentMode,
}));
const site = await newLiveSite({
  cookies: [
    {
      ...shopCookies,
      googleConsentMode: { default: { analytics_storage: "granted" } },
      steps: [welcome, { ...analytics, vendors }],
    },
  ],
});
const commands =
  "dataLayer.map((one) => one.event ? { ...one } : [...one]).filter((one) => one.event !== 'gtm.js')";
const none = {
  ad_storage: "denied",
  ad_user_data: "denied",
  ad_personalization: "denied",
  analytics_storage: "denied",
};

describe("consent modes and signals", { skip }, () => {
  it("start with all denied regardless of the configuration, then send the answer, then its event", async () => {
    await using visit = await openVisit(site);
    const { page, dialog } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await dialog.getByRole("switch", { name: "Two" }).click();
    const first = ["consent", "default", { ...none, wait_for_update: 500 }];
    assert.deepEqual(await page.evaluate(commands), [first]);
    assert.deepEqual(await page.evaluate("uetq"), ["consent", "default", { ad_storage: "denied" }]);
    const { preferences } = await press(visit, "Save my choices");
    const granted = { ...none, ad_storage: "granted", ad_user_data: "granted" };
    assert.deepEqual(await page.evaluate(commands), [
      first,
      ["consent", "update", granted],
      {
        event: "avow_answered",
        avow_accepted: ",two,",
        avow_vendors: { one: false, two: true },
      },
    ]);
    const update = ["consent", "update", { ad_storage: "granted" }];
    assert.deepEqual((await page.evaluate<unknown[]>("uetq")).slice(3), update);
    assert.deepEqual(preferences, {
      ...preferences,
      vendors: { one: false, two: true },
      googleConsentMode: granted,
    });
    await page.reload();
    await visit.launcher.waitFor();
    assert.deepEqual(await page.evaluate(commands), [first, ["consent", "update", granted]]);
    assert.deepEqual(visit.faults, []);
  });

  it("are all denied before the project's file has loaded, if the page asks for that", async () => {
    const held = Promise.withResolvers<void>();
    await using visit = await openVisit(site, {
      attributes: "data-consent-mode",
      prepare: (page) =>
        page.route(/\/cdn\/.*\.json$/, async (route) => {
          await held.promise;
          await route.continue();
        }),
    });
    const { page, dialog } = visit;
    await waitUntilTrue(page, "window.dataLayer?.length > 0");
    const first = ["consent", "default", { ...none, wait_for_update: 500 }];
    assert.deepEqual(await page.evaluate(commands), [first]);
    assert.equal(await dialog.count(), 0);
    held.resolve();
    await press(visit, "Refuse all");
    assert.deepEqual((await page.evaluate<unknown[]>(commands)).slice(0, 2), [
      first,
      ["consent", "update", none],
    ]);
  });

  it("leave the default of Google's tags to a site that says so in the script's address", async () => {
    const address = `${service.url}/widget.js?project=${site.projectId}&consentMode=site`;
    await using visit = await openVisit(site, {
      path: "/own",
      pages: {
        "/own": `<!doctype html><title>Shop</title><script async src="${address}"></script><h1>Shop</h1>`,
      },
    });
    const { page } = visit;
    await press(visit, "Refuse all");
    assert.deepEqual((await page.evaluate<unknown[]>(commands))[0], ["consent", "update", none]);
    const first = ["consent", "default", { ad_storage: "denied" }];
    assert.deepEqual((await page.evaluate<unknown[]>("uetq")).slice(0, 3), first);
    assert.deepEqual(visit.faults, []);
  });

  it("show that Global Privacy Control is honoured, and record it", async () => {
    await using visit = await openVisit(site, {
      extraHTTPHeaders: { "sec-gpc": "1" },
      prepare: (page) =>
        page.addInitScript(
          "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
        ),
    });
    const { dialog, launcher } = visit;
    const note = dialog.getByText("Global Privacy Control is honoured");
    await note.waitFor();
    const { token } = await press(visit, "Refuse all");
    const [record] = await readHistory(site, token);
    assert.equal((record?.["signals"] as { gpc?: boolean } | undefined)?.gpc, true);
    await launcher.click();
    await note.waitFor();
  });

  it("do not claim to honour Global Privacy Control after a visitor has accepted all", async () => {
    await using visit = await openVisit(site, {
      prepare: (page) =>
        page.addInitScript(
          "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })",
        ),
    });
    const { dialog, launcher } = visit;
    const note = dialog.getByText("is honoured");
    await note.waitFor();
    await press(visit, "Accept all");
    await launcher.click();
    await dialog.waitFor();
    assert.equal(await note.count(), 0);
    await press(visit, "Refuse all");
    await launcher.click();
    await note.waitFor();
  });

  it("do not mention Global Privacy Control when the browser does not send it", async () => {
    await using visit = await openVisit(site);
    await visit.dialog.waitFor();
    assert.equal(await visit.dialog.getByText("Global Privacy Control").count(), 0);
  });
});
