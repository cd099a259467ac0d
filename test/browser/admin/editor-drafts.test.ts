import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { type AdminVisit, openAs } from "./visits.ts";

const countStored = `Object.keys(localStorage).filter((key) => key.startsWith("avow-draft-")).length`;

/** Opens the editor, changes the title without reaching the service, and loads the page again. */
async function openUnsaved(): Promise<{
  site: Awaited<ReturnType<typeof newBannerSite>>;
  visit: AdminVisit;
}> {
  const site = await newBannerSite();
  const visit = await openAs(site, site.at);
  const { page } = visit;
  await title(visit).waitFor();
  await page.route("**/v1/vault/cookies/**", (route) => route.abort());
  await title(visit).fill("Written before the reload");
  await page.getByText(/nothing is lost/).waitFor();
  await page.unrouteAll();
  return { site, visit };
}

const title = ({ page }: AdminVisit) => page.getByLabel("Title", { exact: true });
const offer = ({ page }: AdminVisit) => page.getByText(/^You have unsaved changes from/);

describe("unsaved changes of the editor", { skip }, () => {
  it("are offered after a reload, and saved when they are restored", async () => {
    const { site, visit: opened } = await openUnsaved();
    await using visit = opened;
    const { page } = visit;
    // A reload right after typing, before the timer.
    await title(visit).fill("Written at the last moment");
    await page.reload();
    await offer(visit).waitFor();
    assert.notEqual(await title(visit).inputValue(), "Written at the last moment");
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("All changes saved").waitFor();
    await offer(visit).waitFor({ state: "detached" });
    assert.equal(await title(visit).inputValue(), "Written at the last moment");
    const { steps } = (await site.read()) as unknown as { steps: { title: string }[] };
    assert.equal(steps[0]?.title, "Written at the last moment");
    assert.equal(await page.evaluate(countStored), 0);
  });

  it("meet a newer version as a conflict", async () => {
    const { site, visit: opened } = await openUnsaved();
    await using visit = opened;
    const { page } = visit;
    await page.reload();
    await offer(visit).waitFor();
    // A change that needs no comparison, and one of the same field.
    await title(visit).fill("Written while the offer was open");
    await page.getByText("All changes saved").waitFor();
    await page.reload();
    await page.getByText(/a newer version since/).waitFor();
    await page.getByRole("button", { name: "Restore" }).click();
    const dialog = page.getByRole("dialog", { name: "Somebody else has changed this too" });
    await dialog.getByText("Written while the offer was open", { exact: true }).waitFor();
    await dialog.getByText("Written before the reload", { exact: true }).waitFor();
    const { steps } = (await site.read()) as unknown as { steps: { title: string }[] };
    assert.equal(steps[0]?.title, "Written while the offer was open");
  });

  it("are gone after they are discarded, and after sign-out", async () => {
    const { visit: opened } = await openUnsaved();
    await using visit = opened;
    const { page } = visit;
    await page.reload();
    await page.getByRole("button", { name: "Discard" }).click();
    await offer(visit).waitFor({ state: "detached" });
    assert.equal(await page.evaluate(countStored), 0);
    await page.reload();
    await page.getByText("All changes saved").waitFor();
    assert.equal(await offer(visit).count(), 0);
    await page.route("**/v1/vault/cookies/**", (route) => route.abort());
    await title(visit).fill("Written before signing out");
    await page.getByText(/nothing is lost/).waitFor();
    await waitUntilTrue(page, `${countStored} === 1`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    assert.equal(await page.evaluate(countStored), 0);
  });

  it("are not offered to another user of the browser", async () => {
    const { site, visit: opened } = await openUnsaved();
    await using visit = opened;
    const { page } = visit;
    await page.reload();
    await offer(visit).waitFor();
    const other = await service.newUser();
    await service.fetch(`/v1/vault/projects/${site.project.id}/users`, {
      token: site.token,
      json: { userId: other.id, roles: ["editor"] },
    });
    await page.evaluate(
      `for (const key of Object.keys(localStorage)) if (key.startsWith("avow-draft-"))
        localStorage.setItem(key, localStorage.getItem(key).replace(/"userId":"[^"]*"/, '"userId":"${other.id}"'))`,
    );
    await page.reload();
    await page.getByText("All changes saved").waitFor();
    assert.equal(await offer(visit).count(), 0);
  });
});
