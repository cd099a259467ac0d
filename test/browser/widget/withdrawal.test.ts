import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { poll } from "../../poll.ts";
import { type OpenPage, openPage, skip, waitUntilTrue } from "./browser.ts";
import { type LiveSite, newLiveSite, openShop, toPage } from "./site.ts";
import { readMemory, waitForWidgetEvent } from "./visits.ts";

const vendors = [
  {
    name: "meter",
    title: "Meter",
    storage: [
      { name: "_ga*" },
      { name: "meter_host", kind: "cookie" },
      { name: "meter_parent", domain: "shop.localhost" },
      { name: "meter_path", path: "/checkout" },
      { name: "meter_far", domain: "shop.localhost", path: "/checkout/pay" },
      { name: "meter_folder" },
      { name: "meter:*", kind: "localStorage" },
      { name: "meter_session", kind: "sessionStorage" },
      { name: "meter-db", kind: "indexedDB" },
      { name: "meter-log-*", kind: "indexedDB" },
      { name: "shared" },
      { name: "shop_*" },
      // The widget's own data, and everything.
      { name: "axeptio_*" },
      { name: "axeptio_cookies", kind: "localStorage" },
      { name: "av*", kind: "localStorage" },
      { name: "avow", kind: "indexedDB" },
      { name: "*" },
      { name: "*", kind: "localStorage" },
    ],
  },
  { name: "chat", title: "Chat", storage: [{ name: "shared" }, { name: "chat" }] },
  { name: "shop", title: "Shop", required: true, storage: [{ name: "shop_session" }] },
];
const cookies = {
  name: "shop-en",
  language: "en",
  isDefault: true,
  steps: [{ name: "all", layout: "category", title: "Cookies", vendors }],
};
const site = await newLiveSite({ cookies: [cookies] });
const unreloaded = await newLiveSite({
  cookies: [{ ...cookies, settings: { reloadAfterWithdrawal: false } }],
});

/** A tag that stores its data at each place, and again while its page is left. */
const tag = `<script type="text/plain" data-avow-vendor="meter">
  document.cookie = "_ga=1;domain=shop.localhost;path=/;max-age=1000";
  document.cookie = "_ga_X=1;max-age=1000";
  document.cookie = "meter_host=1;path=/";
  document.cookie = "meter_parent=1;domain=.shop.localhost;path=/";
  document.cookie = "meter_path=1;path=/checkout";
  document.cookie = "meter_far=1;domain=shop.localhost;path=/checkout/pay";
  document.cookie = "meter_folder=1;domain=www.shop.localhost;path=/articles/";
  localStorage["meter:1"] = localStorage["basket"] = "1";
  sessionStorage.meter_session = sessionStorage.tab = "1";
  indexedDB.open("meter-db").onsuccess = ({ target }) => target.result.close();
  indexedDB.open("meter-log-1").onsuccess = ({ target }) => target.result.close();
  indexedDB.open("other").onsuccess = ({ target }) => target.result.close();
  addEventListener("pagehide", () => {
    document.cookie = "_ga_late=1;path=/";
    localStorage["meter:late"] = "1";
  });
</script>`;
const ownData = `<script>
  for (const name of ["shared", "shop_session", "chat", "basket_id"])
    if (!document.cookie.includes(name)) document.cookie = name + "=1;path=/";
</script>`;

interface Browsing extends OpenPage {
  url: string;
}

