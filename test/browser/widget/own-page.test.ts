import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newLink, post } from "../../interface/persons.ts";
import { findViolations } from "./axe.ts";
import { newsletter } from "./box-sites.ts";
import { skip, waitUntilSo } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import {
  type Visit,
  hear,
  openVisit,
  press,
  readMemory,
  readVendors,
  strictPolicy,
} from "./visits.ts";

const site = await newLiveSite({
  project: { title: "Hearth & Clay" },
  cookies: [shopCookies],
  processings: [newsletter],
});
const [newsletterId = ""] = site.processings;
const OWN_PAGE = "My answers and receipts";
const tag = `<script type="text/plain" data-avow-vendor="one">window.ran = true</script>`;
const body = `<main><h1>Shop</h1><div data-avow="processing:${newsletterId}"></div></main>${tag}`;

/** The shop's own scripts run, too. */
const scriptsPolicy = strictPolicy.replace("script-src", "script-src 'unsafe-inline'");

/** Opens the choices, and the person's page from there. */
async function goToOwnPage({ page, dialog, launcher }: Visit): Promise<void> {
  await launcher.click();
  await dialog.getByRole("button", { name: OWN_PAGE }).click();
  await page.getByRole("heading", { name: "Your choices at Hearth & Clay" }).waitFor();
}

/** Withdraws by a link as a site's own server mails it, in no browser at all. */
async function withdraw(token: string, vendor: string): Promise<void> {
  const { url } = await newLink({ id: site.projectId }, token, { token: site.token });
  const [identifier = ""] = site.cookies;
  const { status } = await post(url, { do: "refuse", identifier, vendor });
  assert.equal(status, 303);
}

/** How often the service was asked what a visitor answers. */
const countReads = (requests: readonly string[]): number =>
  requests.filter((one) => /^POST .*\/answers$/.test(one)).length;

