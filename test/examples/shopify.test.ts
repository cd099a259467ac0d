import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { type OpenPage, openPage, skip, waitUntilTrue } from "../browser/widget/browser.ts";
import {
  type LiveSite,
  type Shop,
  newLiveSite,
  openShop,
  shopCookies,
  toPage,
} from "../browser/widget/site.ts";

const folder = join(import.meta.dirname, "../../integrations/shopify/avow");

/**
 * A stand-in of Shopify's Customer Privacy API, from its documentation. It notes each call, stores the consent, and
 * dispatches the event, as Shopify does.
 */
const shopify = `<script>
window.calls = JSON.parse(sessionStorage.calls ?? "[]");
window.Shopify = {
  loadFeatures(features, done) {
    if (features[0].name !== "consent-tracking-api") throw new Error("unknown feature");
    setTimeout(() => {
      const yes = (value) => (value === undefined ? "" : value ? "yes" : "no");
      const read = () => JSON.parse(localStorage.consent ?? "{}");
      window.Shopify.customerPrivacy = {
        currentVisitorConsent() {
          const { analytics, marketing, preferences, sale_of_data } = read();
          return { analytics: yes(analytics), marketing: yes(marketing), preferences: yes(preferences), sale_of_data: yes(sale_of_data) };
        },
        setTrackingConsent(consent, done) {
          calls.push(consent);
          sessionStorage.calls = JSON.stringify(calls);
          localStorage.consent = JSON.stringify({ ...read(), ...consent });
          window.collect(read());
          done();
        },
      };
      done(undefined);
    }, 10);
  },
};
window.collect = ({ analytics, marketing, preferences, sale_of_data }) =>
  document.dispatchEvent(new CustomEvent("visitorConsentCollected", { detail: {
    analyticsAllowed: analytics ?? false, marketingAllowed: marketing ?? false,
    preferencesAllowed: preferences ?? false, saleOfDataAllowed: sale_of_data ?? false } }));
</script>`;

describe("the app block for Shopify", { skip }, () => {
  let site: LiveSite;
  before(async () => {
    site = await newLiveSite({ cookies: [shopCookies] });
  });

  /** Opens a shop whose analytics depend on the vendor `one`, and marketing and sale on `two`. */
  async function openStore(): Promise<OpenPage & { shop: Shop }> {
    const script = await readFile(join(folder, "assets/avow-shopify.js"), "utf8");
    const head = `${shopify}<script src="/avow-shopify.js" data-analytics="one, shop" data-marketing="two" data-preferences="" data-sale-of-data="two" defer></script>`;
    const shop = await openShop({
      "/": toPage(site.projectId, { head }),
      "/avow-shopify.js": (_request, response) =>
        response.writeHead(200, { "content-type": "text/javascript" }).end(script),
    });
    const opened = await openPage();
    await opened.page.goto(shop.url);
    return {
      ...opened,
      shop,
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]();
        await shop[Symbol.asyncDispose]();
      },
    };
  }

  const readCalls = (page: Page) => page.evaluate<unknown[]>("window.calls");
  const press = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name }).click();
  const refusal = { analytics: false, marketing: false, sale_of_data: false };
  const acceptance = { analytics: true, marketing: true, sale_of_data: true };

  it("leaves Shopify's own default before an answer, and passes a refusal", async () => {
    await using store = await openStore();
    const { page } = store;
    await page.getByRole("dialog").waitFor();
    await waitUntilTrue(page, "window.Shopify.customerPrivacy");
    assert.deepEqual(await readCalls(page), []);
    await press(page, "Refuse all");
    await waitUntilTrue(page, "window.calls.length > 0");
    assert.deepEqual(await readCalls(page), [refusal]);
  });

  it("passes an acceptance once, and nothing on later pages", async () => {
    await using store = await openStore();
    const { page } = store;
    await press(page, "Accept all");
    await waitUntilTrue(page, "window.calls.length > 0");
    await page.reload();
    await waitUntilTrue(page, "window.Shopify.customerPrivacy && window.avow?.vendors.one");
    assert.deepEqual(await readCalls(page), [acceptance]);
    assert.deepEqual(store.faults, []);
  });

  it("passes an answer again that Shopify has lost", async () => {
    await using store = await openStore();
    const { page } = store;
    await press(page, "Accept all");
    await waitUntilTrue(page, "window.calls.length > 0");
    await page.evaluate("localStorage.removeItem('consent')");
    await page.reload();
    await waitUntilTrue(page, "window.calls.length > 1");
    assert.deepEqual(await readCalls(page), [acceptance, acceptance]);
  });

  it("follows an opt-out on a page of Shopify, once", async () => {
    await using store = await openStore();
    const { page } = store;
    await press(page, "Accept all");
    await waitUntilTrue(page, "window.calls.length > 0");
    const optOut = { analytics: true, marketing: true, sale_of_data: false };
    await page.evaluate(`window.collect(${JSON.stringify(optOut)})`);
    // A withdrawal reloads the page.
    await waitUntilTrue(page, "window.avow?.vendors.two === false && window.avow.vendors.one");
    await waitUntilTrue(page, "window.calls.length > 1");
    const partial = { analytics: true, marketing: false, sale_of_data: false };
    assert.deepEqual(await readCalls(page), [acceptance, partial]);
  });

  it("takes nothing that Shopify allows without asking for an answer", async () => {
    await using store = await openStore();
    const { page } = store;
    await page.getByRole("dialog").waitFor();
    await waitUntilTrue(page, "window.Shopify.customerPrivacy");
    await page.evaluate(`window.collect(${JSON.stringify(acceptance)})`);
    await page.evaluate("window.avow.ready");
    assert.equal(await page.evaluate("window.avow.vendors.one"), false);
    assert.equal(await page.getByRole("dialog").isVisible(), true);
    assert.deepEqual(await readCalls(page), []);
  });

  it("has a block that escapes each setting, and declares those that it uses", async () => {
    const liquid = await readFile(join(folder, "blocks/avow.liquid"), "utf8");
    const [, json = "", rest] = /\{% schema %\}([^]*)\{% endschema %\}([^]*)/.exec(liquid) ?? [];
    const schema = JSON.parse(json) as { target: string; settings: { id?: string }[] };
    assert.equal(rest?.trim(), "");
    assert.equal(schema.target, "head");
    const declared = schema.settings.flatMap(({ id }) => id ?? []);
    const used = [...liquid.matchAll(/block\.settings\.(\w+)/g)].map(([, name = ""]) => name);
    assert.deepEqual(new Set(used), new Set(declared));
    const printed = [...liquid.matchAll(/\{\{([^}]*)\}\}/g)].map(([, text = ""]) => text.trim());
    assert.ok(printed.length >= 8);
    for (const text of printed) assert.match(text, /\| (escape|asset_url)$/);
    assert.ok(liquid.indexOf("block.js") < liquid.indexOf("widget.js"));
  });
});
