import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { findViolations } from "./axe.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { poll } from "../../poll.ts";
import { newLiveSite } from "./site.ts";
import {
  type Visit,
  countPosts,
  openVisit,
  press,
  readHistory,
  readMemory,
  readVendors,
  strictPolicy,
} from "./visits.ts";

const vendors = [
  { name: "counter", title: "Counter", uses: [] },
  { name: "ads", title: "Ads" },
  { name: "health", title: "Health", uses: ["sensitive"] },
  { name: "cart", title: "Cart", required: true },
];
const site = await newLiveSite({
  cookies: [
    {
      name: "shop",
      language: "en",
      steps: [
        { name: "welcome", layout: "welcome", title: "Cookies", message: "<p>May we?</p>" },
        { name: "all", layout: "category", title: "Services", vendors },
      ],
      regions: [
        { in: ["EEA", "GB", "CH"], model: "opt-in" },
        {
          in: ["US_PRIVACY"],
          model: "opt-out",
          title: "Your privacy",
          message: "<p>We <b>share</b> data for advertising.</p>",
          defaults: { health: false },
        },
        { in: ["US"], model: "notice", strings: { ok: "Got it" } },
        { in: ["*"], model: "none" },
      ],
    },
  ],
});
const tag = (vendor: string): string =>
  `<script type="text/plain" data-avow-vendor="${vendor}" src="/${vendor}.js"></script>`;
const body = `<main><h1>Shop</h1>${vendors.map(({ name }) => tag(name)).join("")}</main>`;
const pages = Object.fromEntries(
  vendors.map(({ name }) => [`/${name}.js`, `(window.ran ??= []).push("${name}")`]),
);

interface RegionVisit {
  region?: string;
  gpc?: boolean;
  attributes?: string;
  prepare?: (page: Page) => Promise<unknown>;
}

/** Visits a page with a tag for each vendor, whose policy allows the page's own scripts. */
function visitFrom({ region, gpc = false, attributes = "", prepare }: RegionVisit): Promise<Visit> {
  return openVisit(site, {
    attributes: `${region === undefined ? "" : `data-region="${region}"`} ${attributes}`,
    body,
    pages,
    policy: strictPolicy.replace("script-src", "script-src 'self'"),
    prepare: async (page) => {
      await prepare?.(page);
      if (gpc)
        await page.addInitScript(
          "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })",
        );
    },
  });
}

/** The vendors whose tags ran, once all that may run have run. */
async function listRan(page: Page): Promise<string[]> {
  await page.evaluate("avow.ready");
  await waitUntilTrue(
    page,
    `Object.entries(avow.vendors).every(([name, isOn]) => !isOn || (window.ran ?? []).includes(name))`,
  );
  return (await page.evaluate<string[]>("window.ran ?? []")).toSorted();
}

const buttonsOf = ({ dialog }: Visit): Promise<string[]> =>
  dialog.locator(".foot button").allTextContents();

/** Each region and signal with its model, the vendors that run before an answer, and the buttons of the banner. */
const table: [region: string, gpc: boolean, model: string, ran: string[], buttons: string[]][] = [
  ["FR", false, "opt-in", ["cart"], ["Refuse all", "Accept all", "Let me choose"]],
  ["FR", true, "opt-in", ["cart"], ["Refuse all", "Accept all", "Let me choose"]],
  ["GB", false, "opt-in", ["cart"], ["Refuse all", "Accept all", "Let me choose"]],
  [
    "US-CA",
    false,
    "opt-out",
    ["ads", "cart", "counter"],
    ["Do not sell or share my data", "OK", "Let me choose"],
  ],
  ["US-CA", true, "opt-out", ["cart", "counter"], ["OK", "Let me choose"]],
  ["us-ca", false, "opt-out", ["ads", "cart", "counter"], []],
  // The state is unknown: the strictest rule of the country applies.
  ["US", false, "opt-out", ["ads", "cart", "counter"], []],
  ["US-NY", false, "notice", ["ads", "cart", "counter", "health"], ["Got it", "Let me choose"]],
  ["US-NY", true, "notice", ["cart", "counter", "health"], ["Got it", "Let me choose"]],
  ["BR", false, "none", ["ads", "cart", "counter", "health"], []],
  ["BR", true, "none", ["cart", "counter", "health"], []],
];

