// An HTML form while its boxes cannot reach the service: it is submitted once an answer is safe, and not
// before.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { boxAt, newsletter, terms } from "./box-sites.ts";
import { type OrderVisit, holdAnswers, openOrder, posts } from "./box-visits.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite } from "./site.ts";
import { type Consent, waitForWidgetEvent, readHistory } from "./visits.ts";

const site = await newLiveSite({ processings: [newsletter], contracts: [terms] });
const [letters, rules] = ["processing:newsletter", "contract:terms"] as const;
/** A sandboxed page has an opaque origin, without cookies or storage. */
const sandbox = "sandbox allow-scripts allow-forms";
const unsaved = { hasText: "could not be saved" };

/** Ticks the terms, once their display ticket has arrived. */
async function openTicked(more: Parameters<typeof openOrder>[2] = {}): Promise<OrderVisit> {
  const shop = await openOrder(site, [rules], more);
  await boxAt(shop.page, rules).getByRole("checkbox").check();
  return shop;
}

/** The visitor's records, after the next page of the site has sent the stored answer. */
async function readAfterNextPage({ page, shop }: OrderVisit, token: string): Promise<Consent[]> {
  const sent = page.waitForResponse(posts);
  await page.goto(`${shop.url}/`);
  await sent;
  return readHistory(site, token);
}

/** Answers a box while its request is held back, long enough for the answer to be stored on the device. */
async function keepAnswer({ page }: OrderVisit, name: string): Promise<void> {
  const [posted, kept] = [page.waitForRequest(posts), waitForWidgetEvent(page, "kept")];
  await boxAt(page, letters).getByRole("button", { name }).click();
  await posted;
  await page.clock.runFor(4_100);
  await kept;
}

function readToken({ page }: OrderVisit): Promise<string> {
  return page.evaluate<string>("avow.token");
}

describe("an HTML form while its boxes cannot reach the service", { skip }, () => {
  it("is submitted offline, and sends its answer when the network is back", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page, order } = shop;
    await page.evaluate(
      `addEventListener("submit", (event) => (event.preventDefault(), document.title = "Sent"))`,
    );
    await page.context().setOffline(true);
    const kept = waitForWidgetEvent(page, "kept");
    await boxAt(page, letters).getByRole("button", { name: "Yes, please" }).click();
    await kept;
    await boxAt(page, letters).getByText("See you soon.").waitFor();
    await order().click();
    await waitUntilTrue(page, `document.title === "Sent"`);
    const token = await readToken(shop);
    assert.deepEqual(await readHistory(site, token), []);
    const sent = page.waitForResponse(posts);
    await page.context().setOffline(false);
    await sent;
    const [record, ...more] = await readHistory(site, token);
    assert.deepEqual([record?.accept, record?.["value"], more.length], [true, "yes", 0]);
  });

  it("is submitted while the service is not ready, and the next page sends its answer", async () => {
    await using shop = await openTicked();
    const { page, received, order } = shop;
    const token = await readToken(shop);
    await page.route(posts, (route) => route.fulfill({ status: 503 }));
    await order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
    assert.deepEqual(await readHistory(site, token), []);
    await page.unroute(posts);
    const [record, ...more] = await readAfterNextPage(shop, token);
    assert.deepEqual([record?.accept, record?.["collection"]], [true, "contracts"]);
    assert.deepEqual(more, []);
  });

  it("waits four seconds for a service that hangs, then is submitted with the answer on the device", async () => {
    await using shop = await openTicked();
    const { page, received, order } = shop;
    const token = await readToken(shop);
    const { held } = await holdAnswers(page);
    const posted = page.waitForRequest(posts);
    await order().click();
    await posted;
    await page.clock.runFor(3_900);
    const box = boxAt(page, rules).locator("section");
    assert.equal(await box.getAttribute("aria-busy"), "true");
    assert.deepEqual(received, []);
    await page.clock.runFor(200);
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.deepEqual([received.length, held.length], [1, 1]);
    await page.unroute(posts);
    const history = await readAfterNextPage(shop, token);
    assert.deepEqual(
      history.map(({ accept, grade }) => [accept, grade]),
      [[true, "ticketed"]],
    );
  });

  it("emits saved for a late record", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page } = shop;
    const answers = await holdAnswers(page);
    await keepAnswer(shop, "Yes, please");
    const saved = waitForWidgetEvent(page, "saved");
    const { consent } = await answers.letGo([]);
    assert.deepEqual((await saved)?.["consent"], consent);
  });

  it("shows the earlier answer again when the service rejects a late one", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page } = shop;
    const box = boxAt(page, letters);
    const saved = waitForWidgetEvent(page, "saved");
    await box.getByRole("button", { name: "Yes, please" }).click();
    await saved;
    const { held } = await holdAnswers(page);
    await keepAnswer(shop, "Withdraw my consent");
    await box.getByText("Withdrawn").waitFor();
    const error = waitForWidgetEvent(page, "error");
    const headers = { "access-control-allow-origin": "*" };
    const json = [{ status: 404, detail: "No such box." }];
    const answered = page.waitForResponse(posts);
    await held[0]?.fulfill({ headers, json });
    await answered;
    assert.match(String((await error)?.["error"]), /No such box/);
    await box.getByRole("alert").filter(unsaved).waitFor();
    await box.getByText("Accepted").waitFor();
    assert.equal(await box.getByText("Withdrawn").count(), 0, "a rejected answer is not shown");
    await page.unroute(posts);
    await page.reload();
    await box.getByText("Accepted").waitFor();
  });

  it("waits without a timeout for the service when the browser stores nothing", async () => {
    await using shop = await openTicked({ policy: sandbox });
    const { page, received, order } = shop;
    for (const storage of ["document.cookie", "localStorage", 'indexedDB.open("a")'])
      await assert.rejects(page.evaluate(storage), /SecurityError/, storage);
    const { letGo } = await holdAnswers(page);
    const posted = page.waitForRequest(posts);
    await order().click();
    await posted;
    await page.clock.runFor(5_000);
    const { consent, ordersBefore } = await letGo(received);
    assert.deepEqual([consent.accept, consent.grade, ordersBefore], [true, "ticketed", 0]);
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
  });

  it("is not submitted while an answer can be neither sent nor stored, and works at the next press", async () => {
    await using shop = await openTicked({ policy: sandbox });
    const { page, received, order } = shop;
    const token = await readToken(shop);
    await page.route(posts, (route) => route.fulfill({ status: 503 }));
    await order().click();
    const alert = boxAt(page, rules).getByRole("alert").filter(unsaved);
    await alert.waitFor();
    assert.deepEqual(received, []);
    assert.equal(await boxAt(page, rules).getByRole("checkbox").isChecked(), true);
    await page.unroute(posts);
    await order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
    for (const { accept } of await readHistory(site, token)) assert.equal(accept, true);
  });

  it("is not submitted while the service rejects the answer, and works at the next press", async () => {
    await using shop = await openTicked();
    const { page, received, order } = shop;
    const token = await readToken(shop);
    const headers = { "access-control-allow-origin": "*" };
    const json = [{ status: 404, detail: "No such box." }];
    await page.route(posts, (route) => route.fulfill({ headers, json }));
    await order().click();
    await boxAt(page, rules).getByRole("alert").filter(unsaved).waitFor();
    const refused = page.waitForResponse(posts);
    await order().click();
    await refused;
    await boxAt(page, rules).locator("section[aria-busy=false]").waitFor();
    assert.deepEqual(received, [], "a contract is never sent without its proof");
    await page.unroute(posts);
    await order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
    assert.equal((await readHistory(site, token)).length, 1);
  });
});
