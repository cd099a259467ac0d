import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { operatorToken, service } from "../../harness.ts";
import { type Payer, type Paying, openPaying } from "../../interface/paying.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { type AdminVisit, listFaults, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const placeOf = ({ organization }: Payer) => `/organizations/${organization}/plan`;
/** Stripe's pages do not exist here: it is enough that the browser was sent there. */
const stripePages = /^https:\/\/(checkout|billing)\.stripe\.example\//;

describe("the plan of an organization, with Stripe", { skip }, () => {
  let paying: Paying;
  before(async () => {
    paying = await openPaying();
  });
  after(() => paying[Symbol.asyncDispose]());

  /** Opens the app of the paying service, with empty pages instead of Stripe's. */
  const visitAs = async (payer: { email: string }, place: string, options = {}) => {
    const visit = await openAs(payer, "/projects", options, paying.url);
    await visit.page.route(stripePages, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Stripe</title>" }),
    );
    await visit.open(place);
    return visit;
  };
  const customerOf = ({ organization }: Payer): string => {
    const found = [...paying.stripe.account.customers.values()].find(
      (one) => one.deleted !== true && one.metadata["organizationId"] === organization,
    );
    assert.ok(found);
    return found.id;
  };

  it("is chosen, paid at Stripe and active on return; a cancelled checkout changes nothing", async () => {
    const payer = await paying.newPayer();
    await using visit = await visitAs(payer, placeOf(payer));
    const { page } = visit;
    await page.getByText("Free of charge.").waitFor();
    await page.getByText("No invoices yet.").waitFor();
    assert.equal(await button(page, "Open the portal").count(), 0);
    const pro = page.getByRole("listitem").filter({ has: button(page, "Choose Pro") });
    await pro.getByText("€29.00 a month").waitFor();
    await button(page, "Choose Pro").click();
    await page.waitForURL(stripePages);
    const bought = page.url();
    const session = [...paying.stripe.account.checkouts.values()].find(({ url }) => url === bought);
    assert.ok(session);
    await page.goto(session.cancel_url ?? "");
    await heading(page, "Nothing was bought").waitFor();
    assert.equal((await paying.read(payer)).body.status, "none");
    // On return before the payment is confirmed, the screen does not claim that it was.
    await page.goto(session.success_url ?? "");
    await page.getByText(/is confirming the payment/).waitFor();
    paying.stripe.account.complete(bought);
    await page.getByText("The plan Pro now applies").waitFor();
    await page.getByRole("link", { name: "Back to the plan" }).click();
    await heading(page, "Plan and invoices").waitFor();
    await page.getByText("active", { exact: true }).waitFor();
    await page.getByText(/ending in 4242/).waitFor();
    assert.equal(await button(page, /^Choose/).count(), 0, "changes are made in the portal");
    const row = page.getByRole("row").filter({ hasText: "€29.00" });
    const pdf = await row.getByRole("link", { name: /^PDF/ }).getAttribute("href");
    assert.match(pdf ?? "", /^https:.*pdf$/);
    assert.deepEqual(listFaults(visit), []);
  });

  it("shows usage, tax numbers, refunds, a requested cancellation and an overdue invoice", async () => {
    const payer = await paying.newPayer();
    const subscription = await paying.buy(payer);
    const { account } = paying.stripe;
    account.addTaxId(customerOf(payer), "FR12345678901");
    account.refund(subscription);
    account.cancelAtPeriodEnd(subscription);
    await using visit = await visitAs(payer, placeOf(payer));
    const { page } = visit;
    await page.getByText("1 of 3").waitFor();
    await page.getByText("FR12345678901").waitFor();
    await page.getByText("€29.00 refunded").waitFor();
    await page.getByText(/^Ends on .*, as you requested/).waitFor();
    await button(page, "Open the portal").click();
    await page.waitForURL(stripePages);
    await page.goto(`${paying.url}/admin${placeOf(payer)}`);
    account.renew(subscription, { isPaid: false });
    await page.reload();
    await page.getByText("payment overdue").waitFor();
    await page.getByRole("link", { name: /^Pay/ }).waitFor();
    account.end(subscription);
    await page.reload();
    await page.getByText(/The subscription has ended/).waitFor();
    await button(page, "Choose Business").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("shows invoices in pages", async () => {
    const payer = await paying.newPayer();
    const subscription = await paying.buy(payer);
    for (let month = 0; month < 13; month += 1)
      paying.stripe.account.renew(subscription, { isPaid: true });
    await using visit = await visitAs(payer, placeOf(payer));
    const { page } = visit;
    const rows = page.getByRole("row").filter({ hasText: "€29.00" });
    await button(page, "Next").click();
    await button(page, "Previous").and(page.locator(":enabled")).waitFor();
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    await button(page, "Previous").click();
    await rows.nth(11).waitFor();
    assert.equal(await rows.count(), 12);
  });

  it("reports that Stripe does not answer, and retries; an editor is denied", async () => {
    const payer = await paying.newPayer();
    await paying.buy(payer);
    await using visit = await visitAs(payer, "/projects");
    paying.stripe.fail(3, /^\/v1\/subscriptions$/, { status: 500, type: "api_error" });
    await visit.open(placeOf(payer));
    await button(visit.page, "Try again").click();
    await visit.page.getByText("active", { exact: true }).waitFor();
    const editor = await paying.newUser();
    const json = { userId: editor.id, roles: ["editor"] };
    const users = `/v1/vault/organizations/${payer.organization}/users`;
    await paying.send(users, { token: payer.token, json });
    await using theirs = await visitAs(editor, placeOf(payer));
    await theirs.page.getByText("Your role does not allow this.").waitFor();
    assert.equal(await button(theirs.page, /Choose|portal|Try again/).count(), 0);
  });

  it("leads an unfinished purchase to its open invoice, and offers no second one", async () => {
    const payer = await paying.newPayer();
    assert.equal((await paying.checkout(payer)).status, 200);
    const { account } = paying.stripe;
    account.sell(customerOf(payer), "price_pro", "incomplete");
    const bill = account.invoices.at(-1)?.hosted_invoice_url ?? "none";
    await using visit = await visitAs(payer, placeOf(payer));
    const { page } = visit;
    const link = page.getByRole("link", { name: "Pay the invoice" });
    await link.waitFor();
    assert.equal(await link.getAttribute("href"), bill);
    assert.equal(await button(page, /^Choose/).count(), 0);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  for (const given of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: phone }] as const)
    it(`has no axe-core violations: ${JSON.stringify(given)}`, async () => {
      const payer = await paying.newPayer();
      await paying.buy(payer);
      await using visit = await visitAs(payer, placeOf(payer), given);
      for (const place of ["", "/done", "/cancelled"]) {
        await visit.open(placeOf(payer) + place);
        await settle(visit);
        assert.deepEqual(await findViolations(visit.page), [], place);
        assert.equal(await isWide(visit), false, `${place} scrolls sideways`);
      }
      assert.deepEqual(listFaults(visit), []);
    });
});

const isWide = ({ page }: AdminVisit): Promise<boolean> =>
  page.evaluate<boolean>(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  );

describe("the plan of an organization without a payment provider", { skip }, () => {
  it("explains who changes it, with the command, and shows the value that was set", async () => {
    const owner = await service.newUser();
    const { token } = owner;
    const made = await service.fetch("/v1/vault/organizations", { token, json: { name: "Clay" } });
    const { id } = made.body;
    await using visit = await openAs(owner, `/organizations/${id}/plan`);
    const { page } = visit;
    await page.getByText(/Payments are not set up on this installation/).waitFor();
    assert.equal(await page.locator("pre").innerText(), `avow set-plan ${id} pro`);
    assert.equal(await button(page, /^Choose|portal/).count(), 0);
    assert.equal(await page.getByRole("heading", { name: "Invoices", exact: true }).count(), 0);
    const set = await service.fetch(`/v1/billing/organizations/${id}`, {
      method: "PUT",
      token: operatorToken,
      json: { plan: "pro", currentPeriodEnd: "2099-12-31T12:00:00Z" },
    });
    assert.equal(set.status, 200);
    await page.reload();
    await page.getByText("Until 31 Dec 2099.").waitFor();
    await page.getByText("active", { exact: true }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});
