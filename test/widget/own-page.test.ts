import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
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

  for (const colorScheme of ["light", "dark"] as const)
    it(`stands in choices that have no fault that axe finds, ${colorScheme}`, async () => {
      await using visit = await openVisit(site, { body, colorScheme });
      await press(visit, "Accept all");
      await visit.launcher.click();
      await visit.dialog.getByRole("button", { name: OWN_PAGE }).waitFor();
      assert.deepEqual(await findViolations(visit.page), []);
    });
});
