import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { service } from "../../harness.ts";
import { getMe } from "../../interface/accounts.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs, password, settle } from "./visits.ts";

describe("deleting an account", { skip }, () => {
  afterEach(() => service.clock.reset());

  it("requires the username, lists documents without another owner, and requires confirmation of an old session", async () => {
    const user = await service.newOwner();
    await using visit = await openAs(user, "/account");
    const { page } = visit;
    await settle(visit);
    await page.getByRole("button", { name: "Delete my account" }).click();
    const dialog = page.getByRole("dialog");
    const submit = dialog.getByRole("button", { name: "Delete my account" });
    const name = dialog.getByLabel(`Type ${user.email} to confirm`);
    await name.fill("somebody else");
    await submit.click();
    await dialog.getByText(`Type ${user.email}.`).waitFor();
    await name.fill(user.email);
    await submit.click();
    await dialog.getByText("You are the only owner of these.").waitFor();
    await dialog.getByText("Shop", { exact: true }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    const { id } = user.project;
    const removed = await service.fetch(`/v1/vault/projects/${id}?confirm=${id}`, {
      method: "DELETE",
      token: user.token,
    });
    assert.equal(removed.status, 204);
    service.clock.advance(16 * 60_000);
    await submit.click();
    const confirmation = page.getByRole("dialog", { name: "Confirm your identity" });
    await confirmation.getByLabel("Password").fill("wrong");
    await confirmation.getByRole("button", { name: "Confirm" }).click();
    await confirmation.getByText("The password is wrong.").waitFor();
    assert.deepEqual(await findViolations(page), []);
    await confirmation.getByLabel("Password").fill(password);
    await confirmation.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.getByText("Your account is deleted.").waitFor();
    assert.equal((await getMe(user.token)).status, 403);
    assert.deepEqual(listFaults(visit), []);
  });
});
