import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { buildApis, getApi, runSandboxed } from "../../tag-manager/sandbox.ts";
import { readTemplate } from "../../tag-manager/template.ts";
import { openPage, skip, waitUntilTrue } from "../widget/browser.ts";
import { newLiveSite, openShop } from "../widget/site.ts";
import { openThirdParties } from "../widget/third-parties.ts";
import { type Visit, press, readMemory } from "../widget/visits.ts";
import { type Command, buildContainer } from "./container.ts";

const analytics = "https://tags.example/analytics";
const ads = "https://tags.example/ads";
/** The template requires HTTPS: requests to this address go to the service of the test. */
const address = "https://consent.example";
const shop = {
  name: "shop",
  language: "en",
  isDefault: true,
  googleConsentMode: { default: {} },
  steps: [
    {
      name: "partners",
      layout: "category",
      title: "Cookies",
      vendors: [
        { name: "analytics", title: "Analytics", googleConsentMode: ["analytics_storage"] },
        {
          name: "ads",
          title: "Ads",
          googleConsentMode: ["ad_storage", "ad_user_data", "ad_personalization"],
        },
      ],
    },
  ],
};
const regions = [
  { in: ["US"], model: "opt-out" },
  { in: ["*"], model: "opt-in" },
];
const site = await newLiveSite({
  cookies: [shop, { ...shop, name: "regional", isDefault: false, regions }],
});
const denied = {
  ad_storage: "denied",
  ad_user_data: "denied",
  ad_personalization: "denied",
  analytics_storage: "denied",
};
const granted = Object.fromEntries(Object.keys(denied).map((type) => [type, "granted"]));
const fields = {
  service: address,
  project: site.projectId,
  waitForUpdate: 500,
  adsDataRedaction: true,
  defaults: [{ region: "US", ...denied, analytics_storage: "granted" }],
};