describe("the person's page, from the widget", { skip }, () => {
  it("is one press away from the choices; one tap withdraws, and the widget knows at its next load", async () => {
    await using visit = await openVisit(site, { body, policy: scriptsPolicy });
    const { page, shop, faults, requests } = visit;
    const { token } = await press(visit, "Accept all");
    await waitUntilSo(page, "window.ran");
    await goToOwnPage(visit);
    await page.getByRole("button", { name: "Withdraw: One", exact: true }).click();
    await page.getByRole("button", { name: "Accept: One", exact: true }).waitFor();
    await page.goto(shop.url);
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: false, two: true, shop: true });
    assert.equal(await page.evaluate("window.ran"), undefined, "what waits for it does not run");
    assert.equal(await visit.dialog.isVisible(), false, "nothing is asked again");
    assert.equal((await readMemory(page))?.["one"], false);
    assert.deepEqual(
      requests.filter((request) => request.includes(token)),
      [],
      "the token stands in no address",
    );
    assert.deepEqual(faults, []);
  });

  it("takes an answer over once: what is answered on the site afterwards holds", async () => {
    await using visit = await openVisit(site, { body });
    const { page, shop, launcher, dialog } = visit;
    await press(visit, "Accept all");
    await goToOwnPage(visit);
    await page.getByRole("button", { name: "Withdraw: One", exact: true }).click();
    await page.getByRole("button", { name: "Accept: One", exact: true }).waitFor();
    await page.goto(shop.url);
    await page.evaluate("avow.ready");
    await launcher.click();
    await dialog.getByLabel("One", { exact: true }).check();
    // The service is not there: the device alone has the newer answer.
    await page.route(`${service.url}/v1/app/**`, (route) => route.abort());
    const kept = hear(page, "kept");
    await dialog.getByRole("button", { name: "Save my choices" }).click();
    await kept;
    await page.reload();
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: true, two: true, shop: true });
  });

  it("follows what was withdrawn by a mailed link, from the next load on, and asks once a day", async () => {
    await using visit = await openVisit(site, { body, policy: scriptsPolicy });
    const { page, requests, faults } = visit;
    const { token } = await press(visit, "Accept all");
    await waitUntilSo(page, "window.ran");
    await withdraw(token, "one");
    await page.reload();
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: false, two: true, shop: true });
    assert.equal(await page.evaluate("window.ran"), undefined, "what waits for it does not run");
    assert.equal(await visit.dialog.isVisible(), false, "nothing is asked again");
    await withdraw(token, "two");
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal((await readVendors(page))["two"], true, "a day has not passed");
    assert.equal(countReads(requests), 1);
    await page.clock.setFixedTime(Date.now() + 86_400_001);
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal((await readVendors(page))["two"], false);
    assert.equal(countReads(requests), 2);
    assert.deepEqual(faults, []);
  });

  it("shows what a mailed link withdrew before the choices are saved again, untouched", async () => {
    await using visit = await openVisit(site, { body });
    const { page, launcher, dialog } = visit;
    const { token } = await press(visit, "Accept all");
    await page.reload();
    await page.evaluate("avow.ready");
    await withdraw(token, "two");
    await launcher.click();
    await dialog.getByLabel("Two", { exact: true }).waitFor();
    assert.equal(await dialog.getByLabel("Two", { exact: true }).isChecked(), false);
    assert.equal(await dialog.getByLabel("One", { exact: true }).isChecked(), true);
    const { preferences } = await press(visit, "Save my choices");
    assert.deepEqual(preferences.vendors, { one: true, two: false });
  });

  it("follows what a mailed link withdrew before a link was opened from here", async () => {
    await using visit = await openVisit(site, { body });
    const { page, shop } = visit;
    const { token } = await press(visit, "Accept all");
    await page.reload();
    await page.evaluate("avow.ready");
    await withdraw(token, "two");
    // What is on the page of the shop is older: the choices were opened before.
    await page.route("**/answers", (route) => route.abort(), { times: 1 });
    await goToOwnPage(visit);
    await page.goto(shop.url);
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: true, two: false, shop: true });
  });

  it("asks for nothing before an answer, and holds what it has where the service does not answer", async () => {
    await using visit = await openVisit(site, { body });
    const { page, requests, launcher, dialog } = visit;
    await page.reload();
    await dialog.getByRole("button", { name: "Accept all" }).waitFor();
    assert.equal(countReads(requests), 0, "nobody is asked for who has answered nothing");
    const { token } = await press(visit, "Accept all");
    await page.route("**/answers", (route) => route.abort());
    await withdraw(token, "one");
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal((await readVendors(page))["one"], true);
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal(countReads(requests), 1, "not at each load");
    await launcher.click();
    await dialog.getByRole("button", { name: "Save my choices" }).waitFor();
  });

  it("tells a page that comes back by the browser's button", async () => {
    await using visit = await openVisit(site, { body });
    const { page } = visit;
    await press(visit, "Accept all");
    await goToOwnPage(visit);
    await page.getByRole("button", { name: "Withdraw: Two", exact: true }).click();
    await page.getByRole("button", { name: "Accept: Two", exact: true }).waitFor();
    await page.evaluate("history.go(-2)");
    await waitUntilSo(page, "window.avow && avow.vendors.two === false");
  });

  it("answers a consent box, too, and is opened from one", async () => {
    await using visit = await openVisit(site, { body });
    const { page, shop } = visit;
    await press(visit, "Refuse all");
    const box = page.locator("main avow-widget");
    await box.getByRole("button", { name: "Yes, please" }).click();
    await box.getByText("Accepted").waitFor();
    await box.getByRole("button", { name: OWN_PAGE }).click();
    await page.getByRole("button", { name: "Withdraw: Our newsletter" }).click();
    await page.getByRole("button", { name: "Accept: Our newsletter" }).waitFor();
    await page.goto(shop.url);
    await box.getByText("Withdrawn").waitFor();
  });

  it("is not offered to who has answered nothing; where it cannot be had, that is said", async () => {
    await using visit = await openVisit(site, { body });
    const { page, dialog, launcher } = visit;
    await page.evaluate("avow.open()");
    await dialog.getByRole("button", { name: "Close" }).waitFor();
    assert.equal(await dialog.getByRole("button", { name: OWN_PAGE }).count(), 0);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.evaluate("avow.open()");
    await press(visit, "Refuse all");
    await page.route("**/links", (route) => route.abort());
    await launcher.click();
    const error = hear(page, "error");
    await dialog.getByRole("button", { name: OWN_PAGE }).click();
    await dialog.getByText("Not possible right now. Please try again later.").waitFor();
    await error;
  });

  it("says to ask the site where the project gives visitors no links", async () => {
    await using visit = await openVisit(site, { body });
    const { page, dialog, launcher } = visit;
    await press(visit, "Refuse all");
    const setVisitorLinks = async (visitorLinks: boolean) => {
      const json = { personPage: { visitorLinks } };
      const request = { method: "PATCH", token: site.token, json };
      const { status } = await service.fetch(`/v1/vault/projects/${site.projectId}`, request);
      assert.equal(status, 200);
    };
    await setVisitorLinks(false);
    try {
      await launcher.click();
      await dialog.getByRole("button", { name: OWN_PAGE }).click();
      await dialog.getByText("Not possible from here. Please ask this site.").waitFor();
      assert.equal(new URL(page.url()).origin, visit.shop.url);
    } finally {
      await setVisitorLinks(true);
    }
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`stands in choices that have no fault that axe finds, ${colorScheme}`, async () => {
      await using visit = await openVisit(site, { body, colorScheme });
      await press(visit, "Accept all");
      await visit.launcher.click();
      await visit.dialog.getByRole("button", { name: OWN_PAGE }).waitFor();
      assert.deepEqual(await findViolations(visit.page), []);
    });
});
