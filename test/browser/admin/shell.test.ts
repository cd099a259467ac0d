import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { publishAndWait } from "../../interface/publishing.ts";
import { findViolations } from "../widget/axe.ts";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { listFaults, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };
const windows = [
  { width: 1280, height: 800 },
  { width: 1366, height: 768 },
  // The same screen with the bars of a browser.
  { width: 1366, height: 600 },
];
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const field = (page: Page) => page.getByRole("combobox");
const chosen = (page: Page) => page.getByRole("option", { selected: true });

/** A user with a live project without visitors, and two others. */
async function newProjects() {
  const owner = await service.newUser();
  const { token } = owner;
  const live = await service.newProject(token, { title: "Pottery shop" });
  const other = await service.newProject(token, { title: "Évasion travels" });
  await service.newProject(token, { title: "Bakery" });
  const vendor = { name: "matomo", title: "Matomo", type: "analytics" };
  const steps = [{ name: "one", layout: "category", title: "Reason", vendors: [vendor] }];
  const json = { projectId: live.id, name: "banner", language: "en", steps };
  await service.fetch("/v1/vault/cookies", { token, json });
  return { owner, live, other };
}

describe("the shell of the admin app", { skip }, async () => {
  const { owner, live, other } = await newProjects();
  const at = `/projects/${live.id}`;

  it("keeps signing out inside the window, and groups the screens of a project", async () => {
    await using visit = await openAs(owner, at);
    const { page } = visit;
    await settle(visit);
    const out = page.getByRole("button", { name: "Sign out" });
    for (const size of windows) {
      await page.setViewportSize(size);
      const box = await out.boundingBox();
      assert.ok(box && box.y + box.height <= size.height, `${JSON.stringify(box)} is outside`);
    }
    const side = page.getByRole("navigation", { name: "Main" });
    for (const [group, count] of [
      ["Build", 5],
      ["Evidence", 3],
      ["Insights", 1],
      ["Connect", 2],
      ["Project", 3],
    ] as const)
      assert.equal(
        await side.getByRole("list", { name: group, exact: true }).getByRole("link").count(),
        count,
        group,
      );
    await side.getByRole("link", { name: "Publish" }).click();
    await heading(page, "Publish").waitFor();
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
    await crumbs.getByRole("link", { name: "Pottery shop" }).click();
    await heading(page, "Pottery shop").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("finds projects, screens and actions by keyboard alone", async () => {
    await using visit = await openAs(owner, at);
    const { page } = visit;
    await settle(visit);
    const finder = page.getByRole("button", { name: /Search or jump to/ });
    await finder.focus();
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
    await waitUntilTrue(page, "document.activeElement.role === 'combobox'");
    assert.deepEqual(await findViolations(page), []);
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
    await waitUntilTrue(page, "document.activeElement.className === 'finder'");

    // Case does not matter, and the service searches.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("évasion");
    await page.getByRole("option", { name: /Évasion travels/ }).waitFor();
    assert.equal(
      await field(page).getAttribute("aria-activedescendant"),
      await chosen(page).getAttribute("id"),
    );
    await page.keyboard.press("Enter");
    await heading(page, "Évasion travels").waitFor();
    assert.ok(page.url().endsWith(other.id));

    await page.keyboard.press("Control+k");
    await page.keyboard.type("settings");
    await chosen(page).filter({ hasText: "Settings" }).waitFor();
    await page.keyboard.press("Enter");
    await heading(page, "Settings").waitFor();

    await page.keyboard.press("Control+k");
    await page.keyboard.type("invite");
    await chosen(page).filter({ hasText: "Invite a member…" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Invite somebody" }).waitFor();
    // The palette would cover the input of another dialog.
    await page.keyboard.press("Control+k");
    assert.equal(await page.getByRole("dialog").count(), 1);
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("approve");
    await chosen(page).filter({ hasText: "Reviews" }).waitFor();
    await page.keyboard.press("Escape");
    const json = { name: "Kiln & Partners" };
    const { body } = await service.fetch("/v1/vault/organizations", { token: owner.token, json });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("kiln & p");
    await chosen(page).filter({ hasText: "Kiln & Partners" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/organizations/${body.id}$`));

    await page.keyboard.press("Control+k");
    await page.keyboard.type("no such thing");
    await page.getByText("Nothing matches “no such thing”.").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("switches projects from the sidebar, recent ones first", async () => {
    await using visit = await openAs(owner, at, { viewport: phone });
    const { page } = visit;
    await settle(visit);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: /Switch project/ }).click();
    await page.getByRole("option", { name: /Bakery/ }).click();
    await heading(page, "Bakery").waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: /Switch project/ }).click();
    const recent = page.getByRole("group", { name: "Recent projects" });
    await recent.getByRole("option", { name: "Pottery shop" }).waitFor();
    assert.equal(await recent.getByRole("option", { name: "Bakery" }).count(), 0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Sign in").waitFor();
    await waitUntilTrue(page, "localStorage.getItem('avow-recent') === null");
  });

  it("shows one state of a project in the list and on its overview", async () => {
    await publishAndWait(owner.token, live.id);
    await using visit = await openAs(owner, "/projects");
    const { page } = visit;
    const row = page.getByRole("row").filter({ hasText: "Pottery shop" });
    await row.getByText("Published, not seen yet").waitFor();
    await page.getByRole("row").filter({ hasText: "Bakery" }).getByText("Not live").waitFor();
    await visit.open(at);
    await heading(page, "Pottery shop").waitFor();
    await page.getByText("Published, not seen yet").waitFor();
    assert.equal(await page.getByText("Live", { exact: true }).count(), 0);
  });
});
