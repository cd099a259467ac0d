// A form whose boxes cannot reach the service: it goes on once an answer is safe, and stays while it is not.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { boxAt, newsletter, terms } from "./box-sites.ts";
import { type Ordering, holdAnswers, openOrder, posts } from "./box-visits.ts";
import { skip, waitUntilSo } from "./browser.ts";
import { newLiveSite } from "./site.ts";
import { type Consent, hear, readHistory } from "./visits.ts";

const site = await newLiveSite({ processings: [newsletter], contracts: [terms] });
const [letters, rules] = ["processing:newsletter", "contract:terms"] as const;
/** A browser that keeps nothing: an origin of its own, without cookies and storage. */
const sandbox = "sandbox allow-scripts allow-forms";
const unsaved = { hasText: "could not be saved" };

/** Ticks the terms, once their display ticket is there. */
async function openTicked(more: Parameters<typeof openOrder>[2] = {}): Promise<Ordering> {
  const shop = await openOrder(site, [rules], more);
  await boxAt(shop.page, rules).getByRole("checkbox").check();
  return shop;
}

/** What the service has of the visitor once the next page of the site has sent it. */
async function readAfterNextPage({ page, shop }: Ordering, token: string): Promise<Consent[]> {
  const sent = page.waitForResponse(posts);
  await page.goto(`${shop.url}/`);
  await sent;
  return readHistory(site, token);
}

/** Answers a box whose request is held, and lets so much time pass that the device keeps the answer. */
async function keepAnswer({ page }: Ordering, name: string): Promise<void> {
  const [posted, kept] = [page.waitForRequest(posts), hear(page, "kept")];
  await boxAt(page, letters).getByRole("button", { name }).click();
  await posted;
  await page.clock.runFor(4_100);
  await kept;
}

function readToken({ page }: Ordering): Promise<string> {
  return page.evaluate<string>("avow.token");
}

describe("a form whose boxes cannot reach the service", { skip }, () => {
  it("goes on without a network, as any form does, and its answer is sent when there is one", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page, order } = shop;
    await page.evaluate(
      `addEventListener("submit", (event) => (event.preventDefault(), document.title = "Sent"))`,
    );
    await page.context().setOffline(true);
    const kept = hear(page, "kept");
    await boxAt(page, letters).getByRole("button", { name: "Yes, please" }).click();
    await kept;
    await boxAt(page, letters).getByText("See you soon.").waitFor();
    await order().click();
    await waitUntilSo(page, `document.title === "Sent"`);
    const token = await readToken(shop);
    assert.deepEqual(await readHistory(site, token), []);
    const sent = page.waitForResponse(posts);
    await page.context().setOffline(false);
    await sent;
    const [record, ...more] = await readHistory(site, token);
    assert.deepEqual([record?.accept, record?.["value"], more.length], [true, "yes", 0]);
  });

  it("goes on where the service is not ready, and the next page of the site sends its answer", async () => {
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

  it("waits four seconds for a service that hangs, and goes on with its answer on the device", async () => {
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

  it("emits saved for a record that came late", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page } = shop;
    const answers = await holdAnswers(page);
    await keepAnswer(shop, "Yes, please");
    const saved = hear(page, "saved");
    const { consent } = await answers.letGo([]);
    assert.deepEqual((await saved)?.["consent"], consent);
  });

  it("shows the earlier answer again when the service refuses a late one", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page } = shop;
    const box = boxAt(page, letters);
    const saved = hear(page, "saved");
    await box.getByRole("button", { name: "Yes, please" }).click();
    await saved;
    const { held } = await holdAnswers(page);
    await keepAnswer(shop, "Withdraw my consent");
    await box.getByText("Withdrawn").waitFor();
    const error = hear(page, "error");
    const headers = { "access-control-allow-origin": "*" };
    const json = [{ status: 404, detail: "No such box." }];
    const answered = page.waitForResponse(posts);
    await held[0]?.fulfill({ headers, json });
    await answered;
    assert.match(String((await error)?.["error"]), /No such box/);
    await box.getByRole("alert").filter(unsaved).waitFor();
    await box.getByText("Accepted").waitFor();
    assert.equal(await box.getByText("Withdrawn").count(), 0, "what nobody has is not told");
    await page.unroute(posts);
    await page.reload();
    await box.getByText("Accepted").waitFor();
  });

  it("goes on where the browser keeps nothing, as soon as the service has the answer, however late", async () => {
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

  it("stays where an answer can be neither sent nor kept, says so, and is sent when it is pressed again", async () => {
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

  it("stays where the service refuses the answer, and is sent when it is pressed again", async () => {
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
    assert.deepEqual(received, [], "a contract is not sent without its proof, however often");
    await page.unroute(posts);
    await order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
    assert.equal((await readHistory(site, token)).length, 1);
  });
});
