import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { listFaults, newEmail, openAdmin, openAs, openShared, password } from "./visits.ts";

const missingController = "The organization responsible for the data is not named.";
const organization = (page: Page) => page.getByLabel("Organization", { exact: true }).first();

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^Saved\. Visitors see the change/).waitFor();
}

async function readProject({ token, id }: { token: string; id: string }) {
  const { status, body } = await service.fetch(`/v1/vault/projects/${id}`, { token });
  assert.equal(status, 200);
  return body;
}

describe("the settings of a project", { skip }, () => {
  it("a finding leads to the field that causes it; with that filled in, the project is published without it", async () => {
    await using visit = await openAdmin("/signup");
    const { page } = visit;
    const button = (name: string) => page.getByRole("button", { name });
    await page.getByLabel("E-mail address").fill(newEmail());
    await page.getByLabel("Password").fill(password);
    await button("Create account").click();
    await page.getByLabel("Address of the website").fill("shop.example");
    await page.getByLabel("Title").fill("Shop");
    await button("Create project").click();
    await button("Publish banner").click();
    await page.getByRole("heading", { level: 1, name: "Add it to your website" }).waitFor();
    const side = page.getByRole("navigation", { name: "Main" });
    await side.getByRole("link", { name: "Publish" }).click();
    await page.getByText(missingController).click();
    await page.getByRole("link", { name: "Open it in the project’s settings" }).click();
    await organization(page).waitFor();
    await page.getByText(missingController).waitFor();
    await waitUntilTrue(page, "document.activeElement.name === 'DPO/organization'");
    const described = await organization(page).getAttribute("aria-describedby");
    assert.match(
      await page.locator(`[id="${described}"]`).innerText(),
      /The organization responsible/,
    );
    assert.deepEqual(await findViolations(page), []);
    await page.keyboard.type("Shop Ltd");
    await page.getByLabel("Postal address").first().fill("1 High Street\nLondon");
    await save(page);
    await page.getByText(missingController).waitFor({ state: "detached" });
    await side.getByRole("link", { name: "Publish" }).click();
    await page.getByText("Controller", { exact: false }).first().waitFor();
    await button("Publish").first().click();
    await page.getByRole("button", { name: /^Changes 2/ }).waitFor();
    assert.equal(await page.getByText(missingController).count(), 0);
    assert.deepEqual(listFaults(visit), []);
  });

  it("names and URLs are changed by keyboard; an invalid URL is reported beside its field", async () => {
    const site = await newBannerSite({ fields: { dataProcessor: "Host Ltd", DPO: {} } });
    const own = { token: site.token, id: site.project.id };
    await using visit = await openAs(site, `/projects/${own.id}/settings`);
    const { page } = visit;
    const title = page.getByLabel("Title", { exact: true });
    await title.fill("Renamed");
    const address = page.getByLabel("Address of the website");
    await address.fill("no address");
    await address.press("Enter");
    await address.and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByText("Enter a full address, such as https://shop.example.").waitFor();
    assert.notEqual((await readProject(own)).title, "Renamed");
    assert.equal(await title.inputValue(), "Renamed");
    await address.fill("renamed.example");
    await address.press("Enter");
    await page.getByText(/^Saved\. Visitors see the change/).waitFor();
    const { title: named, websiteURL, dataProcessor, DPO } = await readProject(own);
    assert.deepEqual(
      { named, websiteURL, dataProcessor, DPO },
      {
        named: "Renamed",
        websiteURL: "https://renamed.example",
        dataProcessor: "Host Ltd",
        DPO: {},
      },
    );
    assert.equal(await address.inputValue(), "https://renamed.example");
    await page.getByRole("navigation", { name: "Main" }).getByText("Renamed").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("two concurrent saves lose nothing: different fields merge, the same ones offer a choice", async () => {
    const site = await newBannerSite({ fields: { DPO: { organization: "Shop Ltd" } } });
    const own = { token: site.token, id: site.project.id };
    await using visit = await openAs(site, `/projects/${own.id}/settings`);
    const { page } = visit;
    await organization(page).waitFor();
    const change = async (json: object): Promise<void> => {
      const given = { method: "PATCH", token: own.token, json };
      assert.equal((await service.fetch(`/v1/vault/projects/${own.id}`, given)).status, 200);
    };
    await change({ title: "Theirs", colors: { text: "#111111" } });
    await organization(page).fill("Shop and Sons");
    await save(page);
    assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), "Theirs");
    await change({ DPO: { organization: "Somebody Ltd", email: "a@shop.example" } });
    await organization(page).fill("Shop Group");
    await page.getByLabel("Title", { exact: true }).fill("Mine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Somebody else has changed this too" });
    const both = dialog.getByRole("group", { name: "Controller · Organization" });
    assert.match(await both.innerText(), /Shop Group[^]*Somebody Ltd/);
    assert.equal(await dialog.getByRole("group").count(), 1);
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Not now" }).click();
    assert.equal(await organization(page).inputValue(), "Shop Group");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await both.getByLabel(/Theirs/).check();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await save(page);
    const { title, DPO, colors } = await readProject(own);
    assert.deepEqual(
      { title, DPO, colors },
      {
        title: "Mine",
        DPO: { organization: "Somebody Ltd", email: "a@shop.example" },
        colors: { text: "#111111" },
      },
    );
    assert.deepEqual(listFaults(visit), []);
  });

  it("a project without publications and consents is deleted after one confirmation", async () => {
    const user = await service.newUser();
    const { token } = user;
    const { id } = await service.newProject(token, { title: "A draft" });
    await using visit = await openAs(user, `/projects/${id}/settings`);
    const { page } = visit;
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete “A draft”?" });
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("“A draft” is deleted.").waitFor();
    const gone = await service.fetch(`/v1/vault/projects/${id}`, { token });
    assert.equal(gone.status, 404);
    assert.deepEqual(listFaults(visit), []);
  });

  it("a project with a consent is deleted only by an owner who types its title", async () => {
    const site = await newBannerSite({ fields: { title: "To be deleted" } });
    const own = { token: site.token, id: site.project.id };
    const answered = await service.fetch(`/v1/app/consents/${own.id}/cookies/${site.cookies.id}`, {
      json: { accept: true },
    });
    assert.equal(answered.status, 201, JSON.stringify(answered.body));
    const at = `/projects/${own.id}/settings`;
    await using viewer = await openShared(own, "viewer", at);
    await viewer.page.getByText("You can view this, but not change it.").waitFor();
    assert.equal(await organization(viewer.page).getAttribute("readonly"), "");
    for (const name of ["Save", "Delete"])
      assert.equal(await viewer.page.getByRole("button", { name, exact: true }).count(), 0, name);
    await using auditor = await openShared(own, "auditor", at);
    await auditor.page.getByRole("heading", { name: "Your role does not have access" }).waitFor();
    await using visit = await openAs(site, at);
    const { page } = visit;
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete “To be deleted”?" });
    await dialog.getByRole("button", { name: "Delete" }).click();
    const typed = dialog.getByLabel("Type the title of the project to confirm");
    await typed.fill("Another");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("The title does not match.").waitFor();
    await readProject(own);
    await typed.fill("To be deleted");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
    await page.getByText("“To be deleted” is deleted.").waitFor();
    const gone = await service.fetch(`/v1/vault/projects/${own.id}`, { token: own.token });
    assert.equal(gone.status, 404);
    assert.deepEqual([visit, viewer, auditor].flatMap(listFaults), []);
  });
});