async function browse(
  { projectId }: Pick<LiveSite, "projectId">,
  prepare?: (opened: OpenPage) => Promise<unknown>,
): Promise<Browsing> {
  const html = toPage(projectId, { head: ownData, body: `<h1>Shop</h1>${tag}` });
  const opened = new AsyncDisposableStack();
  const shop = opened.use(await openShop({ "/articles/one": html, "/checkout/pay": html }));
  const page = opened.use(await openPage());
  // Chromium resolves names below localhost to this machine.
  const url = shop.url.replace("127.0.0.1", "www.shop.localhost");
  await prepare?.(page);
  await page.page.goto(`${url}/articles/one`);
  await waitForReady(page.page);
  return { ...page, url, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Everything that the browser stores for the site, as `kind name`. */
async function listStored({ page }: Pick<OpenPage, "page">): Promise<string[]> {
  const names = (await page.context().cookies()).map(({ name }) => `cookie ${name}`);
  const others = await page.evaluate<string[]>(`(async () => [
    ...Object.keys(localStorage).map((name) => "local " + name),
    ...Object.keys(sessionStorage).map((name) => "session " + name),
    ...(await indexedDB.databases()).map(({ name }) => "database " + name),
  ])()`);
  return [...names, ...others].toSorted();
}

const ownCookies = ["axeptio_all_vendors", "axeptio_authorized_vendors", "axeptio_cookies"];
const kept = [
  ...ownCookies.map((name) => `cookie ${name}`),
  "cookie basket_id",
  "cookie chat",
  "cookie shared",
  "cookie shop_session",
  "database avow",
  "database other",
  "local basket",
  "session tab",
].toSorted();

/** Waits until the browser stores these only. */
async function waitForStored(browsing: Pick<OpenPage, "page">, names: string[]): Promise<void> {
  const expected = names.join();
  await poll({
    // A reload destroys the page's context.
    read: async () => (await listStored(browsing).catch(() => [])).join(),
    isRight: (stored) => stored === expected,
    waitMs: 15_000,
    toMessage: (stored) => `stored: ${stored}\nexpected: ${expected}`,
  });
}

async function waitForReady(page: Page): Promise<void> {
  await waitUntilTrue(page, "window.avow");
  await page.evaluate("avow.ready");
}

/** Changes a member of the widget's memory. */
async function changeMemory(page: Page, member: string): Promise<void> {
  await page.evaluate(`{
    const memory = JSON.parse(decodeURIComponent(/axeptio_cookies=([^;]+)/.exec(document.cookie)[1]));
    document.cookie = "axeptio_cookies=" + encodeURIComponent(JSON.stringify({ ...memory, ${member} })) + ";path=/";
  }`);
}

async function waitForMemory(page: Page, name: string, value: unknown): Promise<void> {
  const read = async () => (await readMemory(page))?.[name];
  const message = `${name} is not ${String(value)}`;
  await poll({ read, isRight: (one) => one === value, waitMs: 15_000, toMessage: () => message });
}

const isDeviceFile = (request: string): boolean => /\/cdn\/widget\/device\./.test(request);

/** Accepts, and waits for the tag's databases, which are the last that it makes. */
async function acceptAll(browsing: Browsing): Promise<void> {
  await browsing.page.evaluate("avow.answer({ meter: true, chat: true })");
  const names = ["meter-db", "meter-log-1", "other"].map((name) => `database ${name}`);
  await poll({
    read: () => listStored(browsing),
    isRight: (stored) => names.every((name) => stored.includes(name)),
    waitMs: 15_000,
    toMessage: (stored) => stored.join(),
  });
}

describe("the withdrawal of consent", { skip }, () => {
  it("deletes what the vendor stored, at each domain and path, and nothing else", async () => {
    await using browsing = await browse(site);
    const { page, requests, faults } = browsing;
    await acceptAll(browsing);
    const stored = await listStored(browsing);
    assert.equal(stored.filter((name) => /_ga|meter/.test(name)).length, 11, stored.join());
    assert.ok(!requests.some(isDeviceFile), "acceptance needs no other file");
    const reloaded = page.waitForEvent("load");
    await page.evaluate("void avow.answer({ meter: false })");
    await reloaded;
    await waitForStored(browsing, kept);
    assert.deepEqual(faults, []);
  });

  it("also deletes what the tag writes while its page is left, and stops after a while", async () => {
    await using browsing = await browse(site);
    const { page, requests } = browsing;
    await acceptAll(browsing);
    const reloaded = page.waitForEvent("load");
    await page.evaluate("void avow.answer({ meter: false })");
    await reloaded;
    await waitForStored(browsing, kept);
    await changeMemory(page, "$$clean: 1");
    await page.reload();
    await waitForMemory(page, "$$clean", undefined);
    requests.length = 0;
    await page.reload();
    await waitForReady(page);
    await page.waitForLoadState("networkidle");
    assert.ok(!requests.some(isDeviceFile));
  });

  it("deletes at once if the page is not reloaded", async () => {
    await using browsing = await browse(unreloaded);
    await acceptAll(browsing);
    await browsing.page.evaluate("avow.answer({ meter: false })");
    await waitForStored(browsing, kept);
  });

  it("deletes at the next load if the file could not be loaded", async () => {
    await using browsing = await browse(unreloaded);
    const { page } = browsing;
    await acceptAll(browsing);
    const error = waitForWidgetEvent(page, "error");
    await page.route(/\/cdn\/widget\/device\./, (route) => route.abort());
    await page.evaluate("avow.answer({ meter: false })");
    await error;
    assert.ok((await listStored(browsing)).includes("cookie _ga"));
    await page.unroute(/\/cdn\/widget\/device\./);
    await page.reload();
    await waitForStored(browsing, kept);
  });

  it("deletes in the other tabs too, whose tags run until they are reloaded", async () => {
    await using browsing = await browse(site);
    await acceptAll(browsing);
    const other = await browsing.page.context().newPage();
    await other.goto(`${browsing.url}/checkout/pay`);
    await waitUntilTrue(other, "sessionStorage.meter_session === '1'");
    const reloads = [browsing.page, other].map((page) => page.waitForEvent("load"));
    await browsing.page.evaluate("void avow.answer({ meter: false })");
    await Promise.all(reloads);
    await waitForStored({ page: other }, kept);
  });
});

describe("a refusal", { skip }, () => {
  it("deletes what the vendor had stored before it was asked for", async () => {
    const before = ["_ga", "meter_host", "chat_history"];
    await using browsing = await browse(site, ({ page }) =>
      page.addInitScript(`if (!document.cookie.includes("axeptio"))
        for (const name of ${JSON.stringify(before)}) document.cookie = name + "=1;path=/";`),
    );
    const { page, requests } = browsing;
    assert.ok(!requests.some(isDeviceFile), "a visit needs no other file");
    await page.getByRole("button", { name: "Refuse all" }).click();
    await waitForStored(
      browsing,
      [
        ...ownCookies.map((name) => `cookie ${name}`),
        "cookie basket_id",
        "cookie chat_history",
        "cookie shop_session",
        "database avow",
      ].toSorted(),
    );
  });

  it("on the person's own page deletes at the next visit of the site", async () => {
    await using browsing = await browse(site);
    const { page } = browsing;
    await acceptAll(browsing);
    const memory = await readMemory(page);
    const json = {
      accept: false,
      token: memory?.["$$token"],
      preferences: { vendors: { meter: false } },
    };
    const at = `/v1/app/consents/${site.projectId}/cookies/${site.cookies[0]}`;
    assert.equal((await service.fetch(at, { json })).status, 201);
    // Due for its daily poll.
    await changeMemory(page, "$$next: 0");
    await page.reload();
    await waitForStored(browsing, kept);
  });
});
