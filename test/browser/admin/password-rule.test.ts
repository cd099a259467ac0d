import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { openTestDatabase } from "../../database.ts";
import { service } from "../../harness.ts";
import { openAnotherService } from "../../interface/another-service.ts";
import { linkOf, waitForMail } from "../../interface/mails.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, newEmail, openAdmin, openAs, password } from "./visits.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** Sends weak passwords, and waits for the reason beside the field, which keeps its hint. */
async function tryWeak(
  page: Page,
  { label, button }: { label: string; button: string },
): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.waitFor();
  for (const [given, message] of [
    ["7 chars", "Choose at least 8 characters."],
    ["password1234", "This is one of the most used passwords. Choose another."],
  ] as const) {
    await field.fill(given);
    await page.getByRole("button", { name: button }).click();
    await page.getByText(message).waitFor();
    const described = (await field.getAttribute("aria-describedby")) ?? "";
    const texts = described.split(" ").map((id) => page.locator(`#${id}`).innerText());
    assert.match((await Promise.all(texts)).join(" "), new RegExp(message.slice(0, 20)));
  }
}

describe("choosing a password", { skip }, () => {
  it("needs eight characters and no common password at a sign-up", async () => {
    await using visit = await openAdmin("/signup");
    const { page } = visit;
    await page.getByLabel("E-mail address").fill(newEmail());
    await tryWeak(page, { label: "Password", button: "Create account" });
    const field = page.getByLabel("Password");
    for (const easy of ["aaaaaaaaaaaa", "Password2026"]) {
      await field.fill(easy);
      await page.getByText("This password is easy to guess").waitFor();
    }
    await field.fill("eight ch");
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, "New project").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("needs the same for a reset, a change and an invitation", async () => {
    const owner = await service.newOwner();
    await using visit = await openAs(owner, "/account");
    const { page } = visit;
    await page.getByLabel("Current password").fill(password);
    await tryWeak(page, { label: "New password", button: "Change password" });
    const json = { email: owner.email, resetUrl: `${service.url}/admin/reset` };
    await service.fetch("/v1/auth/local/reset-password-token", { json });
    await page.goto(linkOf(await waitForMail(owner.email, /password/)).href);
    await tryWeak(page, { label: "New password", button: "Set password" });
    const data = { collection: "projects", id: owner.project.id };
    const asked = { token: owner.token, json: { email: newEmail(), data } };
    const { body } = await service.fetch("/v1/auth/invitations", asked);
    await using invited = await openAdmin(`/invitation?token=${body.invitationToken.value}`);
    await tryWeak(invited.page, { label: "Password", button: "Create an account and accept" });
    await invited.page.getByLabel("Password").fill("eight ch");
    await invited.page.getByRole("button", { name: "Create an account and accept" }).click();
    await heading(invited.page, "Shop").waitFor();
    assert.deepEqual([...listFaults(visit), ...listFaults(invited)], []);
  });

  it("the operator's rules are beside the field, with the reason of a rejection in the reader's language", async () => {
    await using database = await openTestDatabase();
    await using strict = await openAnotherService(database.url, {
      PASSWORD_LENGTH_MIN: "12",
      PASSWORDS_REFUSED: "common,context",
    });
    await using visit = await openAdmin("/signup", { locale: "fr" }, strict.url);
    const { page } = visit;
    await page.getByText("Au moins 12 caractères").waitFor();
    await page.getByText("Pas l’un des mots de passe les plus utilisés.").waitFor();
    await page.getByLabel("Adresse e-mail").fill("ada.byron@example.org");
    const field = page.getByLabel("Mot de passe");
    const described = await field.getAttribute("aria-describedby");
    assert.match(await page.locator(`#${described ?? ""}`).innerText(), /Au moins 12 caractères/);
    const refused: [given: string, message: string][] = [
      ["trop court", "Choisissez au moins 12 caractères."],
      ["password1234", "C’est l’un des mots de passe les plus utilisés."],
      ["ada.byron.1815", "Il se réduit à vos noms"],
    ];
    for (const [given, message] of refused) {
      await field.fill(given);
      await page.getByRole("button", { name: "Créer le compte" }).click();
      await page.getByText(message).waitFor();
    }
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });
});