/** Visits a page whose only script is the container with the template. */
async function openContainer(region: string, given: object = {}) {
  const opened = new AsyncDisposableStack();
  const container = await buildContainer({
    template: readTemplate("avow.tpl"),
    fields: { ...fields, ...given },
    region,
    tags: [
      { signal: "analytics_storage", address: analytics },
      { signal: "ad_storage", address: ads },
    ],
  });
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script>${container}</script></head><body><h1>Shop</h1></body></html>`;
  const server = opened.use(await openShop({ "/": html }));
  const profile = opened.use(await openPage());
  const { page } = profile;
  const third = await openThirdParties(page.context(), server.url, address);
  await page.route(`${address}/**`, async (route) => {
    const url = route.request().url().replace(address, service.url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  // A request that is under way when the page closes would fail in the handler above.
  opened.defer(() => page.unrouteAll({ behavior: "wait" }));
  await page.goto(server.url);
  const visit: Visit = {
    ...profile,
    shop: server,
    dialog: page.getByRole("dialog"),
    launcher: page.locator("avow-widget button.icon"),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  const countTags = async () => {
    // Requests of a page are reported in their order, so those of tags come before this one.
    await page.evaluate(
      `fetch("https://tags.example/sentinel", { mode: "no-cors" }).then(() => {})`,
    );
    return { analytics: third.count(analytics), ads: third.count(ads) };
  };
  return { ...visit, countTags };
}

const readCommands = (page: Page): Promise<Command[]> => page.evaluate("tagManager.commands");

describe("the template of Google Tag Manager", { skip }, () => {
  it("denies by region, then fires tags once after acceptance, and at once on the next page", async () => {
    await using visit = await openContainer("FR-IDF");
    const { page, dialog, launcher, faults, countTags } = visit;
    await dialog.waitFor();
    const defaults: Command[] = [
      [
        "default",
        { ...denied, analytics_storage: "granted", region: ["US"], wait_for_update: 500 },
      ],
      ["default", { ...denied, wait_for_update: 500 }],
    ];
    assert.deepEqual(await readCommands(page), defaults);
    assert.deepEqual(await page.evaluate("tagManager.sets"), [
      { ads_data_redaction: true, url_passthrough: false },
    ]);
    assert.deepEqual(await page.evaluate("tagManager.ended"), ["success"]);
    await press(visit, "Refuse all");
    assert.deepEqual((await readCommands(page)).slice(2), [
      ["gtag update", denied],
      ["update", denied],
    ]);
    assert.deepEqual(await countTags(), { analytics: 0, ads: 0 });

    await launcher.click();
    await press(visit, "Accept all");
    assert.deepEqual((await readCommands(page)).slice(4), [
      ["gtag update", granted],
      ["update", granted],
    ]);
    assert.deepEqual(await countTags(), { analytics: 1, ads: 1 });

    await page.reload();
    await launcher.waitFor();
    const [first, second, third, ...later] = await readCommands(page);
    assert.deepEqual([first, second, third], [...defaults, ["update", granted]]);
    for (const [name, state] of later) {
      assert.match(name, /update$/);
      assert.deepEqual(state, granted);
    }
    assert.deepEqual(await countTags(), { analytics: 2, ads: 2 });
    assert.deepEqual(faults, []);
  });

  it("grants what the row of the visitor's region grants, until the visitor refuses", async () => {
    await using visit = await openContainer("US-CA");
    const { page, dialog, countTags } = visit;
    await dialog.waitFor();
    assert.deepEqual(await countTags(), { analytics: 1, ads: 0 });
    await press(visit, "Refuse all");
    assert.deepEqual((await readCommands(page)).at(-1), ["update", denied]);
    assert.deepEqual(await countTags(), { analytics: 1, ads: 0 });
  });

  it("denies until the widget grants what a rule of its configuration lets run", async () => {
    await using visit = await openContainer("US-CA", {
      defaults: [],
      options: [
        { name: "cookies", value: "regional" },
        { name: "region", value: "US-CA" },
      ],
    });
    const { page, dialog, countTags } = visit;
    await dialog.waitFor();
    assert.deepEqual(await readCommands(page), [
      ["default", { ...denied, wait_for_update: 500 }],
      ["gtag update", granted],
    ]);
    assert.deepEqual(await countTags(), { analytics: 1, ads: 1 });
  });

  it("leaves Microsoft's default to the widget", async () => {
    await using visit = await openContainer("FR-IDF");
    await visit.dialog.waitFor();
    assert.deepEqual(await visit.page.evaluate("uetq"), [
      "consent",
      "default",
      { ad_storage: "denied" },
    ]);
  });

  it("fails if the script cannot be loaded, with everything denied", async () => {
    await using visit = await openContainer("FR-IDF");
    const { page, dialog, countTags } = visit;
    await dialog.waitFor();
    await page.route(`${address}/widget.js?**`, (route) => route.abort());
    await page.reload();
    await waitUntilTrue(page, "tagManager.ended.length > 0");
    assert.deepEqual(await page.evaluate("tagManager.ended"), ["failure"]);
    assert.deepEqual(await countTags(), { analytics: 0, ads: 0 });
  });
});

describe("the variable of a server container", { skip }, () => {
  it("reads the answer from the cookie of a request", async () => {
    await using visit = await openContainer("FR-IDF");
    const { page, dialog } = visit;
    await dialog.getByRole("switch", { name: "Analytics" }).click();
    const { token } = await press(visit, "Save my choices");
    const received = page.waitForRequest(/\?read$/);
    await page.goto(`${visit.shop.url}/?read`);
    const { cookie = "" } = await (await received).allHeaders();
    const template = readTemplate("avow-server-variable.tpl");
    const read = (data: Record<string, unknown>): unknown => {
      const apis = buildApis(template.permissions, {
        readCookies: (name) =>
          cookie
            .split("; ")
            .filter((one) => one.startsWith(`${name}=`))
            .map((one) => one.slice(name.length + 1)),
        setDefaultConsent: () => undefined,
        updateConsent: () => undefined,
        setFields: () => undefined,
        loadScript: () => undefined,
        page: {},
      });
      return runSandboxed(template.code, { require: (name: string) => getApi(apis, name), data });
    };
    assert.equal(read({ value: "vendor", vendor: "analytics" }), true);
    assert.equal(read({ value: "vendor", vendor: "ads" }), false);
    assert.deepEqual(read({ value: "signals" }), { ...denied, analytics_storage: "granted" });
    assert.equal(read({ value: "signal", signal: "analytics_storage" }), "granted");
    assert.equal(read({ value: "token" }), token);
    assert.equal((await readMemory(page))?.["$$token"], token);
  });
});
