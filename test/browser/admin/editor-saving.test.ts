import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs, signIn } from "./visits.ts";

/** Waits until the edit is saved; skips a frame, since the screen may still show the state before it. */
async function waitUntilSaved(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  await page.getByText("All changes saved").waitFor();
}
const title = (page: Page) => page.getByLabel("Title", { exact: true });
/** The browser's message about a request without a network. */
const offline = /net::ERR_INTERNET_DISCONNECTED/;

interface Banner {
  steps: { title?: string; subTitle?: string; topTitle?: string }[];
}

describe("saving in the editor", { skip }, () => {
  it("two concurrent editors see both versions and choose: no edit is lost", async () => {
    const site = await newBannerSite();
    await using first = await openAs(site, site.at);
    await using second = await openAs(site, site.at);
    await title(second.page).waitFor();
    await title(first.page).fill("From the first");
    await first.page.getByLabel("Line below the title").fill("A line of the first");
    await waitUntilSaved(first.page);
    const { page } = second;
    await title(page).fill("From the second");
    await page.getByLabel("Line above the title").fill("A line of the second");
    const dialog = page.getByRole("dialog", { name: "Somebody else has changed this too" });
    await dialog.waitFor();
    assert.deepEqual(await findViolations(page), []);
    const both = dialog.getByRole("group", { name: "From the first · Title" });
    assert.match(await both.innerText(), /From the second[^]*From the first/);
    const only = dialog.getByRole("group", { name: "From the first · Line below the title" });
    assert.ok(
      await only.getByLabel(/Theirs/).isChecked(),
      "untouched fields have the other editor's values",
    );
    // When postponed, nothing is overwritten, and the notice says how to resume.
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("button", { name: "Compare versions" }).click();
    await both.getByLabel(/Theirs/).check();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await waitUntilSaved(page);
    const { steps } = (await site.read()) as unknown as Banner;
    assert.partialDeepStrictEqual(steps[0], {
      title: "From the first",
      subTitle: "A line of the first",
      topTitle: "A line of the second",
    });
    assert.equal(await title(page).inputValue(), "From the first");
    assert.deepEqual([...listFaults(first), ...listFaults(second)], []);
  });

  it("waits while offline, shows that, and saves when the network is back", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await title(page).waitFor();
    await page.context().setOffline(true);
    await title(page).fill("Written without a network");
    await page.getByText(/the service cannot be reached.*nothing is lost/).waitFor();
    // The edit survives leaving the screen.
    await page.getByRole("link", { name: "Cookie banners" }).first().click();
    await page.goBack();
    await page.waitForURL((url) => url.pathname.endsWith(site.at));
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.context().setOffline(false);
    await again.click();
    await waitUntilSaved(page);
    assert.equal(await title(page).inputValue(), "Written without a network");
    const { steps } = (await site.read()) as unknown as Banner;
    assert.equal(steps[0]?.title, "Written without a network");
    assert.deepEqual(
      listFaults(visit).filter((one) => !offline.test(one)),
      [],
    );
  });

  it("keeps an edit when the session ends, and saves it after the next sign-in", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await title(page).waitFor();
    const end = { method: "DELETE", token: site.token };
    await service.fetch("/v1/auth/tokens?kind=session", end);
    await title(page).fill("Written before the session ended");
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await signIn(page, site.email);
    await waitUntilSaved(page);
    assert.equal(await title(page).inputValue(), "Written before the session ended");
    const { body } = await service.fetch("/v1/auth/local/signin", {
      json: { username: site.email, password: "correct horse" },
    });
    const read = await service.fetch(`/v1/vault/cookies/${site.cookies.id}`, { token: body.token });
    assert.equal(read.body.steps[0].title, "Written before the session ended");
    assert.deepEqual(listFaults(visit), []);
  });

  it("saves an edit whose rejection arrives after the new sign-in, without a second dialog", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await title(page).waitFor();
    const signedIn = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    let refusals = 0;
    await page.route(new RegExp(`/v1/vault/cookies/${site.cookies.id}\\b`), async (route) => {
      const response = await route.fetch();
      if (response.status() === 403) {
        refusals += 1;
        refused.resolve();
        await signedIn.promise;
      }
      await route.fulfill({ response });
    });
    await service.fetch("/v1/auth/tokens?kind=session", { method: "DELETE", token: site.token });
    await title(page).fill("Sent before the sign-in");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await Promise.all([dialog.waitFor(), refused.promise]);
    await signIn(page, site.email);
    await dialog.waitFor({ state: "detached" });
    signedIn.resolve();
    await waitUntilSaved(page);
    assert.ok(await dialog.isHidden());
    assert.equal(refusals, 1);
    assert.equal(await title(page).inputValue(), "Sent before the sign-in");
    assert.deepEqual(listFaults(visit), []);
  });

  it("is disabled for a viewer", async () => {
    const site = await newBannerSite();
    const viewer = await service.newUser();
    await service.fetch(`/v1/vault/projects/${site.project.id}/users`, {
      token: site.token,
      json: { userId: viewer.id, roles: ["viewer"] },
    });
    await using visit = await openAs(viewer, site.at);
    const { page } = visit;
    await page.getByText("You can view this, but not change it.").waitFor();
    assert.equal(await title(page).getAttribute("readonly"), "");
    for (const name of ["Add a step", "Delete this step", "Move Films up"])
      assert.equal(await page.getByRole("button", { name }).count(), 0, name);
    await visit.open(`/projects/${site.project.id}/cookies`);
    await page.getByRole("link", { name: "Shop banner" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
    assert.deepEqual(listFaults(visit), []);
  });

  it("banners are created, copied into a language, made the default, and deleted", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Copy into another language" }).click();
    const dialog = page.getByRole("dialog", { name: "Copy into another language" });
    await dialog.getByLabel("Language").fill("fr");
    await dialog.getByRole("button", { name: "Create copy" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(site.at));
    await page.frameLocator("iframe.front").getByRole("button", { name: "Tout refuser" }).waitFor();
    await visit.open(`/projects/${site.project.id}/cookies`);
    const french = page.getByRole("row", { name: /French/ });
    await french.getByRole("button", { name: "Make default" }).click();
    await french.getByText("default", { exact: true }).waitFor();
    await page
      .getByRole("row", { name: /English/ })
      .getByRole("button", { name: "Delete" })
      .click();
    const confirm = page.getByRole("dialog", { name: /Delete “Shop banner”/ });
    await confirm.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("row", { name: /English/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New banner" }).click();
    await page.getByRole("heading", { level: 1, name: "banner-en" }).waitFor();
    const list = await service.fetch(`/v1/vault/cookies?projectId=${site.project.id}`, {
      token: site.token,
    });
    assert.deepEqual(
      list.body
        .map((one: Record<string, unknown>) => [one["language"], one["isDefault"] ?? false])
        .toSorted(),
      [
        ["en", false],
        ["fr", true],
      ],
    );
    assert.deepEqual(listFaults(visit), []);
  });
});
