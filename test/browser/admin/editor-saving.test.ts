import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs, signIn } from "./visits.ts";

/** Waits until what was written is saved; what the screen said before it was drawn anew does not count. */
async function saved(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  await page.getByText("All changes saved").waitFor();
}
const title = (page: Page) => page.getByLabel("Title", { exact: true });
/** What the browser says of a request that had no network. */
const offline = /net::ERR_INTERNET_DISCONNECTED/;

interface Banner {
  steps: { title?: string; subTitle?: string; topTitle?: string }[];
}

describe("what is written", { skip }, () => {
  it("two who write at once see both versions, and choose: nobody's edit is lost", async () => {
    const site = await newBannerSite();
    await using first = await openAs(site, site.at);
    await using second = await openAs(site, site.at);
    await title(second.page).waitFor();
    await title(first.page).fill("From the first");
    await first.page.getByLabel("Line below the title").fill("A line of the first");
    await saved(first.page);
    const { page } = second;
    await title(page).fill("From the second");
    await page.getByLabel("Line above the title").fill("A line of the second");
    const dialog = page.getByRole("dialog", { name: "Somebody else has changed this too" });
    await dialog.waitFor();
    assert.deepEqual(await findViolations(page), []);
    const both = dialog.getByRole("group", { name: "From the first · Title" });
    assert.match(await both.innerText(), /From the second[^]*From the first/);
    const only = dialog.getByRole("group", { name: "From the first · Line below the title" });
    assert.ok(await only.getByLabel(/Theirs/).isChecked(), "what I did not touch is theirs");
    // Put off, nothing is saved over it, and the way back is told.
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("button", { name: "Compare versions" }).click();
    await both.getByLabel(/Theirs/).check();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await saved(page);
    const { steps } = (await site.read()) as unknown as Banner;
    assert.partialDeepStrictEqual(steps[0], {
      title: "From the first",
      subTitle: "A line of the first",
      topTitle: "A line of the second",
    });
    assert.equal(await title(page).inputValue(), "From the first");
    assert.deepEqual([...listFaults(first), ...listFaults(second)], []);
  });

  it("waits where there is no network, says so, and goes on when it is back", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await title(page).waitFor();
    await page.context().setOffline(true);
    await title(page).fill("Written without a network");
    await page.getByText(/the service cannot be reached.*nothing is lost/).waitFor();
    // Left and come back to, it is still there.
    await page.getByRole("link", { name: "Cookie banners" }).first().click();
    await page.goBack();
    await page.waitForURL((url) => url.pathname.endsWith(site.at));
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.context().setOffline(false);
    await again.click();
    await saved(page);
    assert.equal(await title(page).inputValue(), "Written without a network");
    const { steps } = (await site.read()) as unknown as Banner;
    assert.equal(steps[0]?.title, "Written without a network");
    assert.deepEqual(
      listFaults(visit).filter((one) => !offline.test(one)),
      [],
    );
  });

  it("stays where the session ends in mid-edit, and is saved when somebody has signed in again", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await title(page).waitFor();
    const end = { method: "DELETE", token: site.token };
    await service.fetch("/v1/auth/tokens?kind=session", end);
    await title(page).fill("Written before the session ended");
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await signIn(page, site.email);
    await saved(page);
    assert.equal(await title(page).inputValue(), "Written before the session ended");
    const { body } = await service.fetch("/v1/auth/local/signin", {
      json: { username: site.email, password: "correct horse" },
    });
    const read = await service.fetch(`/v1/vault/cookies/${site.cookies.id}`, { token: body.token });
    assert.equal(read.body.steps[0].title, "Written before the session ended");
    assert.deepEqual(listFaults(visit), []);
  });

  it("saves an edit whose refusal arrives after the new sign-in, without a second dialog", async () => {
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
    await saved(page);
    assert.ok(await dialog.isHidden());
    assert.equal(refusals, 1);
    assert.equal(await title(page).inputValue(), "Sent before the sign-in");
    assert.deepEqual(listFaults(visit), []);
  });

  it("is not touched by who may only look", async () => {
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

  it("banners are made, copied into a language, made the default, and deleted", async () => {
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
    await page.getByRole("heading", { level: 1, name: "Untitled" }).waitFor();
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