describe("regions", { skip }, () => {
  for (const [region, gpc, model, ran, buttons] of table)
    it(`${model} in ${region}${gpc ? " with Global Privacy Control" : ""}: runs ${ran.join(", ")}`, async () => {
      await using visit = await visitFrom({ region, gpc });
      const { page, dialog, launcher, faults } = visit;
      assert.deepEqual(await listRan(page), ran);
      if (model === "none") {
        assert.equal(await dialog.count(), 0);
        assert.equal(await launcher.count(), 0);
        return assert.deepEqual(faults, []);
      }
      await dialog.waitFor();
      if (buttons.length > 0) assert.deepEqual(await buttonsOf(visit), buttons);
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(faults, []);
    });

  it("shows the rule's texts, and keeps a notice that was read", async () => {
    await using visit = await visitFrom({ region: "US-CA" });
    const { page, dialog, launcher } = visit;
    await dialog.getByRole("heading", { name: "Your privacy" }).waitFor();
    await dialog.locator("b", { hasText: "share" }).waitFor();
    await dialog.getByRole("button", { name: "OK" }).click();
    await launcher.waitFor();
    await page.reload();
    await launcher.waitFor();
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(await listRan(page), ["ads", "cart", "counter"]);
    assert.equal(countPosts(visit), 0, "a notice is no answer");
  });

  it("ends sale and sharing by one click, records it, and confirms it after the reload", async () => {
    await using visit = await visitFrom({ region: "US-CA" });
    const { page, dialog } = visit;
    const reloaded = page.waitForEvent("load");
    const record = await press(visit, "Do not sell or share my data");
    assert.equal(record.accept, false, "vendors that run by default are not accepted");
    assert.deepEqual(record.preferences, {
      vendors: { ads: false },
      config: record.preferences["config" as never],
      model: "opt-out",
      region: "US-CA",
    });
    await reloaded;
    await dialog.getByText("Done: your data is not sold or shared.").waitFor();
    assert.deepEqual(await listRan(page), ["cart", "counter"]);
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "OK" }).click();
    await page.reload();
    await visit.launcher.waitFor();
    assert.equal(await dialog.count(), 0, "the confirmation is shown once");
    assert.equal((await readHistory(site, record.token)).length, 1);
  });

  it("limits sensitive data and saves single choices in the preference center", async () => {
    await using visit = await visitFrom({ region: "US-CA" });
    const { page, dialog, launcher } = visit;
    await dialog.getByRole("button", { name: "OK" }).click();
    await launcher.click();
    assert.equal(await dialog.getByRole("switch", { name: "Ads" }).isChecked(), true);
    assert.equal(await dialog.getByRole("switch", { name: "Health" }).isChecked(), false);
    assert.deepEqual(await buttonsOf(visit), ["Do not sell or share my data", "Save my choices"]);
    await dialog.getByRole("switch", { name: "Health" }).click();
    const saved = await press(visit, "Save my choices");
    assert.deepEqual(saved.preferences.vendors, { counter: true, ads: true, health: true });
    await launcher.click();
    const limited = await press(visit, "Limit the use of my sensitive data");
    assert.deepEqual(limited.preferences.vendors, { health: false });
    assert.deepEqual(await readVendors(page), {
      counter: true,
      ads: true,
      health: false,
      cart: true,
    });
  });

  it("records Global Privacy Control once as an opt-out, confirms it, and keeps it without the signal", async () => {
    await using visit = await visitFrom({ region: "US-CA", gpc: true });
    const { page, dialog } = visit;
    await dialog.getByText("Your Global Privacy Control is honoured").waitFor();
    await waitUntilTrue(page, "document.cookie.includes('axeptio_cookies')");
    const memory = await readMemory(page);
    assert.equal(memory?.["ads"], false);
    const token = String(memory?.["$$token"]);
    await waitForRecord(token);
    await dialog.getByRole("button", { name: "OK" }).click();
    await page.reload();
    await visit.launcher.waitFor();
    const [record, ...more] = await readHistory(site, token);
    assert.deepEqual(more, []);
    assert.deepEqual(record?.preferences.vendors, { ads: false });
    assert.deepEqual({ ...record?.preferences, model: "opt-out" }, record?.preferences);
    // The same visitor with a browser that sends no signal: a silent default does not override the opt-out.
    const context = page.context();
    const later = await context.newPage();
    await later.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: false })",
    );
    await later.goto(visit.shop.url);
    assert.deepEqual(await listRan(later), ["cart", "counter"]);
  });

  it("lets a visitor with Global Privacy Control allow what they choose", async () => {
    await using visit = await visitFrom({ region: "US-CA", gpc: true });
    const { page, dialog, launcher } = visit;
    await dialog.getByRole("button", { name: "OK" }).click();
    await launcher.click();
    await dialog.getByRole("switch", { name: "Ads" }).click();
    await press(visit, "Save my choices");
    await page.reload();
    assert.deepEqual(await listRan(page), ["ads", "cart", "counter"]);
  });

  it("opts out by Global Privacy Control although the visitor accepted before it", async () => {
    await using visit = await visitFrom({ region: "US-CA" });
    const { page, dialog, launcher } = visit;
    await dialog.getByRole("button", { name: "Let me choose" }).click();
    await press(visit, "Save my choices");
    await launcher.waitFor();
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })",
    );
    await page.reload();
    await dialog.getByText("Your Global Privacy Control is honoured").waitFor();
    assert.deepEqual(await listRan(page), ["cart", "counter"]);
  });

  it("keeps the buttons of an opt-out in view at 400 % zoom", async () => {
    const viewport = { width: 320, height: 200 };
    await using visit = await visitFrom({ region: "US-CA" });
    const { page, dialog } = visit;
    await dialog.getByRole("button", { name: "OK" }).waitFor();
    await page.setViewportSize(viewport);
    await page.evaluate(
      `document.querySelector("avow-widget").shadowRoot.querySelector(".doNotSell").textContent =
        "Meine Daten nicht verkaufen oder weitergeben"`,
    );
    for (const button of await dialog.locator(".foot button").all()) {
      const box = await button.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height, JSON.stringify(box));
    }
    const heading = await dialog.getByRole("heading").boundingBox();
    const foot = await dialog.locator(".foot").boundingBox();
    assert.ok(heading && foot && heading.y + heading.height <= foot.y, "the title is in view");
  });

  it("opts a signed-in person out on their other devices", async () => {
    const attributes = `data-token="person-${Date.now()}"`;
    await using first = await visitFrom({ region: "US-CA", gpc: true, attributes });
    await first.dialog.getByText("Your Global Privacy Control is honoured").waitFor();
    const token = await first.page.evaluate<string>("avow.token");
    await waitForRecord(token);
    await using second = await visitFrom({ region: "US-CA", attributes });
    assert.deepEqual(await listRan(second.page), ["cart", "counter"]);
    assert.deepEqual(second.faults, []);
  });

  it("does not ask a signed-in person who has answered on another device", async () => {
    const attributes = `data-token="reader-${Date.now()}"`;
    await using first = await visitFrom({ region: "FR", attributes });
    await first.dialog.getByRole("button", { name: "Accept all" }).click();
    await waitForRecord(await first.page.evaluate<string>("avow.token"));
    await using second = await visitFrom({ region: "FR", attributes });
    assert.deepEqual(await listRan(second.page), await listRan(first.page));
    assert.equal(await second.dialog.count(), 0);
    await using stranger = await visitFrom({
      region: "FR",
      attributes: `data-token="stranger-${Date.now()}"`,
    });
    await stranger.dialog.waitFor();
    assert.equal(await stranger.page.evaluate("document.cookie"), "");
  });

  it("asks the service for the region, which counts Sec-GPC too, and is strictest without an answer", async () => {
    for (const [answer, ran] of [
      [{ region: "US-CA", gpc: false }, ["ads", "cart", "counter"]],
      [{ region: "US-CA", gpc: true }, ["cart", "counter"]],
      [{ region: "BR", gpc: false }, ["ads", "cart", "counter", "health"]],
      [{ region: null, gpc: false }, ["cart"]],
      [undefined, ["cart"]],
    ] as const) {
      await using visit = await visitFrom({
        prepare: (page) =>
          page.route("**/v1/client/region", (route) =>
            answer ? route.fulfill({ json: answer }) : route.abort(),
          ),
      });
      assert.deepEqual(await listRan(visit.page), ran, JSON.stringify(answer));
    }
    // This service knows no region.
    await using visit = await visitFrom({});
    assert.deepEqual(await listRan(visit.page), ["cart"]);
    assert.equal(visit.requests.filter((one) => one.includes("/v1/client/region")).length, 1);
  });

  it("loads nothing and asks nobody for configurations without rules", async () => {
    const plain = await newLiveSite({
      cookies: [
        { name: "plain", language: "en", steps: [{ name: "w", layout: "category", vendors }] },
      ],
    });
    await using visit = await openVisit(plain);
    await visit.dialog.waitFor();
    assert.deepEqual(
      visit.requests.filter((one) => /region/.test(one)),
      [],
    );
  });
});

/** Waits until the service has stored the first record of a token. */
function waitForRecord(token: string): Promise<unknown> {
  return poll({
    // A token without a record is not found.
    read: () => readHistory(site, token).catch(() => []),
    isRight: (records) => records.length > 0,
    waitMs: 10_000,
    toMessage: () => "The service has stored no record.",
  });
}
