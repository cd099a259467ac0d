import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newWebhook } from "../../interface/webhooks.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { type AdminVisit, listFaults, openAs } from "./visits.ts";

const names = ["alpha", "bravo", "charlie", "delta"];

/** An owner with four webhooks. */
async function newSite() {
  const owner = await service.newOwner();
  for (const [at, name] of names.entries())
    await newWebhook(owner.token, {
      url: `https://hooks.example/${name}`,
      events: ["project.updated", "publish.done", "consent.created"].slice(0, (at % 3) + 1),
      projectId: owner.project.id,
    });
  return { owner, at: `/projects/${owner.project.id}/webhooks` };
}

async function listUrls({ page }: AdminVisit): Promise<string[]> {
  const links = page.getByRole("main").locator("a.row-link");
  await links.nth(names.length - 1).waitFor();
  return (await links.allInnerTexts()).map((url) => url.replace("https://hooks.example/", ""));
}

const toQuery = ({ page }: AdminVisit) => new URL(page.url()).searchParams;

describe("a table", { skip }, () => {
  it("is sorted by its headings, and shows the order and columns of its address", async () => {
    const { owner, at } = await newSite();
    await using visit = await openAs(owner, at);
    const { page } = visit;
    const heading = (name: string) => page.getByRole("columnheader", { name });
    await listUrls(visit);
    assert.equal(await heading("URL").getAttribute("aria-sort"), null);
    await page.getByRole("button", { name: "URL" }).press("Enter");
    assert.deepEqual(await listUrls(visit), names);
    assert.equal(await heading("URL").getAttribute("aria-sort"), "ascending");
    await page.getByRole("button", { name: "URL" }).press("Enter");
    assert.deepEqual(await listUrls(visit), names.toReversed());
    assert.equal(await heading("URL").getAttribute("aria-sort"), "descending");
    assert.equal(toQuery(visit).get("sort"), "-address");
    await page.getByText("View", { exact: true }).click();
    await page.getByLabel("Events").uncheck();
    await heading("Events").waitFor({ state: "detached" });
    assert.deepEqual(await findViolations(page), []);
    await page.keyboard.press("Escape");
    assert.ok(await page.evaluate("document.activeElement.matches('.menu > summary')"));
    assert.equal(toQuery(visit).get("columns"), "address state");

    // The address shows the same to others; without an address, the user's last choice is shown.
    const { search } = new URL(page.url());
    await using other = await openAs(owner, at + search);
    assert.deepEqual(await listUrls(other), names.toReversed());
    assert.equal(await other.page.getByRole("columnheader", { name: "Events" }).count(), 0);
    await visit.open(at);
    assert.deepEqual(await listUrls(visit), names.toReversed());
    assert.equal(new URL(page.url()).search, search);
    assert.deepEqual(listFaults(visit), []);
  });

  it("keeps views under their names, for this user and browser", async () => {
    const { owner, at } = await newSite();
    await using visit = await openAs(owner, `${at}?sort=-address`);
    const { page } = visit;
    await listUrls(visit);
    await page.getByText("View", { exact: true }).click();
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByText("Fill in this field.").waitFor();
    await page.getByLabel("Name").fill("Backwards");
    await page.getByLabel("Name").press("Enter");
    await page.getByRole("link", { name: "Backwards" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "URL" }).click();
    assert.deepEqual(await listUrls(visit), names);
    await page.reload();
    await listUrls(visit);
    await page.getByText("View", { exact: true }).click();
    await page.getByRole("link", { name: "Backwards" }).click();
    await page.waitForURL(/sort=-address/);
    assert.deepEqual(await listUrls(visit), names.toReversed());
    await page.getByText("View", { exact: true }).click();
    await page.getByRole("button", { name: "Delete the view “Backwards”" }).click();
    await page.getByRole("link", { name: "Backwards" }).waitFor({ state: "detached" });
  });

  it("shows the default order in a view that was saved with it, and at an address with a filter", async () => {
    const { owner, at } = await newSite();
    await using visit = await openAs(owner, at);
    const { page } = visit;
    await listUrls(visit);
    await page.getByText("View", { exact: true }).click();
    await page.getByLabel("Name").fill("As created");
    await page.getByLabel("Name").press("Enter");
    await page.getByRole("link", { name: "As created" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "URL" }).click();
    await page.getByRole("button", { name: "URL" }).click();
    assert.deepEqual(await listUrls(visit), names.toReversed());
    await page.getByText("View", { exact: true }).click();
    await page.getByRole("link", { name: "As created" }).click();
    await page.waitForURL(/columns=/);
    assert.deepEqual(await listUrls(visit), names);
    assert.equal(toQuery(visit).get("sort"), null);
    await visit.open(`${at}?page=1`);
    assert.deepEqual(await listUrls(visit), names);
    assert.deepEqual(listFaults(visit), []);
  });

  it("selects a range by Shift and a click or arrow keys, and all rows at once", async () => {
    const { owner, at } = await newSite();
    await using visit = await openAs(owner, `${at}?sort=address`);
    const { page } = visit;
    await listUrls(visit);
    const box = (name: string) => page.getByLabel(`Select https://hooks.example/${name}`);
    const selected = (count: number) => page.getByText(`${count} selected`, { exact: true });
    await box("alpha").click();
    await selected(1).waitFor();
    await box("charlie").click({ modifiers: ["Shift"] });
    await selected(3).waitFor();
    assert.ok(await box("bravo").isChecked());
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await box("bravo").press("Space");
    await selected(1).waitFor();
    await page.keyboard.press("Shift+ArrowDown");
    await selected(2).waitFor();
    assert.ok(await box("charlie").isChecked());
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await selected(4).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await findViolations(page), []);
    await page.getByLabel("Order").selectOption("-address");
    assert.deepEqual(await listUrls(visit), names.toReversed());
    await selected(4).waitFor();
  });

  it("applies an action to the selection, undoes it, and downloads the selection", async () => {
    const { owner, at } = await newSite();
    await using visit = await openAs(owner, `${at}?sort=address`);
    const { page } = visit;
    await listUrls(visit);
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await page.getByRole("checkbox", { name: /bravo/ }).check();
    await page.getByRole("checkbox", { name: /delta/ }).check();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("2 webhooks are turned off.").waitFor();
    await row("bravo").getByText("off", { exact: true }).waitFor();
    await row("alpha").getByText("on", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row("bravo").getByText("on", { exact: true }).waitFor();
    await row("delta").getByText("on", { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download (CSV)" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "webhooks.csv");
    const csv = await text(await download.createReadStream());
    assert.deepEqual(csv.trimEnd().split("\r\n"), [
      "URL;Events;State",
      "https://hooks.example/bravo;project.updated publish.done;on",
      "https://hooks.example/delta;project.updated;on",
    ]);
    assert.deepEqual(listFaults(visit), []);
  });

  it("applies an action to the other rows when one fails, and shows the reason", async () => {
    const { owner, at } = await newSite();
    await using visit = await openAs(owner, `${at}?sort=address`);
    const { page } = visit;
    await listUrls(visit);
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    const first = await row("alpha").getByRole("link").getAttribute("href");
    await page.route(`**/v1/webhooks/${first?.split("/").at(-1)}`, (route) => route.abort());
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText(/^3 done, 1 failed: /).waitFor();
    await row("delta").getByText("off", { exact: true }).waitFor();
    await row("alpha").getByText("on", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row("delta").getByText("on", { exact: true }).waitFor();
  });
});
