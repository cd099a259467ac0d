import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newLink } from "../interface/persons.ts";
import { collect, readStatuses } from "../interface/site.ts";
import { newBannerSite } from "./admin/editor-sites.ts";
import { openAdmin, password, settle } from "./admin/visits.ts";
import { openAxReader } from "./ax-tree.ts";
import { newsletter } from "./widget/box-sites.ts";
import { openPage, skip } from "./widget/browser.ts";
import { newLiveSite, shopCookies } from "./widget/site.ts";
import { openVisit, readVendors } from "./widget/visits.ts";

const site = await newLiveSite({
  project: { title: "Hearth & Clay" },
  cookies: [shopCookies],
  processings: [newsletter],
});
const [cookies = ""] = site.cookies;
const [processing = ""] = site.processings;
const body = `<main><h1>Shop</h1><div data-avow="processing:${processing}"></div></main>`;

describe("by keyboard and accessibility tree alone, a visitor", { skip }, () => {
  for (const [name, isGiven] of [
    ["Refuse all", false],
    ["Accept all", true],
  ] as const)
    it(`finds the banner as a named dialog, and answers it with “${name}”`, async () => {
      await using visit = await openVisit(site, { body });
      const { page, dialog } = visit;
      await dialog.getByRole("button", { name }).waitFor();
      const reader = await openAxReader(page);
      const banner = (await reader.read()).find(({ role }) => role === "dialog");
      assert.equal(banner?.name, "Cookies");
      await reader.tabTo("button", name);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      assert.equal((await readVendors(page))["one"], isGiven);
    });

  it("reaches refusing before accepting, chooses in the preferences, and saves", async () => {
    await using visit = await openVisit(site, { body });
    const { page, dialog } = visit;
    await dialog.getByRole("button", { name: "Accept all" }).waitFor();
    const reader = await openAxReader(page);
    const stops = await reader.tabTo("button", "Accept all");
    assert.ok(stops.includes("Refuse all"), stops.join(", "));
    await page.keyboard.press("Shift+Tab");
    await reader.tabTo("button", /settings|choose/i);
    await page.keyboard.press("Enter");
    await dialog.getByLabel("One", { exact: true }).waitFor();
    const tree = await reader.read();
    assert.ok(tree.some(({ role, name }) => role === "heading" && name === "Analytics"));
    await reader.tabTo(tree.some(({ role }) => role === "switch") ? "switch" : "checkbox", "One");
    await page.keyboard.press("Space");
    await reader.tabTo("button", "Save my choices");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await readVendors(page), { one: true, two: false, shop: true });
  });

  it("answers a consent form, and hears the result", async () => {
    await using visit = await openVisit(site, { body });
    const { page, dialog } = visit;
    const reader = await openAxReader(page);
    await dialog.getByRole("button", { name: "Refuse all" }).waitFor();
    await reader.tabTo("button", "Refuse all");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const tree = await reader.read();
    assert.ok(tree.some(({ role, name }) => role === "group" && name === "Our newsletter"));
    await reader.tabTo("button", "Yes, please");
    await page.keyboard.press("Enter");
    await reader.hear(/Accepted/);
  });

  it("changes an answer on their own page, hears it, and requests erasure", async () => {
    const own = { id: site.projectId, token: site.token };
    const preferences = { vendors: { one: true, two: false } };
    await collect(own, "cookies", cookies, { accept: true, token: "walker", preferences });
    const { url } = await newLink(own, "walker");
    await using opened = await openPage({ javaScriptEnabled: false });
    const { page } = opened;
    await page.goto(url);
    const reader = await openAxReader(page);
    const landmarks = (await reader.read()).map(({ role, name }) => `${role} ${name}`);
    for (const one of ["main ", "navigation On this page", "region Your data and your rights"])
      assert.ok(landmarks.includes(one), `${one}: ${landmarks.join(", ")}`);
    const stops = await reader.tabTo("button", "Refuse: One");
    assert.ok(!stops.includes("Accept: One"), "the current answer is no button");
    await page.keyboard.press("Enter");
    await page.getByRole("status").waitFor();
    await reader.hear(/Saved just now.*One – Withdrawn/);
    const item = { ...own, userId: "", cookies, processing, contract: "" };
    assert.equal((await readStatuses(item, "walker"))[`${cookies}/one`], "withdrawn");
    await reader.tabTo("link", "Ask for erasure…");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ask the site to erase your data?" }).waitFor();
    await reader.tabTo("button", "Ask for erasure");
    await page.keyboard.press("Enter");
    await page.getByText(/You asked for erasure on/).waitFor();
    assert.deepEqual(opened.faults, []);
  });
});

describe("by keyboard and accessibility tree alone, an editor", { skip }, () => {
  it("signs in, opens a project, changes its banner and publishes", async () => {
    const owner = await newBannerSite();
    await using visit = await openAdmin("/signin");
    const { page } = visit;
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    const reader = await openAxReader(page);
    await page.getByLabel("E-mail address").focus();
    await page.keyboard.type(owner.email);
    await reader.tabTo("textbox", "Password");
    await page.keyboard.type(password);
    await reader.tabTo("button", "Sign in");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
    await reader.tabTo("link", new RegExp(String(owner.project["title"])));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: String(owner.project["title"]) }).waitFor();
    await visit.open(owner.at);
    await settle(visit);
    await reader.tabTo("textbox", "Title");
    await page.keyboard.press("End");
    await page.keyboard.type(" by keyboard");
    for (
      const deadline = Date.now() + 20_000;
      !/by keyboard/.test(JSON.stringify(await owner.read()));
    )
      assert.ok(Date.now() < deadline, "the change is not saved");
    await visit.open(`/projects/${owner.project.id}/publish`);
    await settle(visit);
    await reader.tabTo("button", /^Publish/);
    await page.keyboard.press("Enter");
    await page
      .getByText(/Version 1/)
      .first()
      .waitFor();
  });
});
