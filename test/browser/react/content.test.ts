import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { newLiveSite, shopCookies } from "../widget/site.ts";
import { openReactVisit } from "./react-visits.ts";

const cookies = { ...shopCookies, settings: { placeholders: true } };
const news = { name: "news", title: "News", language: "en", message: "<p>May we write?</p>" };
const terms = {
  name: "terms",
  title: "Terms",
  language: "en",
  message: "<p>Our terms.</p>",
  file: "https://shop.example/terms.pdf",
  idRequired: true,
};

describe("the placeholder of a frame", { skip }, () => {
  it("loads the frame once, without an answer", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [cookies] });
    await using visit = await openReactVisit({ project });
    const { page, shop, faults } = visit;
    const placeholder = page.getByRole("group", { name: "Content from Two A film about pots" });
    assert.equal(await placeholder.evaluate((one) => one.getBoundingClientRect().height), 270);
    await placeholder.getByRole("button", { name: "Load once" }).click();
    await page.getByTitle("A film about pots").waitFor();
    assert.equal(await page.evaluate("document.activeElement.tagName"), "IFRAME");
    assert.equal(visit.requests.filter((one) => one.includes("/consents/")).length, 0);
    await page.reload();
    await visit.hydrate();
    await placeholder.waitFor();
    assert.equal(shop.fires.frame, 1);
    assert.deepEqual(faults, []);
  });

  it("accepts its vendor, and the banner asks on for the others", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [cookies] });
    await using visit = await openReactVisit({ project });
    const { page, dialog, faults } = visit;
    const sent = page.waitForResponse(/\/v1\/app\/consents\//);
    await page.getByRole("button", { name: "Always allow Two" }).click();
    const [record] = await (await sent).json();
    assert.deepEqual(record.preferences.vendors, { two: true });
    await page.getByTitle("A film about pots").waitFor();
    await dialog.getByRole("button", { name: "Refuse all" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await visit.hydrate();
    await page.getByTitle("A film about pots").waitFor();
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(faults, []);
  });
});

describe("a consent form", { skip }, () => {
  it("saves an answer with a ticket, shows it, and withdraws it", async () => {
    const { projectId: project } = await newLiveSite({ processings: [news] });
    await using visit = await openReactVisit({ project, forms: ["news"] });
    const { page, faults } = visit;
    const form = page.getByRole("region", { name: "News" });
    assert.deepEqual(await findViolations(page), []);
    const sent = page.waitForResponse(/\/v1\/app\/consents\//);
    await form.getByRole("button", { name: "I agree" }).click();
    const [record] = await (await sent).json();
    assert.equal(record.grade, "ticketed");
    assert.equal(record.accept, true);
    await form.getByText("You agreed").or(form.locator(".avow-accepted")).first().waitFor();
    assert.match(await page.evaluate("document.activeElement.className"), /avow-state/);
    assert.deepEqual(await findViolations(page), []);
    await page.reload();
    await visit.hydrate();
    await form.getByRole("button", { name: "Withdraw my consent" }).click();
    await form.locator(".avow-withdrawn").waitFor();
    assert.deepEqual(faults, []);
  });
});

describe("a form that is not published", { skip }, () => {
  it("is not rendered, breaks neither the server nor the app, and is reported once", async () => {
    const { projectId: project } = await newLiveSite({ processings: [news] });
    await using visit = await openReactVisit({ project, forms: ["renamed", "news"] });
    const { page, faults, shop } = visit;
    const response = await fetch(shop.url);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /<h1>Shop<\/h1>/);
    await page.getByRole("region", { name: "News" }).waitFor();
    assert.equal(await page.getByRole("region").count(), 1);
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(faults[0] ?? "", /Avow: no form "renamed" is published/);
  });
});

describe("a contract form in an HTML form", { skip }, () => {
  it("is required, and saved before the form is submitted with its field", async () => {
    const { projectId: project } = await newLiveSite({ contracts: [terms] });
    await using visit = await openReactVisit({ project, inForm: ["terms"] });
    const { page, faults, requests } = visit;
    const tick = page.getByRole("checkbox", { name: "I agree" });
    assert.equal(await tick.isChecked(), false);
    await page.getByRole("button", { name: "Order" }).click();
    assert.equal(
      await page.evaluate("document.querySelector('[name=terms]').validity.customError"),
      true,
    );
    await tick.check();
    // The page is left at once, so that the answer's body could not be read.
    const sent = page.waitForRequest(/\/v1\/app\/consents\//);
    await page.getByRole("button", { name: "Order" }).click();
    const [given] = JSON.parse((await sent).postData() ?? "[]");
    assert.equal(given.accept, true);
    assert.equal(given.collection, "contracts");
    await page.getByRole("heading", { name: "Ordered" }).waitFor();
    assert.match(page.url(), /terms=on/);
    const order = requests.findIndex((one) => one.includes("/order"));
    assert.ok(requests.findIndex((one) => one.includes("/consents/")) < order);
    assert.deepEqual(faults, []);
  });
});
