import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newLink, post } from "../../interface/persons.ts";
import { findViolations } from "./axe.ts";
import { newsletter } from "./box-sites.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import {
  type Visit,
  waitForWidgetEvent,
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

/** The shop's own inline scripts run, too. */
const scriptsPolicy = strictPolicy.replace("script-src", "script-src 'unsafe-inline'");

/** Opens the choices, then the visitor's own page from there. */
async function goToOwnPage({ page, dialog, launcher }: Visit): Promise<void> {
  await launcher.click();
  await dialog.getByRole("button", { name: OWN_PAGE }).click();
  await page.getByRole("heading", { name: "Your choices at Hearth & Clay" }).waitFor();
}

/** Withdraws by a link as a site's server mails it, outside any browser. */
async function withdraw(token: string, vendor: string): Promise<void> {
  const { url } = await newLink({ id: site.projectId }, token, { token: site.token });
  const [identifier = ""] = site.cookies;
  const { status } = await post(url, { do: "refuse", identifier, vendor });
  assert.equal(status, 303);
}

/** The number of requests for the visitor's answers. */
const countReads = (requests: readonly string[]): number =>
  requests.filter((one) => /^POST .*\/answers$/.test(one)).length;

describe("the visitor's own page, opened from the widget", { skip }, () => {
  it("is one press away from the choices; one tap withdraws, and the widget follows at its next load", async () => {
    await using visit = await openVisit(site, { body, policy: scriptsPolicy });
    const { page, shop, faults, requests } = visit;
    const { token } = await press(visit, "Accept all");
    await waitUntilTrue(page, "window.ran");
    await goToOwnPage(visit);
    await page.getByRole("button", { name: "Refuse: One", exact: true }).click();
    await page.getByRole("button", { name: "Accept: One", exact: true }).waitFor();
    await page.goto(shop.url);
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: false, two: true, shop: true });
    assert.equal(await page.evaluate("window.ran"), undefined, "the withdrawn tag does not run");
    assert.equal(await visit.dialog.isVisible(), false, "the banner does not ask again");
    assert.equal((await readMemory(page))?.["one"], false);
    assert.deepEqual(
      requests.filter((request) => request.includes(token)),
      [],
      "no URL contains the token",
    );
    assert.deepEqual(faults, []);
  });

  it("is applied once: a later answer on the site wins", async () => {
    await using visit = await openVisit(site, { body });
    const { page, shop, launcher, dialog } = visit;
    await press(visit, "Accept all");
    await goToOwnPage(visit);
    await page.getByRole("button", { name: "Refuse: One", exact: true }).click();
    await page.getByRole("button", { name: "Accept: One", exact: true }).waitFor();
    await page.goto(shop.url);
    await page.evaluate("avow.ready");
    await launcher.click();
    await dialog.getByLabel("One", { exact: true }).check();
    // The service is unreachable, so only the device has the newer answer.
    await page.route(`${service.url}/v1/app/**`, (route) => route.abort());
    const kept = waitForWidgetEvent(page, "kept");
    await dialog.getByRole("button", { name: "Save my choices" }).click();
    await kept;
    await page.reload();
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: true, two: true, shop: true });
  });

  it("applies changes made by a mailed link at the next load; polls once a day", async () => {
    await using visit = await openVisit(site, { body, policy: scriptsPolicy });
    const { page, requests, faults } = visit;
    const { token } = await press(visit, "Accept all");
    await waitUntilTrue(page, "window.ran");
    await withdraw(token, "one");
    await page.reload();
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: false, two: true, shop: true });
    assert.equal(await page.evaluate("window.ran"), undefined, "the withdrawn tag does not run");
    assert.equal(await visit.dialog.isVisible(), false, "the banner does not ask again");
    await withdraw(token, "two");
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal((await readVendors(page))["two"], true, "no second request within a day");
    assert.equal(countReads(requests), 1);
    await page.clock.setFixedTime(Date.now() + 86_400_001);
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal((await readVendors(page))["two"], false);
    assert.equal(countReads(requests), 2);
    assert.deepEqual(faults, []);
  });

  it("has its withdrawal by a mailed link shown before the choices are saved again", async () => {
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

  it("has its withdrawal by a mailed link applied before the first own link is opened", async () => {
    await using visit = await openVisit(site, { body });
    const { page, shop } = visit;
    const { token } = await press(visit, "Accept all");
    await page.reload();
    await page.evaluate("avow.ready");
    await withdraw(token, "two");
    // The shop's page has older answers: the choices were opened before.
    await page.route("**/answers", (route) => route.abort(), { times: 1 });
    await goToOwnPage(visit);
    await page.goto(shop.url);
    await page.evaluate("avow.ready");
    assert.deepEqual(await readVendors(page), { one: true, two: false, shop: true });
  });

  it("causes no request before an answer, and no change while the service does not answer", async () => {
    await using visit = await openVisit(site, { body });
    const { page, requests, launcher, dialog } = visit;
    await page.reload();
    await dialog.getByRole("button", { name: "Accept all" }).waitFor();
    assert.equal(countReads(requests), 0, "no request before an answer");
    const { token } = await press(visit, "Accept all");
    await page.route("**/answers", (route) => route.abort());
    await withdraw(token, "one");
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal((await readVendors(page))["one"], true);
    await page.reload();
    await page.evaluate("avow.ready");
    assert.equal(countReads(requests), 1, "no request at each load");
    await launcher.click();
    await dialog.getByRole("button", { name: "Save my choices" }).waitFor();
  });

  it("updates a page that is restored by the browser's back button", async () => {
    await using visit = await openVisit(site, { body });
    const { page } = visit;
    await press(visit, "Accept all");
    await goToOwnPage(visit);
    await page.getByRole("button", { name: "Refuse: Two", exact: true }).click();
    await page.getByRole("button", { name: "Accept: Two", exact: true }).waitFor();
    await page.evaluate("history.go(-2)");
    await waitUntilTrue(page, "window.avow && avow.vendors.two === false");
  });

  it("answers a consent form, too, and is opened from one", async () => {
    await using visit = await openVisit(site, { body });
    const { page, shop } = visit;
    await press(visit, "Refuse all");
    const box = page.locator("main avow-widget");
    await box.getByRole("button", { name: "Yes, please" }).click();
    await box.getByText("Accepted").waitFor();
    await box.getByRole("button", { name: OWN_PAGE }).click();
    await page.getByRole("button", { name: "Refuse: Our newsletter" }).click();
    await page.getByRole("button", { name: "Accept: Our newsletter" }).waitFor();
    await page.goto(shop.url);
    await box.getByText("Withdrawn").waitFor();
  });

  it("is not offered before an answer; an unavailable page is reported", async () => {
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
    const error = waitForWidgetEvent(page, "error");
    await dialog.getByRole("button", { name: OWN_PAGE }).click();
    await dialog.getByText("Not possible right now. Please try again later.").waitFor();
    await error;
  });

  it("asks the visitor to contact the site when the project gives visitors no links", async () => {
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
    it(`is offered in choices without axe-core violations, ${colorScheme}`, async () => {
      await using visit = await openVisit(site, { body, colorScheme });
      await press(visit, "Accept all");
      await visit.launcher.click();
      await visit.dialog.getByRole("button", { name: OWN_PAGE }).waitFor();
      assert.deepEqual(await findViolations(visit.page), []);
    });
});
