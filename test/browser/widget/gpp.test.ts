import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GppModel } from "@iabgpp/cmpapi";
import type { Page } from "playwright-core";
import { skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite, openShop } from "./site.ts";
import { service } from "../../harness.ts";
import { smallVendorList, writeVendorList } from "../../vendor-list.ts";
import { type Visit, openVisit, press, readHistory } from "./visits.ts";

const vendors = [
  { name: "counter", title: "Counter", uses: [] },
  { name: "ads", title: "Ads" },
  { name: "health", title: "Health", uses: ["sensitive"] },
];
const cookies = {
  name: "shop",
  language: "en",
  steps: [
    { name: "welcome", layout: "welcome", title: "Cookies", message: "<p>May we?</p>" },
    { name: "all", layout: "category", title: "Services", vendors },
  ],
  regions: [
    { in: ["EEA"], model: "opt-in" },
    { in: ["US_PRIVACY"], model: "opt-out", defaults: { health: false } },
    { in: ["US"], model: "opt-in" },
    { in: ["*"], model: "none" },
  ],
};
const newSite = (settings: object) => newLiveSite({ cookies: [{ ...cookies, settings }] });
const site = await newSite({ reloadAfterWithdrawal: false });

/** IAB's stub, which answers and queues calls until the API exists, and a listener from the start. */
const stub = `<script nonce="early">
  window.__gpp_stub = function () {
    const [command, callback, parameter] = arguments;
    __gpp.queue = __gpp.queue || [];
    __gpp.events = __gpp.events || [];
    if (!arguments.length || (arguments.length === 1 && command === "queue")) return __gpp.queue;
    if (arguments.length === 1 && command === "events") return __gpp.events;
    const pingData = { gppVersion: "1.1", cmpStatus: "stub", cmpDisplayStatus: "hidden",
      signalStatus: "not ready", supportedAPIs: [], cmpId: 0, sectionList: [],
      applicableSections: [], gppString: "", parsedSections: {} };
    if (command === "ping") callback(pingData, true);
    else if (command === "addEventListener") {
      __gpp.lastId = (__gpp.lastId || 0) + 1;
      __gpp.events.push({ id: __gpp.lastId, callback, parameter });
      callback({ eventName: "listenerRegistered", listenerId: __gpp.lastId, data: true, pingData }, true);
    } else if (command === "hasSection" || command === "getSection" || command === "getField")
      callback(null, true);
    else __gpp.queue.push([].slice.apply(arguments));
  };
  window.__gpp = window.__gpp_stub;
  window.events = [];
  __gpp("addEventListener", ({ eventName, data, pingData }) =>
    events.push([eventName, data, pingData.signalStatus, pingData.gppString]));
</script>`;
const policy = `default-src 'none'; script-src ${service.url} 'nonce-early'; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types avow`;
const withGpc = (page: Page) =>
  page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })",
  );

interface Visitor {
  region: string;
  gpc?: boolean;
  head?: string;
}

function visitFrom(
  { region, gpc = false, head = stub }: Visitor,
  at: { projectId: string } = site,
): Promise<Visit> {
  return openVisit(at, {
    attributes: `data-region="${region}"`,
    head,
    policy,
    prepare: async (page) => {
      if (gpc) await withGpc(page);
    },
  });
}

interface Ping {
  cmpStatus: string;
  cmpDisplayStatus: string;
  signalStatus: string;
  cmpId: number;
  supportedAPIs: string[];
  applicableSections: number[];
  sectionList: number[];
  gppString: string;
}

/** The answer of `__gpp` to a command. */
function ask<T>(page: Page, command: string, parameter?: string): Promise<T> {
  const call = [command, parameter].map((value) => JSON.stringify(value ?? null));
  return page.evaluate(`new Promise((resolve) => window.__gpp(${call[0]}, resolve, ${call[1]}))`);
}

async function ping(page: Page): Promise<Ping> {
  await page.evaluate("avow.ready");
  return ask<Ping>(page, "ping");
}

