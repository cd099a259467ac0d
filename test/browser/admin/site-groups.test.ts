import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };

async function newSites() {
  const owner = await service.newUser();
  const { token } = owner;
  const [alpha, beta, gamma] = [
    await service.newProject(token, { title: "Alpha" }),
    await service.newProject(token, { title: "Beta" }),
    await service.newProject(token, { title: "Gamma" }),
  ];
  return { owner, token, alpha, beta, gamma };
}

const groupsOf = async (token: string, id: string): Promise<unknown> =>
  (await service.fetch(`/v1/vault/projects/${id}`, { token })).body.groups;

describe("groups of sites in the admin app", { skip }, () => {
  it("are edited in a project's settings, and filter the list and the comparison of sites", async () => {
    const { owner, token, alpha, beta } = await newSites();
    await using visit = await openAs(owner, `/projects/${alpha.id}/settings`);
    const { page } = visit;
    await page.getByLabel("Add to a group").fill("  Retail ");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Remove from “Retail”" }).waitFor();
    await page.getByLabel("Add to a group").fill("France");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Remove from “Retail”" }).click();
    await page.getByRole("button", { name: "Remove from “Retail”" }).waitFor({ state: "detached" });
    assert.deepEqual(await groupsOf(token, alpha.id), ["France"]);
    assert.deepEqual(await findViolations(page), []);
    await visit.open("/projects");
    await page.getByLabel("Group", { exact: true }).selectOption("France");
    await page.getByRole("link", { name: "Beta" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Alpha" }).waitFor();
    await visit.open(`/projects/${beta.id}/statistics`);
    await page.getByRole("tab", { name: "How do sites compare?" }).click();
    await page.getByLabel("Group", { exact: true }).first().selectOption("France");
    await page.getByRole("row", { name: /^Beta/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /^Alpha/ }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("several projects of the list are added to groups and removed from them at once", async () => {
    const { owner, token, alpha, beta, gamma } = await newSites();
    await using visit = await openAs(owner, "/projects", { colorScheme: "dark", viewport: phone });
    const { page } = visit;
    await page.getByLabel("Select Beta").check();
    await page.getByRole("button", { name: "Edit groups" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save groups" }).click();
    await dialog.getByText("Enter a group.", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Select Beta").uncheck();
    await page.getByLabel("Select Alpha").check();
    await page.getByLabel("Select Gamma").check();
    await page.getByRole("button", { name: "Edit groups" }).click();
    await dialog.getByRole("list", { name: "Selected projects" }).getByText("Gamma").waitFor();
    await dialog.getByLabel("Add to groups").fill("Retail, North");
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Save groups" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("2 projects changed.").waitFor();
    assert.deepEqual(await groupsOf(token, alpha.id), ["Retail", "North"]);
    assert.equal(await groupsOf(token, beta.id), undefined);
    await page.getByLabel("Select Beta").check();
    await page.getByRole("button", { name: "Edit groups" }).click();
    await dialog.getByLabel("Remove from groups").fill("retail");
    await dialog.getByRole("button", { name: "Save groups" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await groupsOf(token, gamma.id), ["North"]);
    await settle(visit);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });
});
