import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { operatorToken, service } from "../../harness.ts";
import { linkOf, waitForMail } from "../../interface/mails.ts";
import { findViolations } from "../widget/axe.ts";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { listFaults, newEmail, openAdmin, openAs, password, signIn } from "./visits.ts";

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name });

/** Presses Tab until a control has the focus, as a keyboard user does. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(
      "{ const one = document.activeElement; (one.labels?.[0] ?? one).textContent }",
    );
    if (now === name) return;
  }
  assert.fail(`Tab does not reach ${name}.`);
}

/** Waits for another screen, then for its focus and title, which follow shortly after. */
async function arrive(page: Page, name: string): Promise<void> {
  await heading(page, name).waitFor();
  await waitUntilTrue(page, "document.activeElement.localName === 'h1'");
  await waitUntilTrue(page, `document.title === ${JSON.stringify(`${name} · Avow`)}`);
}

describe("signing in", { skip }, () => {
  it("a wrong password is reported and keeps the form; the right one leads to the requested screen", async () => {
    const user = await service.newOwner();
    const at = `/projects/${user.project.id}`;
    await using visit = await openAdmin(at);
    const { page } = visit;
    await signIn(page, user.email, "wrong");
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    assert.equal(await page.getByLabel("E-mail address").inputValue(), user.email);
    await signIn(page, user.email);
    await heading(page, "Shop").waitFor();
    assert.equal(new URL(page.url()).pathname, `/admin${at}`);
    assert.deepEqual(listFaults(visit), []);
  });

  it("a disabled account is only reported with its password", async () => {
    const user = await service.newUser();
    const at = `/v1/auth/users/${user.id}/disabled`;
    assert.equal((await service.fetch(at, { method: "PUT", token: operatorToken })).status, 204);
    await using visit = await openAdmin("/");
    const { page } = visit;
    await signIn(page, user.email, "wrong");
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    await signIn(page, user.email);
    await page.getByText("This account is disabled.").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("no script can read the token, and storage holds none", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/projects");
    const { page } = visit;
    const readable = await page.evaluate(
      "JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])",
    );
    const cookies = await page.context().cookies();
    const cookie = cookies.find(({ name }) => name.includes("session"));
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, "Strict"]);
    assert.ok(cookie && !String(readable).includes(cookie.value), String(readable));
  });

  it("the keyboard alone signs in and creates a project", async () => {
    const user = await service.newUser();
    await using visit = await openAdmin("/");
    const { page } = visit;
    await heading(page, "Sign in").waitFor();
    await tabTo(page, "E-mail address");
    await page.keyboard.type(user.email);
    await tabTo(page, "Password");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await arrive(page, "Projects");
    await tabTo(page, "New project");
    await page.keyboard.press("Enter");
    await arrive(page, "New project");
    await tabTo(page, "Address of the website");
    await page.keyboard.press("Enter");
    await page.getByText("Fill in this field.").waitFor();
    assert.equal(await page.evaluate("document.activeElement.name"), "websiteURL");
    await page.keyboard.type("shop.example");
    await page.keyboard.press("Enter");
    await heading(page, "Your banner is ready").waitFor();
    await page.keyboard.press("Tab");
    assert.deepEqual(listFaults(visit), []);
  });

  it("a forgotten password is reset by a mailed link, which leaves no token in the URL", async () => {
    const { email } = await service.newUser();
    await using visit = await openAdmin("/forgot");
    const { page } = visit;
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await heading(page, "Check your e-mail").waitFor();
    const link = linkOf(await waitForMail(email, /password/));
    assert.equal(link.pathname, "/admin/reset");
    await page.goto(link.href);
    await heading(page, "Choose a new password").waitFor();
    assert.equal(new URL(page.url()).search, "");
    await page.getByLabel("New password").fill("another horse");
    await page.getByRole("button", { name: "Set password" }).click();
    await heading(page, "Projects").waitFor();
    await page.goto(link.href);
    await page.getByLabel("New password").fill("a third horse");
    await page.getByRole("button", { name: "Set password" }).click();
    await heading(page, "This link no longer works").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("an invitation is accepted with a new account, and leads to the project", async () => {
    const owner = await service.newOwner();
    const email = newEmail();
    const data = { collection: "projects", id: owner.project.id };
    const json = { email, role: "editor", data };
    await service.fetch("/v1/auth/invitations", { token: owner.token, json });
    const link = linkOf(await waitForMail(email, /You are invited/));
    await using visit = await openAdmin("/signin");
    const { page } = visit;
    await page.goto(link.href);
    await page.getByText(/to work on “Shop” as editor/).waitFor();
    assert.equal(await page.getByLabel("E-mail address").inputValue(), email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create an account and accept" }).click();
    await heading(page, "Shop").waitFor();
    await page.goto(link.href);
    await heading(page, "This invitation no longer works").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("an invitation bound to its address is sent by choice, and accepted once the address is confirmed", async () => {
    const owner = await service.newOwner();
    const email = newEmail();
    await using inviting = await openAs(owner, `/projects/${owner.project.id}/team`);
    await inviting.page.getByRole("button", { name: "Invite somebody" }).click();
    await inviting.page.getByLabel("E-mail address").fill(email);
    await inviting.page.getByLabel("Can be accepted by").selectOption("address");
    await inviting.page.getByRole("button", { name: "Send the invitation" }).click();
    const link = linkOf(await waitForMail(email, /You are invited/));
    const other = await service.newUser();
    await using wrong = await openAs(other, "/projects");
    await wrong.page.goto(link.href);
    await wrong.page.getByText("Only an account with the address a…@e….org can accept.").waitFor();
    await wrong.page.getByRole("button", { name: "Accept the invitation" }).click();
    await wrong.page.getByText("This account has another address").waitFor();
    assert.ok(!(await wrong.page.content()).includes(email));
    assert.deepEqual(await findViolations(wrong.page), []);

    await using visit = await openAdmin("/signin");
    const { page } = visit;
    await page.goto(link.href);
    const address = page.getByLabel("E-mail address");
    assert.equal(await address.inputValue(), "");
    await address.fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByText("Confirm your e-mail address by the link").waitFor();
    const token = linkOf(await waitForMail(email, /Confirm your/)).searchParams.get("token") ?? "";
    await service.fetch("/account/confirm", { form: { token } });
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await heading(page, "Shop").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("a configured provider has a button", async () => {
    await using visit = await openAdmin("/signin");
    const link = visit.page.getByRole("link", { name: "Continue with GitHub" });
    const href = new URL((await link.getAttribute("href")) ?? "");
    assert.equal(href.pathname, "/v1/auth/github");
    const back = `${service.url}/admin/signin/finish`;
    assert.equal(href.searchParams.get("redirectURI"), back);
    await visit.page.goto(`${back}?code=unknown`);
    await visit.page.getByText(/The sign-in was not completed/).waitFor();
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`no public screen has axe-core violations, ${colorScheme}`, async () => {
      await using visit = await openAdmin("/signin", { colorScheme, reducedMotion: "reduce" });
      const { page } = visit;
      for (const place of [
        "/signin",
        "/signup",
        "/forgot",
        "/reset",
        "/reset?token=no",
        "/invitation",
      ]) {
        await visit.open(place);
        await page.getByRole("heading", { level: 1 }).waitFor();
        assert.deepEqual(await findViolations(page), [], place);
      }
    });
});
