import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { boxAt, club, newsletter, terms } from "./box-sites.ts";
import {
  type OrderVisit,
  answerBy,
  holdAnswers,
  openOrder,
  posts,
  refuseOnce,
} from "./box-visits.ts";
import { skip } from "./browser.ts";
import { newLiveSite } from "./site.ts";
import { countPosts, waitForWidgetEvent, readHistory } from "./visits.ts";

const french = { ...terms, language: "fr", title: "Conditions de vente", buttons: [] };
const site = await newLiveSite({ processings: [newsletter], contracts: [terms, french, club] });
const [letters, rules, members] = [
  "processing:newsletter",
  "contract:terms",
  "contract:club",
] as const;
const ordered = "email=ann%40shop.example&terms=accept&pay=now";
/** A page that sends its form by script, without navigation. */
const stay = `{
  window.sent = [];
  addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push(new URLSearchParams(new FormData(event.target, event.submitter)).toString());
  });
}`;

/** Presses the form's button on such a page, and returns everything that it has sent by then. */
async function orderAndStay({ page, order }: OrderVisit): Promise<string[]> {
  const sent = page.evaluate(
    `new Promise((resolve) => addEventListener("submit", () => resolve(sent), { once: true }))`,
  );
  await order().click();
  return sent as Promise<string[]>;
}

async function readToken({ page }: OrderVisit): Promise<string> {
  return page.evaluate<string>("avow.token");
}

