import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openTestDatabase } from "../../database.ts";
import { openAnotherService } from "../../interface/another-service.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, newEmail, openAdmin } from "./visits.ts";

describe("choosing a password", { skip }, () => {
  it("an easily guessed password is advised against, but accepted", async () => {
    const email = newEmail();
    await using visit = await openAdmin("/signup");
    const { page } = visit;
    await page.getByText("Any length, any characters.").waitFor();
    await page.getByLabel("E-mail address").fill(email);
    const field = page.getByLabel("Password");
    for (const easy of ["short", "aaaaaaaaaaaa", "Password2026"]) {
      await field.fill(easy);
      await page.getByText("This password is easy to guess").waitFor();
    }
    await field.fill("seven green kettles sing");
    await page.getByText("Any length, any characters.").waitFor();
    await field.fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "New project" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
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
