import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, afterEach, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service, runLog } from "../../harness.ts";
import { addFactor, codeOf, wrongCodeOf } from "../../interface/factors.ts";
import { linkOf, waitForMail } from "../../interface/mails.ts";
import { type TestProvider, openTestProvider } from "../../interface/provider.ts";
import { type Signing, openSigning } from "../../interface/signing.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAdmin, openAs, password, settle, signIn } from "./visits.ts";

const MINUTE_MS = 60_000;
const phone = { width: 390, height: 844 };
const looks = [
  { colorScheme: "light" },
  { colorScheme: "dark", locale: "fr-FR", viewport: phone },
] as const;
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name });
const codeField = (page: Page) =>
  page.getByLabel(/^Code (from your authenticator app|de votre app)/);
const rest = (minutes = 16): void => service.clock.advance(minutes * MINUTE_MS);

afterEach(() => service.clock.reset());

describe("a second factor, in the admin app", { skip }, () => {
  it("is added by a picture or a secret to type, keeps its recovery codes, and is required at sign-in", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/account", { acceptDownloads: true });
    const { page } = visit;
    await button(page, "Add a second factor").click();
    const setup = page.getByRole("dialog", { name: "Add a second factor" });
    await setup.getByRole("img", { name: /QR code/ }).waitFor();
    const secret = (await setup.locator("code").innerText()).replaceAll(" ", "");
    runLog.remember("the secret of a second factor", secret);
    assert.equal(await codeField(page).getAttribute("autocomplete"), "one-time-code");
    assert.equal(await codeField(page).getAttribute("inputmode"), "numeric");
    await codeField(page).fill(wrongCodeOf(secret));
    await button(page, "Turn on").click();
    await setup.getByText("This code is wrong").waitFor();
    await codeField(page).fill(codeOf(secret));
    await button(page, "Turn on").click();
    const shown = page.getByRole("dialog", { name: "Your recovery codes" });
    const codes = (await shown.locator("code").innerText()).trim().split("\n");
    assert.equal(codes.length, 10);
    for (const code of codes) runLog.remember("a recovery code", code);
    const download = page.waitForEvent("download");
    await button(page, "Save as a file").click();
    assert.equal((await readDownload(download)).trim(), codes.join("\n"));
    await shown.getByRole("button", { name: "End all other sessions" }).click();
    await page.getByText("All other sessions have ended.").waitFor();
    assert.equal((await service.fetch("/v1/auth/me", { token: user.token })).status, 403);
    await button(page, "I have saved them").click();
    await page.getByText("10 recovery codes left").waitFor();
    await button(page, "Sign out").click();
    await signIn(page, user.email);
    await heading(page, "Enter your code").waitFor();
    await page.locator("input[name=code]:focus").waitFor();
    await codeField(page).fill(wrongCodeOf(secret));
    await page.keyboard.press("Enter");
    await page.getByText("This code is wrong").waitFor();
    await button(page, "Use a recovery code").click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByText("9 recovery codes left").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("accepts a pasted code; its recovery codes are regenerated, and it is removed", async () => {
    const user = await service.newUser();
    const { nextCode, recoveryCodes } = await addFactor(user.token);
    await using visit = await openAdmin("/signin");
    const { page } = visit;
    await signIn(page, user.email);
    await heading(page, "Enter your code").waitFor();
    await button(page, "Back").click();
    assert.equal(await page.getByLabel("E-mail address").inputValue(), user.email);
    await signIn(page, user.email);
    await heading(page, "Enter your code").waitFor();
    await page.locator("input[name=code]:focus").waitFor();
    // As authenticator apps and password managers copy it.
    await page.keyboard.insertText(nextCode().replace(/^.../, "$& "));
    await page.keyboard.press("Enter");
    await heading(page, "Projects").waitFor();
    await visit.open("/account");
    await button(page, "New recovery codes").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "New recovery codes" }).click();
    const shown = page.getByRole("dialog", { name: "Your recovery codes" });
    const codes = (await shown.locator("code").innerText()).trim().split("\n");
    for (const code of codes) runLog.remember("a recovery code", code);
    assert.equal(codes.length, 10);
    assert.ok(codes.every((code) => !recoveryCodes.includes(code)));
    await button(page, "I have saved them").click();
    const card = page.locator(".card").filter({ hasText: "Second factor" });
    await card.getByRole("button", { name: "Remove" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await button(page, "Add a second factor").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("is required by a mailed link for a new password", async () => {
    const user = await service.newUser();
    const { nextCode } = await addFactor(user.token);
    const json = { email: user.email, resetUrl: `${service.url}/admin/reset` };
    await service.fetch("/v1/auth/local/reset-password-token", { json });
    const link = linkOf(await waitForMail(user.email, /Choose a new password/));
    await using visit = await openAdmin("/signin");
    const { page } = visit;
    await page.goto(link.href);
    await page.getByLabel("New password").fill("another horse");
    await button(page, "Set password").click();
    await codeField(page).fill(nextCode());
    await button(page, "Set password").click();
    await heading(page, "Projects").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  for (const look of looks)
    it(`has no axe-core violations: ${JSON.stringify(look)}`, async () => {
      const user = await service.newUser();
      await using visit = await openAs(user, "/account", look);
      const { page } = visit;
      await settle(visit);
      await button(page, /^(Add a|Ajouter un) second fact/).click();
      await page.getByRole("dialog").getByRole("img").waitFor();
      assert.deepEqual(await findViolations(page), []);
      const secret = (await page.getByRole("dialog").locator("code").innerText()).replaceAll(
        " ",
        "",
      );
      runLog.remember("the secret of a second factor", secret);
      await codeField(page).fill(codeOf(secret));
      await button(page, /^(Turn on|Activer)$/).click();
      await button(page, /^(I have saved them|Je les ai enregistrés)$/).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await button(page, /^(I have saved them|Je les ai enregistrés)$/).click();
      await button(page, /^(New recovery codes|Nouveaux codes de secours)$/).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.evaluate("fetch('/v1/auth/session', { method: 'DELETE' })");
      await visit.open("/signin");
      await signIn(page, user.email);
      await codeField(page).waitFor();
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(listFaults(visit), []);
    });
});

describe("confirming one's identity, in the admin app", { skip }, () => {
  it("an action waits for the password, and then completes", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/account");
    const { page } = visit;
    rest();
    await button(page, "New API key").click();
    await page.getByLabel("Purpose").fill("Nightly");
    await page.getByLabel("vault:read").check();
    await button(page, "Create key").click();
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.waitFor();
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await dialog.getByText("The password is wrong.").waitFor();
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await button(page, "I have copied it").click();
    await page.getByRole("row").filter({ hasText: "Nightly" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("without confirmation nothing changes, and other sessions end only after it", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/account");
    const { page } = visit;
    rest();
    await button(page, "End all others").click();
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Nothing was changed, because the change was not confirmed.").waitFor();
    assert.equal((await service.fetch("/v1/auth/me", { token: user.token })).status, 200);
    await button(page, "End all others").click();
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("All other sessions have ended.").waitFor();
    assert.equal((await service.fetch("/v1/auth/me", { token: user.token })).status, 403);
    assert.deepEqual(listFaults(visit), []);
  });

  it("a user with a second factor confirms with its code", async () => {
    const user = await service.newUser();
    const { nextCode } = await addFactor(user.token);
    await using visit = await openAdmin("/signin");
    const { page } = visit;
    await signIn(page, user.email);
    await codeField(page).fill(nextCode());
    await page.keyboard.press("Enter");
    await heading(page, "Projects").waitFor();
    await visit.open("/account");
    rest();
    const card = page.locator(".card").filter({ hasText: "Second factor" });
    await card.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.getByLabel(/authenticator app/).fill(nextCode());
    await page.keyboard.press("Enter");
    await button(page, "Add a second factor").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});

describe("a user who signs in by a provider only, in the admin app", { skip }, () => {
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
  const enter = async (page: Page): Promise<void> => {
    const sub = randomBytes(6).toString("hex");
    issuer.become({ sub, email: `${sub}@example.org`, email_verified: true, name: "Ada" });
    await page.getByRole("link", { name: "Continue with The company" }).click();
    await heading(page, "Projects").waitFor();
  };

  it("confirms at the provider in a new window, and the action completes; a second factor comes after", async () => {
    await using visit = await openAdmin("/signin", {}, avow.url);
    const { page } = visit;
    await enter(page);
    await visit.open("/account");
    rest();
    await button(page, "Add a second factor").click();
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.getByRole("button", { name: "Continue with The company" }).click();
    const setup = page.getByRole("dialog", { name: "Add a second factor" });
    await setup.waitFor();
    const secret = (await setup.locator("code").innerText()).replaceAll(" ", "");
    runLog.remember("the secret of a second factor", secret);
    await codeField(page).fill(codeOf(secret));
    await button(page, "Turn on").click();
    const shown = page.getByRole("dialog", { name: "Your recovery codes" });
    for (const code of (await shown.locator("code").innerText()).trim().split("\n"))
      runLog.remember("a recovery code", code);
    await button(page, "I have saved them").click();
    await button(page, "Sign out").click();
    await page.getByRole("link", { name: "Continue with The company" }).click();
    await heading(page, "Enter your code").waitFor();
    service.clock.advance(MINUTE_MS / 2);
    await codeField(page).fill(codeOf(secret));
    await page.keyboard.press("Enter");
    await heading(page, "Projects").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});
