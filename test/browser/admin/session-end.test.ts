import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { type AdminVisit, listFaults, openAs, password } from "./visits.ts";

/** Ends every session of a user, as another browser can. */
async function endSessions({ token }: { token: string }): Promise<void> {
  const end = { method: "DELETE", token };
  assert.equal((await service.fetch("/v1/auth/tokens?kind=session", end)).status, 204);
}

async function typeProject({ page }: AdminVisit): Promise<void> {
  await page.getByLabel("Address of the website").fill("late.example");
  await page.getByLabel("Title").fill("Typed before");
}

describe("a session that ends during work", { skip }, () => {
  it("asks to sign in again over the form, then completes the action", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/projects/new");
    const { page } = visit;
    await typeProject(visit);
    await endSessions(user);
    await page.getByRole("button", { name: "Create project" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.equal(await page.getByLabel("Title").inputValue(), "Typed before");
    // The dialog cannot be dismissed: the waiting request would fail.
    await page.keyboard.press("Escape");
    assert.ok(await dialog.isVisible());
    assert.equal(await dialog.getByLabel("E-mail address").inputValue(), user.email);
    await dialog.getByLabel("Password").fill("wrong");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("The e-mail address or the password is wrong.").waitFor();
    await dialog.getByLabel("Password").fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Your banner is ready" }).waitFor();
    const json = { username: user.email, password };
    const { body } = await service.fetch("/v1/auth/local/signin", { json });
    const made = await service.fetch("/v1/vault/projects", { token: body.token });
    assert.deepEqual(
      made.body.map(({ title }: { title: string }) => title),
      ["Typed before"],
    );
    assert.deepEqual(listFaults(visit), []);
  });

  it("discards the form when another user signs in", async () => {
    const user = await service.newUser();
    const other = await service.newUser();
    await using visit = await openAs(user, "/projects/new");
    const { page } = visit;
    await typeProject(visit);
    await endSessions(user);
    await page.getByRole("button", { name: "Create project" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail address").fill(other.email);
    await dialog.getByLabel("Password").fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "New project" }).waitFor();
    const made = await service.fetch("/v1/vault/projects", { token: other.token });
    assert.deepEqual(made.body, []);
  });

  it("ends with the sign-out, which leads to the sign-in screen", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/projects");
    const { page } = visit;
    const [before] = await page.context().cookies();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    const me = await service.fetch("/v1/auth/me", { token: before?.value ?? "" });
    assert.equal(me.status, 403);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("keeps the form while offline, which can be sent when the network is back", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/projects/new");
    const { page } = visit;
    await typeProject(visit);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByText(/The service cannot be reached/).waitFor();
    assert.equal(await page.getByLabel("Title").inputValue(), "Typed before");
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByRole("heading", { level: 1, name: "Your banner is ready" }).waitFor();
  });
});
