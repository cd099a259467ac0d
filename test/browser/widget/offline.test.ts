import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { poll } from "../../poll.ts";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import {
  countPosts,
  waitForWidgetEvent,
  openVisit,
  press,
  pressUnsent,
  readHistory,
  readMemory,
} from "./visits.ts";

const posts = /\/v1\/app\/consents\//;
const tickets = /\/v1\/app\/tickets\//;
const bare = "<!doctype html><title>Next</title><main><h1>Next</h1></main>";
const site = await newLiveSite({ cookies: [shopCookies] });

/** The records of the visitor's token, after a batch was answered. */
async function historyAfter(page: Page, sending: Promise<unknown>) {
  await sending;
  const memory = await readMemory(page);
  return readHistory(site, String(memory?.["$$token"]));
}

/** Waits until this many answers are stored on the device. */
async function awaitKept(page: Page, count: number): Promise<void> {
  await page.evaluate(`(async () => {
    for (;;) {
      const entries = await new Promise((resolve, reject) => {
        const opening = indexedDB.open("avow");
        opening.onerror = reject;
        opening.onsuccess = () => {
          const asked = opening.result.transaction("outbox").objectStore("outbox").getAll();
          asked.onsuccess = () => (opening.result.close(), resolve(asked.result));
        };
      });
      if (entries.length === ${count}) return;
    }
  })()`);
}

/** The token's answers, once the service has them: a page that has been closed reports no events. */
async function listAccepts(page: Page, least = 1): Promise<boolean[]> {
  let token: unknown;
  const history = await poll({
    // Reads the token each time, since the page may be navigating.
    async read() {
      token = (await readMemory(page))?.["$$token"];
      return typeof token === "string" ? readHistory(site, token) : [];
    },
    isRight: (read) => read.length >= least,
    waitMs: 60_000,
    toMessage: (read) => `${String(token)} has ${read.length} records instead of ${least}`,
  });
  return history.map(({ accept }) => accept);
}

describe("an answer that cannot be sent", { skip }, () => {
  it("is remembered at once, and sent once when the network is back", async () => {
    await using visit = await openVisit(site);
    const { page, dialog } = visit;
    await dialog.waitFor();
    await page.context().setOffline(true);
    await pressUnsent(visit, "Accept all");
    const memory = await readMemory(page);
    assert.deepEqual([memory?.["one"], memory?.["two"]], [true, true]);
    assert.deepEqual(await readHistory(site, String(memory?.["$$token"])), []);
    const sent = page.waitForResponse(posts);
    await page.context().setOffline(false);
    const history = await historyAfter(page, sent);
    assert.equal(history.length, 1);
    assert.deepEqual(history[0]?.preferences.vendors, { one: true, two: true });
  });

  it("is sent once by a later page when this one was closed", async () => {
    await using visit = await openVisit(site);
    const { page, dialog, shop } = visit;
    await dialog.waitFor();
    await page.context().setOffline(true);
    await pressUnsent(visit, "Refuse all");
    const later = await page.context().newPage();
    later.setDefaultTimeout(30_000);
    await page.close();
    await later.context().setOffline(false);
    const sent = later.waitForResponse(posts);
    await later.goto(`${shop.url}/`);
    const [record, ...more] = await historyAfter(later, sent);
    assert.equal(record?.accept, false);
    assert.deepEqual(more, []);
    await awaitKept(later, 0);
    let again = 0;
    later.on("request", (request) => (again += posts.test(request.url()) ? 1 : 0));
    await later.reload();
    await later.locator("avow-widget button.icon").waitFor();
    await later.waitForLoadState("networkidle");
    assert.equal(again, 0, "it is deleted once it has been sent");
  });

  it("is stored while the service is not ready, and sent once when it is", async () => {
    await using visit = await openVisit(site);
    const { page } = visit;
    await page.route(posts, (route) => route.fulfill({ status: 503 }));
    await pressUnsent(visit, "Accept all");
    await page.unroute(posts);
    const sent = page.waitForResponse(posts);
    await page.reload();
    assert.equal((await historyAfter(page, sent)).length, 1);
    assert.equal(countPosts(visit), 2);
  });

  it("is reported to the page and not retried when the service rejects it permanently", async () => {
    await using visit = await openVisit(site);
    const { page } = visit;
    await page.route(posts, (route) => route.fulfill({ status: 404, json: { status: 404 } }));
    const error = waitForWidgetEvent(page, "error");
    await visit.dialog.getByRole("button", { name: "Accept all" }).click();
    assert.match(String((await error)?.["error"]), /404/);
    await awaitKept(page, 0);
    await page.reload();
    await visit.launcher.waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(countPosts(visit), 1);
  });

  it("stops running tags when the network is back, if a vendor was withdrawn offline", async () => {
    const body =
      '<main><h1>Shop</h1><img data-avow-vendor="one" data-src="/counted.png" alt=""></main>';
    await using visit = await openVisit(site, { body });
    const { page, launcher, dialog } = visit;
    await press(visit, "Accept all");
    await page.locator('img[src="/counted.png"]').waitFor({ state: "attached" });
    await page.context().setOffline(true);
    await launcher.click();
    await dialog.waitFor();
    await pressUnsent(visit, "Refuse all");
    assert.equal(
      await page.locator("img[data-src]").count(),
      0,
      "the page is not reloaded while offline",
    );
    await page.context().setOffline(false);
    await page.locator("img[data-src]").waitFor({ state: "attached" });
    assert.deepEqual(await listAccepts(page, 2), [false, true]);
  });

  it("reaches the service once when the page is left at the click, at the latest from the next page", async () => {
    await using visit = await openVisit(site, { pages: { "/next": bare } });
    const { page, dialog, shop } = visit;
    const ticket = page.waitForResponse(tickets);
    await dialog.waitFor();
    await ticket;
    await page.evaluate(`
      document.querySelector("avow-widget").shadowRoot.querySelector(".acceptAll").click();
      location.href = "/next";
    `);
    await page.waitForURL(`${shop.url}/next`);
    await page.goto(`${shop.url}/`);
    assert.deepEqual(await listAccepts(page), [true]);
  });

  it("is sent later when the page is left before its display ticket has arrived", async () => {
    await using visit = await openVisit(site, {
      pages: { "/next": bare },
      prepare: (page) => page.route(tickets, () => undefined),
    });
    const { page, dialog, shop } = visit;
    await dialog.waitFor();
    await page.evaluate(
      `document.querySelector("avow-widget").shadowRoot.querySelector(".acceptAll").click()`,
    );
    await awaitKept(page, 1);
    await page.goto(`${shop.url}/next`);
    await page.goto(`${shop.url}/`);
    assert.deepEqual(await listAccepts(page), [true]);
  });
});
