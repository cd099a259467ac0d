import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { isOfProject, scopes } from "../../../packages/admin/data/scopes.ts";
import { scopeNames, userScopes } from "../../../packages/server/kernel/rights.ts";
import { service } from "../../harness.ts";
import { Browser, type TestProvider, codeOf, openTestProvider } from "../../interface/provider.ts";
import { type Signing, openSigning } from "../../interface/signing.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAdmin, openAs, password, settle, signIn } from "./visits.ts";

const phone = { width: 390, height: 844 };
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

describe("sign-in methods, in the admin app", { skip }, () => {
  let issuer: TestProvider;
  let avow: Signing;
  before(async () => {
    issuer = await openTestProvider();
    const company = { issuer: issuer.issuer, title: "The company", clientId: "avow" };
    avow = await openSigning({ company: { ...company, clientSecret: "s3cret" } });
  });
  after(async () => {
    await avow[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });

  /** Selects the user who signs in at the provider from now on. */
  const become = (name: string): { sub: string; email: string } => {
    const sub = randomBytes(6).toString("hex");
    const email = `${sub}@example.org`;
    issuer.become({ sub, email, email_verified: true, name });
    return { sub, email };
  };
  const waysOf = async (token: string) => {
    const { body } = await avow.getMe(token);
    return body.signInMethods.map(({ provider }: { provider: string }) => provider);
  };
  const sessionsOf = async (token: string): Promise<number> =>
    (await avow.fetch("/v1/auth/tokens", { token })).body.length;

  it("a provider signs users in; such a user has one method, and may request a password", async () => {
    const { email } = become("Ada");
    await using visit = await openAdmin("/signin", {}, avow.url);
    const { page, requests } = visit;
    await page.getByRole("link", { name: "Continue with The company" }).click();
    await heading(page, "Projects").waitFor();
    const begun = requests.findIndex((one) => one.startsWith(`GET ${avow.url}/v1/auth/company?`));
    const authorized = requests.findIndex((one) =>
      one.startsWith(`GET ${issuer.issuer}/authorize?`),
    );
    assert.ok(begun >= 0 && authorized > begun, requests.join("\n"));
    assert.ok(!page.url().includes("code="), "no URL keeps the code");
    await visit.open("/account");
    await page.getByText("This is your only sign-in method").waitFor();
    const row = page.getByRole("row").filter({ hasText: "The company" });
    await row.getByText(email).waitFor();
    assert.equal(await button(page, /^Remove/).count(), 0);
    assert.equal(await page.getByRole("link", { name: /^Add/ }).count(), 0);
    await button(page, "Send the link").click();
    await page.getByText(`A link is on its way to ${email}.`).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("a provider is added to an account and signs in to it; the password goes, but not the last method", async () => {
    const user = await avow.newUser();
    become("Somebody");
    await using visit = await openAs(user, "/account", {}, avow.url);
    const { page } = visit;
    const sessions = await sessionsOf(user.token);
    await page.getByRole("link", { name: "Add The company" }).click();
    await page.getByText("The sign-in method is added.").waitFor();
    assert.equal(new URL(page.url()).pathname, "/admin/account");
    assert.deepEqual(await waysOf(user.token), ["local", "company"]);
    assert.equal(await sessionsOf(user.token), sessions, "the session before has ended");
    await button(page, "Sign out").click();
    await heading(page, "Sign in").waitFor();
    await page.getByRole("link", { name: "Continue with The company" }).click();
    await page.getByRole("link", { name: user.email.split("@")[0] ?? "" }).click();
    await page.getByText(user.email).first().waitFor();
    await button(page, "Remove Password").click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("This is your only sign-in method").waitFor();
    assert.equal(await button(page, /^Remove/).count(), 0);
    assert.deepEqual(await waysOf(user.token), ["company"]);
    await button(page, "Sign out").click();
    await signIn(page, user.email, password);
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("a link that another user began, refused or used already adds nothing, with an explanation", async () => {
    const user = await avow.newUser();
    become("The attacker");
    const redirectURI = `${avow.url}/admin/account/linked`;
    const code = codeOf(await new Browser(avow.url).signIn("company", { redirectURI }));
    await using visit = await openAs(user, "/account", {}, avow.url);
    const { page } = visit;
    for (const query of [`code=${encodeURIComponent(code)}`, "error=access_denied"]) {
      await visit.open(`/account/linked?${query}`);
      await page.getByRole("alert").getByText("The sign-in method was not added.").waitFor();
      const me = await page.evaluate(async () => {
        const answer = await fetch("/v1/auth/me");
        return ((await answer.json()) as { email: string }).email;
      });
      assert.equal(me, user.email, "nobody else is signed in");
    }
    await visit.open("/account");
    await page.getByRole("link", { name: "Add The company" }).click();
    await heading(page, "This sign-in belongs to another account").waitFor();
    assert.deepEqual(await waysOf(user.token), ["local"]);
  });

  for (const given of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: phone }] as const)
    it(`have no axe-core violations: ${JSON.stringify(given)}`, async () => {
      const user = await avow.newUser();
      await using visit = await openAs(user, "/account?failed", given, avow.url);
      await settle(visit);
      assert.deepEqual(await findViolations(visit.page), []);
      await button(visit.page, "New API key").click();
      assert.deepEqual(await findViolations(visit.page), []);
      assert.deepEqual(listFaults(visit), []);
    });
});

describe("keys, in the admin app", { skip }, () => {
  it("one is created for a project with an expiry, and can access only that project", async () => {
    const owner = await service.newOwner();
    const other = await service.newProject(owner.token, { title: "Another" });
    await using visit = await openAs(owner, "/account");
    const { page } = visit;
    await button(page, "New API key").click();
    await page.getByLabel("Purpose").fill("Nightly");
    await page.getByLabel("Expires after").selectOption("30");
    assert.equal(await page.getByLabel("billing:read").count(), 1);
    await page.getByLabel("Project").selectOption({ label: "Shop" });
    assert.equal(await page.getByLabel("billing:read").count(), 0, "is of no project");
    await page.getByLabel("vault:read").check();
    await button(page, "Create key").click();
    const token = await page.getByRole("dialog").locator("code").innerText();
    await button(page, "I have copied it").click();
    await page.getByRole("row").filter({ hasText: "Nightly" }).getByText("only Shop").waitFor();
    const read = (id: string) => service.fetch(`/v1/vault/projects/${id}`, { token });
    assert.equal((await read(owner.project.id)).status, 200);
    assert.equal((await read(other.id)).status, 404);
    const { body } = await service.fetch("/v1/auth/tokens", { token: owner.token });
    const key = body.find(({ label }: { label: string }) => label === "Nightly");
    const days = (new Date(key.expiresAt).getTime() - service.clock.now().getTime()) / 86_400_000;
    assert.ok(days > 29 && days <= 30, `${days} days`);
    assert.deepEqual(listFaults(visit), []);
  });

  it("the app offers each scope, and for a project only those that the service accepts", () => {
    assert.deepEqual(scopes, [...scopeNames]);
    assert.deepEqual(
      scopes.filter((scope) => !isOfProject(scope)),
      [...userScopes],
    );
  });
});
