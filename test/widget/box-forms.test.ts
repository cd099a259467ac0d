import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page, Route } from "playwright-core";
import { service } from "../harness.ts";
import { boxAt, club, newsletter, openOrders, terms, toForm } from "./box-sites.ts";
import { openPage, skip } from "./browser.ts";
import { newLiveSite, openShop, toPage } from "./site.ts";

const site = await newLiveSite({ processings: [newsletter], contracts: [terms, club] });
const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; form-action 'self'; require-trusted-types-for 'script'; trusted-types avow`;
const posts = /\/v1\/app\/consents\//;
const all = ["processing:newsletter", "contract:terms", "contract:club"] as const;
const [letters, rules] = [all[0], all[1]];

/** A shop whose form has these boxes, on a page of its own; the shop's server tells what it got. */
async function openOrder(places: readonly string[] = all) {
  const opened = new AsyncDisposableStack();
  const orders = openOrders();
  const body = toForm(places.map((place) => `<div data-avow="${place}"></div>`).join(""));
  const shop = opened.use(
    await openShop({ "/": toPage(site.projectId, { body }), "/order": orders.take }, policy),
  );
  const { page, faults } = opened.use(await openPage());
  await page.goto(shop.url);
  await boxAt(page, places[0] ?? "")
    .getByRole("group")
    .first()
    .waitFor();
  return {
    page,
    faults,
    received: orders.received,
    order: () => page.getByRole("button", { name: "Order now" }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Holds back the service's answers until they are let go; its own record is made by then. */
async function holdAnswers(page: Page) {
  const held: Route[] = [];
  await page.route(posts, (route) => void held.push(route));
  return {
    held,
    /** Answers what the service has saved, and how many orders the shop had got by then. */
    letGo: async (received: readonly unknown[]) => {
      const [route] = held;
      assert.ok(route, "the service was sent an answer");
      const response = await route.fetch();
      const ordersBefore = received.length;
      const [consent] = await response.json();
      await route.fulfill({ response });
      return { consent, ordersBefore };
    },
  };
}

describe("boxes in a form", { skip }, () => {
  it("hold it until the proof is saved, and send it once by the same button", async () => {
    await using shop = await openOrder([rules]);
    const { page, received, faults } = shop;
    const { held, letGo } = await holdAnswers(page);
    await page.getByRole("checkbox", { name: "I accept the terms" }).check();
    const posted = page.waitForRequest(posts);
    await shop.order().dblclick();
    const [sent] = JSON.parse((await posted).postData() ?? "");
    await shop.order().click();
    const { consent, ordersBefore } = await letGo(received);
    assert.equal(ordersBefore, 0, "nothing was sent before the service has answered");
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(held.length, 1);
    assert.deepEqual(received.map(String), ["email=ann%40shop.example&terms=accept&pay=now"]);
    assert.equal(consent.grade, "ticketed");
    assert.equal(consent.accept, true);
    assert.equal(consent.collection, "contracts");
    assert.equal(consent.value, "accept");
    assert.equal(JSON.stringify(sent).includes("ann@"), false, "no field of the form is posted");
    assert.deepEqual(faults, []);
  });

  it("leave it alone where nothing was answered, and its own validation where a tick is missing", async () => {
    await using shop = await openOrder();
    const { page, received } = shop;
    let posted = 0;
    page.on("request", (request) => void (posted += posts.test(request.url()) ? 1 : 0));
    await shop.order().click();
    const tick = page.getByRole("checkbox", { name: "I accept the terms" });
    assert.equal(await tick.evaluate((one) => one.matches(":invalid")), true);
    assert.equal(await tick.isChecked(), false);
    assert.deepEqual(received, []);
    await tick.check();
    await shop.order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(posted, 1, "the consent box and the club were not answered");
    assert.deepEqual(received.map(String), ["email=ann%40shop.example&terms=accept&pay=now"]);
  });

  it("wait for an answer that is still on its way", async () => {
    await using shop = await openOrder([letters]);
    const { page, received } = shop;
    const { held, letGo } = await holdAnswers(page);
    const posted = page.waitForRequest(posts);
    await boxAt(page, letters).getByRole("button", { name: "No, thank you" }).click();
    await posted;
    await shop.order().click();
    const { consent, ordersBefore } = await letGo(received);
    assert.deepEqual([consent.accept, consent.value, ordersBefore], [false, "never", 0]);
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.deepEqual([held.length, received.length], [1, 1]);
  });
});