describe("boxes in an HTML form", { skip }, () => {
  it("delay it until the proof is saved, and submit it once by the same button", async () => {
    await using shop = await openOrder(site, [rules]);
    const { page, received, order, faults } = shop;
    const { held, letGo } = await holdAnswers(page);
    await page.getByRole("checkbox", { name: "I accept the terms" }).check();
    const posted = page.waitForRequest(posts);
    await order().dblclick();
    const [sent] = JSON.parse((await posted).postData() ?? "");
    await order().click();
    const { consent, ordersBefore } = await letGo(received);
    assert.equal(ordersBefore, 0, "nothing is sent before the service has answered");
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(held.length, 1);
    assert.deepEqual(received.map(String), [ordered]);
    assert.deepEqual(
      [consent.grade, consent.accept, consent.collection, consent.value],
      ["ticketed", true, "contracts", "accept"],
    );
    assert.equal(JSON.stringify(sent).includes("ann@"), false, "no field of the form is posted");
    assert.deepEqual(faults, []);
  });

  it("do not delay a form without answers, nor replace its own validation of a missing tick", async () => {
    await using shop = await openOrder(site, [letters, rules, members]);
    const { page, received, order } = shop;
    await order().click();
    const tick = page.getByRole("checkbox", { name: "I accept the terms" });
    assert.equal(await tick.evaluate((one) => one.matches(":invalid")), true);
    assert.equal(await tick.isChecked(), false);
    assert.deepEqual(received, []);
    await tick.check();
    await order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(countPosts(shop), 1, "the newsletter and the club have no answer");
    assert.deepEqual(received.map(String), [ordered]);
  });

  it("wait for an answer that is still being saved", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page, received, order } = shop;
    const { held, letGo } = await holdAnswers(page);
    const posted = page.waitForRequest(posts);
    await boxAt(page, letters).getByRole("button", { name: "No, thank you" }).click();
    await posted;
    await order().click();
    const { consent, ordersBefore } = await letGo(received);
    assert.deepEqual([consent.accept, consent.value, ordersBefore], [false, "never", 0]);
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.deepEqual([held.length, received.length], [1, 1]);
  });

  it("post nothing for a tick that was removed, or reset with the form, before it was sent", async () => {
    await using shop = await openOrder(site, [members]);
    const { page } = shop;
    await page.evaluate(stay);
    const tick = boxAt(page, members).getByRole("checkbox");
    await tick.check();
    await tick.uncheck();
    await orderAndStay(shop);
    await tick.check();
    await page.evaluate("document.forms.order.reset()");
    assert.equal(await tick.isChecked(), false);
    const sent = await orderAndStay(shop);
    assert.deepEqual(sent, Array(2).fill("email=ann%40shop.example&pay=now"));
    assert.equal(countPosts(shop), 0);
  });

  it("withdraw nothing when a form is reset after it was sent, but do when a tick is removed", async () => {
    await using shop = await openOrder(site, [members]);
    const { page } = shop;
    await page.evaluate(stay);
    const tick = boxAt(page, members).getByRole("checkbox");
    await tick.check();
    await orderAndStay(shop);
    await page.evaluate("document.forms.order.reset()");
    // Two clicks within a second may be one double click.
    await page.clock.runFor(2_000);
    await orderAndStay(shop);
    const token = await readToken(shop);
    const read = async (): Promise<boolean[]> =>
      (await readHistory(site, token)).map(({ accept }) => accept);
    assert.deepEqual(await read(), [true]);
    await page.clock.runFor(2_000);
    await tick.check();
    await orderAndStay(shop);
    await page.clock.runFor(2_000);
    await tick.uncheck();
    await orderAndStay(shop);
    assert.deepEqual(await read(), [false, true, true], "newest first");
    await boxAt(page, members).getByText("Withdrawn").waitFor();
  });

  it("are all saved before it is sent, and saved ones are not repeated when one is rejected", async () => {
    await using shop = await openOrder(site, [letters, rules, members]);
    const { page, received, order } = shop;
    await boxAt(page, rules).getByRole("checkbox").check();
    await boxAt(page, members).getByRole("checkbox").check();
    let isRefusing = true;
    await page.route(posts, async (route) => {
      const bodies = route.request().postDataJSON() as { identifier: string }[];
      const response = await route.fetch();
      const json: unknown[] = await response.json();
      const at = bodies.findIndex(({ identifier }) => identifier === site.contracts[2]);
      if (isRefusing && at >= 0) json[at] = { status: 422, detail: "Not this one." };
      await route.fulfill({ response, json });
    });
    await order().click();
    await boxAt(page, members)
      .getByRole("alert")
      .filter({ hasText: "could not be saved" })
      .waitFor();
    await boxAt(page, rules).getByText("Accepted").waitFor();
    assert.deepEqual(received, [], "the form waits for the unsaved one");
    isRefusing = false;
    const again = page.waitForRequest(posts);
    await order().click();
    const sent = (await again).postDataJSON() as { identifier: string }[];
    assert.deepEqual(
      sent.map(({ identifier }) => identifier),
      [site.contracts[2]],
    );
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
  });

  it("belong to one of two forms: one is sent, the other still asks, and shows stored answers", async () => {
    const form = (name: string): string =>
      `<form id="${name}"><div data-avow="${rules}"></div><button>${name}</button></form>`;
    await using shop = await openOrder(site, [], { body: form("First") + form("Second") });
    const { page } = shop;
    await page.evaluate(stay);
    const [first, second] = [page.locator("#First"), page.locator("#Second")];
    await first.getByRole("checkbox").check();
    await first.getByRole("button", { name: "First" }).click();
    for (const one of [first, second]) await one.getByText("Accepted").waitFor();
    assert.equal(await first.getByRole("checkbox").isChecked(), true);
    assert.equal(await second.getByRole("checkbox").isChecked(), false, "each form asks again");
    await second.getByRole("button", { name: "Second" }).click();
    assert.equal(await second.locator(":invalid").count(), 1);
    assert.equal(countPosts(shop), 1);
    assert.deepEqual(await page.evaluate("sent"), ["terms=accept"]);
    await answerBy(shop, second.getByRole("button", { name: "Withdraw my consent" }));
    for (const one of [first, second]) await one.getByText("Withdrawn").waitFor();
    await page.clock.runFor(2_000);
    const { accept } = await answerBy(shop, first.getByRole("button", { name: "First" }));
    assert.equal(accept, true, "a tick that is still set is saved again");
  });

  it("report a missing tick in their own language, until a script ticks it", async () => {
    await using shop = await openOrder(site, [rules], { lang: "fr" });
    const { page, received, order } = shop;
    const tick = boxAt(page, rules).getByRole("checkbox", { name: "J’accepte" });
    await order().click();
    assert.equal(
      await tick.evaluate((input: { validationMessage?: string }) => input.validationMessage),
      "Veuillez cocher cette case pour continuer.",
    );
    await tick.evaluate((input: { checked?: boolean }) => (input.checked = true));
    await order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.deepEqual(received.map(String), ["email=ann%40shop.example&terms=on&pay=now"]);
  });

  it("delay it once for a consent that the service rejects: consent is optional", async () => {
    await using shop = await openOrder(site, [letters]);
    const { page, received, order } = shop;
    const alert = boxAt(page, letters).getByRole("alert").filter({ hasText: "could not be saved" });
    await refuseOnce(page);
    const error = waitForWidgetEvent(page, "error");
    await boxAt(page, letters).getByRole("button", { name: "Yes, please" }).click();
    await error;
    await alert.waitFor();
    await refuseOnce(page);
    const again = waitForWidgetEvent(page, "error");
    await order().click();
    await again;
    await alert.waitFor();
    const token = await readToken(shop);
    assert.deepEqual(received, []);
    await order().click();
    await page.getByRole("heading", { name: "Thanks" }).waitFor();
    assert.equal(received.length, 1);
    assert.deepEqual(await readHistory(site, token), [], "nothing was accepted");
  });
});