/** The fields of the only section, read by IAB's decoder. */
function read(gppString: string, name: string): Record<string, unknown> {
  const model = new GppModel(gppString);
  assert.equal(model.getSectionIds().length, 1);
  return model.getSection(name);
}

/** Some fields that show a choice. */
function readChoices(gppString: string, name = "usnat") {
  const fields = read(gppString, name);
  const { SaleOptOut: sale, SensitiveDataProcessing: categories, Gpc: gpc } = fields;
  const [sensitive] = categories as number[];
  return { sale, sensitive, gpc };
}

/** The names and values of the events since the start. */
async function listEvents(page: Page): Promise<string[]> {
  const events = await page.evaluate<[string, unknown][]>("window.events");
  return events.map(([name, data]) => `${name} ${String(data)}`);
}

describe("GPP", { skip }, () => {
  it("answers the stub's listeners and queue with the section of the United States", async () => {
    await using visit = await visitFrom({ region: "US-CA" });
    const { page, dialog, faults } = visit;
    await dialog.waitFor();
    const found = await ping(page);
    assert.deepEqual(
      { ...found, gppString: "", parsedSections: {} },
      {
        gppVersion: "1.1",
        cmpStatus: "loaded",
        cmpDisplayStatus: "visible",
        // Vendors run until refused: the answers are known.
        signalStatus: "ready",
        supportedAPIs: ["7:usnat"],
        cmpId: 0,
        sectionList: [7],
        applicableSections: [7],
        gppString: "",
        parsedSections: {},
      },
    );
    assert.deepEqual(readChoices(found.gppString), { sale: 2, sensitive: 1, gpc: false });
    assert.deepEqual(await listEvents(page), [
      "listenerRegistered true",
      "cmpStatus loaded",
      "signalStatus ready",
      "cmpDisplayStatus visible",
    ]);
    assert.equal(await ask(page, "hasSection", "usnat"), true);
    assert.equal(await ask(page, "hasSection", "usca"), false);
    assert.equal(await ask(page, "getField", "usnat.SaleOptOutNotice"), 1);
    assert.deepEqual(faults, []);
  });

  it("updates the string on an opt-out, and records it", async () => {
    await using visit = await visitFrom({ region: "US-CA" });
    const { page, dialog, faults } = visit;
    await dialog.waitFor();
    await page.evaluate("window.events = []");
    const record = await press(visit, "Do not sell or share my data");
    const { gppString } = await ping(page);
    assert.deepEqual(readChoices(gppString), { sale: 1, sensitive: 1, gpc: false });
    assert.equal(record.preferences["gppString" as never], gppString);
    const [kept] = await readHistory(site, record.token);
    assert.equal(kept?.preferences["gppString" as never], gppString);
    const events = await listEvents(page);
    assert.deepEqual(events.slice(0, 4), [
      "cmpDisplayStatus hidden",
      "signalStatus not ready",
      "sectionChange usnat",
      "signalStatus ready",
    ]);
    // The next page has the same string at once.
    await page.reload();
    assert.equal((await ping(page)).gppString, gppString);
    assert.deepEqual(faults, []);
  });

  it("is not ready while the visitor changes choices, and ready after they are saved or kept", async () => {
    await using visit = await visitFrom({ region: "US-TX" });
    const { page, dialog, launcher } = visit;
    await dialog.getByRole("button", { name: "OK" }).click();
    await launcher.waitFor();
    await page.evaluate("window.events = []");
    await launcher.click();
    await dialog.waitFor();
    const opened = await ping(page);
    assert.deepEqual([opened.cmpDisplayStatus, opened.signalStatus], ["visible", "not ready"]);
    await page.keyboard.press("Escape");
    await launcher.click();
    await dialog.getByRole("switch", { name: "Health" }).click();
    await press(visit, "Save my choices");
    const saved = await ping(page);
    assert.deepEqual([saved.cmpDisplayStatus, saved.signalStatus], ["hidden", "ready"]);
    assert.deepEqual(readChoices(saved.gppString), { sale: 2, sensitive: 2, gpc: false });
    assert.deepEqual(await listEvents(page), [
      "signalStatus not ready",
      "cmpDisplayStatus visible",
      "cmpDisplayStatus hidden",
      "signalStatus ready",
      "signalStatus not ready",
      "cmpDisplayStatus visible",
      "cmpDisplayStatus hidden",
      "sectionChange usnat",
      "signalStatus ready",
    ]);
  });

  it("has Global Privacy Control as an opt-out and in its sub-section, and in the record", async () => {
    await using visit = await visitFrom({ region: "US-CA", gpc: true });
    const { page, dialog } = visit;
    await dialog.getByText("Your Global Privacy Control is honoured").waitFor();
    const { gppString } = await ping(page);
    assert.deepEqual(readChoices(gppString), { sale: 1, sensitive: 1, gpc: true });
    await waitUntilTrue(page, "document.cookie.includes('axeptio_cookies')");
    await dialog.getByRole("button", { name: "OK" }).click();
    await visit.launcher.click();
    // A choice of this site replaces the general signal.
    await dialog.getByRole("switch", { name: "Ads" }).click();
    const record = await press(visit, "Save my choices");
    assert.deepEqual(readChoices(String(record.preferences["gppString" as never])), {
      sale: 2,
      sensitive: 1,
      gpc: true,
    });
  });

  it("has the state's own section in the state approach, with the agreement's mode", async () => {
    const byState = await newSite({ gpp: "state", mspa: "opt-out" });
    for (const [region, name, id] of [
      ["US-CA", "usca", 8],
      ["US-UT", "usut", 11],
      ["US-MD", "usmd", 24],
      ["US-NY", "usnat", 7],
    ] as const) {
      await using visit = await visitFrom({ region, head: "" }, byState);
      const { gppString, applicableSections } = await ping(visit.page);
      assert.deepEqual(applicableSections, [id]);
      const fields = read(gppString, name);
      assert.equal(fields["MspaCoveredTransaction"], 1);
      assert.equal(fields["SaleOptOut"], region === "US-NY" ? 1 : 2);
      assert.deepEqual(visit.faults, []);
    }
  });

  it("waits for the answer in the model opt-in", async () => {
    await using visit = await visitFrom({ region: "US-NY" });
    const { page, dialog } = visit;
    await dialog.waitFor();
    const asked = await ping(page);
    assert.equal(asked.signalStatus, "not ready");
    assert.equal(readChoices(asked.gppString)["sale"], 1, "nothing runs");
    await press(visit, "Accept all");
    const answered = await ping(page);
    assert.deepEqual(readChoices(answered.gppString), { sale: 2, sensitive: 2, gpc: false });
    assert.deepEqual([answered.signalStatus, answered.cmpDisplayStatus], ["ready", "hidden"]);
    await page.reload();
    const later = await ping(page);
    assert.deepEqual([later.signalStatus, later.cmpDisplayStatus], ["ready", "disabled"]);
  });

  it("has no section elsewhere, and answers -1", async () => {
    for (const region of ["BR", "FR"]) {
      await using visit = await visitFrom({ region });
      const found = await ping(visit.page);
      assert.deepEqual(found.applicableSections, [-1]);
      assert.deepEqual(found.sectionList, []);
      assert.deepEqual(new GppModel(found.gppString).getSectionIds(), []);
      assert.equal(found.signalStatus, "ready");
    }
  });

  it("has the TC string unchanged in the EEA", async () => {
    await writeVendorList(smallVendorList);
    const iab = { name: "iab", layout: "iab", title: "Partners", message: "<p>May they?</p>" };
    const tcfSite = await newLiveSite({
      cookies: [
        { ...cookies, steps: [iab, ...cookies.steps.slice(1)], settings: { gpp: "national" } },
      ],
      tcf: { cmpId: 31, cmpVersion: 3, publisherCC: "FR", vendors: [2, 5, 8, 9] },
    });
    await using visit = await visitFrom({ region: "FR" }, tcfSite);
    const { page, dialog, faults } = visit;
    await dialog.waitFor();
    const asked = await ping(page);
    assert.deepEqual(
      [asked.cmpId, asked.applicableSections, asked.sectionList, asked.signalStatus],
      [31, [2], [], "not ready"],
    );
    const record = await press(visit, "Accept all");
    const { tcString, gppString } = record.preferences as unknown as Record<string, string>;
    assert.ok(tcString);
    assert.equal(gppString?.split("~")[1], tcString);
    const answered = await ping(page);
    assert.equal(answered.gppString, gppString);
    assert.equal(answered.signalStatus, "ready");
    const { PurposeConsents: purposes, VendorConsents: partners } = read(
      answered.gppString,
      "tcfeuv2",
    );
    assert.deepEqual((purposes as boolean[]).slice(0, 3), [true, false, true]);
    assert.deepEqual(partners, [2, 9]);
    assert.deepEqual((await listEvents(page)).slice(-3), [
      "cmpDisplayStatus hidden",
      "sectionChange tcfeuv2",
      "signalStatus ready",
    ]);
    await page.reload();
    assert.equal((await ping(page)).gppString, gppString);
    assert.deepEqual(faults, []);
  });

  it("answers messages from frames of other origins, by its own locator", async () => {
    await using frame = await openShop({
      "/": `<!doctype html><html lang="en"><title>Tag</title><script>
        const ask = () => {
          let found;
          for (let one = window.parent; ; one = one.parent) {
            try { if (one.frames.__gppLocator) { found = one; break; } } catch {}
            if (one === window.top) break;
          }
          if (!found) return setTimeout(ask, 50);
          addEventListener("message", ({ data }) => {
            const { __gppReturn: given } = typeof data === "string" ? JSON.parse(data) : data;
            if (given.callId === "tag-2")
              document.documentElement.dataset.bad = String(given.success);
            else if (given.returnValue.cmpStatus === "loaded")
              document.documentElement.dataset.gpp = given.returnValue.gppString;
          });
          // A member of the library's table that is no command.
          found.postMessage({ __gppCall: { command: "name", callId: "tag-2", version: "1.1" } }, "*");
          found.postMessage(
            JSON.stringify({ __gppCall: { command: "ping", callId: "tag-1", version: "1.1" } }), "*");
        };
        ask();
      </script></html>`,
    });
    const gppSite = await newSite({ gpp: true });
    await using visit = await openVisit(gppSite, {
      attributes: `data-region="US-CO"`,
      body: `<iframe src="${frame.url}" title="Tag"></iframe>`,
      policy: `${policy}; frame-src ${frame.url}`,
    });
    const inFrame = visit.page.frameLocator(`iframe[src="${frame.url}"]`);
    const tag = inFrame.locator("html");
    await tag.and(inFrame.locator("[data-gpp]")).waitFor();
    assert.deepEqual(readChoices(String(await tag.getAttribute("data-gpp"))), {
      sale: 2,
      sensitive: 1,
      gpc: false,
    });
    assert.equal(await tag.getAttribute("data-bad"), "false");
  });

  it("is not loaded without a stub and a setting, without rules, or if it is off", async () => {
    const off = await newSite({ gpp: false });
    const { regions: _, ...plain } = cookies;
    const withoutRules = await newLiveSite({ cookies: [{ ...plain, settings: { gpp: true } }] });
    for (const [at, head] of [
      [site, ""],
      [off, stub],
      [withoutRules, stub],
    ] as const) {
      await using visit = await visitFrom({ region: "US-CA", head }, at);
      await visit.dialog.waitFor();
      assert.deepEqual(
        visit.requests.filter((one) => /\/gpp\./.test(one)),
        [],
      );
    }
  });
});
