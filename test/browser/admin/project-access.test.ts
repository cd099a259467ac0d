import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { create, newSite, publish } from "../../interface/site.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAdmin, openAs, openShared, signIn } from "./visits.ts";

/** A user with the role of an auditor on projects. */
async function newAuditor(sites: readonly { id: string; token: string }[]) {
  const auditor = await service.newUser();
  for (const { id, token } of sites) {
    const json = { userId: auditor.id, roles: ["auditor"] };
    const given = await service.fetch(`/v1/vault/projects/${id}/users`, { token, json });
    assert.equal(given.status, 200);
  }
  return auditor;
}

async function newSites(count: number) {
  const { token } = await service.newUser();
  const sites: { id: string; token: string; title: string }[] = [];
  for (let at = 1; at <= count; at++) {
    const title = `Audited ${String(at).padStart(2, "0")}`;
    const { id } = await service.newProject(token, { title });
    sites.push({ id, token, title });
  }
  return sites;
}

describe("a project in the admin app", { skip }, () => {
  it("is found by its auditor, from sign-in to its overview by clicks", async () => {
    const auditor = await newAuditor(await newSites(1));
    await using visit = await openAdmin("/");
    const { page } = visit;
    await signIn(page, auditor.email);
    // A row of the list, not of the projects that the auditor was added to.
    const link = page.locator("a.row-link", { hasText: "Audited 01" });
    const row = page.getByRole("row").filter({ has: link });
    await row.getByText("Auditor", { exact: true }).waitFor();
    assert.equal(await page.getByText("Create your first project").count(), 0);
    assert.deepEqual(await findViolations(page), []);
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Audited 01" }).waitFor();
    await page.getByRole("heading", { name: "Available to you" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("for an auditor is listed after one's own, over all pages", async () => {
    const sites = await newSites(12);
    const auditor = await newAuditor(sites);
    await service.newProject(auditor.token, { title: "My own" });
    await using visit = await openAs(auditor, "/projects");
    const { page } = visit;
    const links = page.getByRole("main").locator("a.row-link");
    await links.nth(11).waitFor();
    const first = await links.allInnerTexts();
    assert.equal(first.length, 12);
    assert.equal(first[0], "My own");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("link", { name: "My own" }).waitFor({ state: "detached" });
    await links.first().waitFor();
    const last = await links.allInnerTexts();
    const titles = [...first, ...last].toSorted();
    assert.deepEqual(titles, [...sites.map(({ title }) => title), "My own"]);

    // The filter searches both kinds; the order is kept for the next visit.
    for (const [typed, title] of [
      ["AUDITED 07", "Audited 07"],
      ["my o", "My own"],
    ] as const) {
      await page.getByLabel("Filter by title").fill(typed);
      await links.nth(1).waitFor({ state: "detached" });
      await links.filter({ hasText: title }).waitFor();
    }
    await page.getByLabel("Filter by title").fill("nowhere");
    await page.getByText("No project has “nowhere” in its title.").waitFor();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await links.nth(11).waitFor();
    assert.equal(await page.getByLabel("Filter by title").inputValue(), "");
    await page.getByLabel("Order").selectOption("title");
    await visit.open("/projects");
    await links.nth(11).waitFor();
    assert.equal(await page.getByLabel("Order").inputValue(), "title");
    assert.deepEqual(await findViolations(page), []);
  });

  it("is listed with requests for its shown columns only, and with those of the filters alone while typing", async () => {
    const site = await newSite();
    const { token } = site;
    const organizationId = await create(token, "organizations", { name: "Agency" });
    const at = `/v1/vault/projects/${site.id}`;
    await service.fetch(at, { method: "PATCH", token, json: { organizationId } });
    await publish(site);
    const { email } = (await service.fetch("/v1/auth/me", { token })).body;
    await using visit = await openAs({ email }, "/projects?columns=title+plan&q=s");
    const { page, requests } = visit;
    const link = page.locator("a.row-link");
    await link.waitFor();
    const count = (part: string) => requests.filter((one) => one.includes(part)).length;
    requests.length = 0;
    for (const typed of ["sh", "sho", "shop"]) {
      await page.getByLabel("Filter by title").fill(typed);
      await page.waitForURL(new RegExp(`q=${typed}$`));
    }
    await page.waitForLoadState("networkidle");
    assert.ok(count("/v1/vault/projects?") > 0);
    const others = ["/v1/vault/additions", "/v1/vault/organizations", "/stats/"];
    assert.deepEqual(others.map(count), [0, 0, 0]);
    const held = Promise.withResolvers<void>();
    await page.route("**/v1/app/stats/**", async (route) => {
      await held.promise;
      await route.continue();
    });
    await visit.open("/projects?columns=title+state");
    await page.getByRole("cell", { name: "…" }).waitFor();
    held.resolve();
    await page.getByText("Published, not seen yet").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("has no screen for other users, at any of its URLs", async () => {
    const { project } = await service.newOwner();
    const at = `/projects/${project.id}`;
    await using visit = await openAs(await service.newUser(), "/projects");
    const { page } = visit;
    const places = ["", "/transfers", "/log", "/consents/somebody", "/webhooks", "/audit"];
    for (const place of [...places.map((one) => at + one), "/projects/none/log"]) {
      await visit.open(place);
      const name = "Project not found";
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.waitForLoadState("networkidle");
      assert.equal(await page.getByRole("main").getByRole("heading").count(), 1, place);
      const side = page.getByRole("navigation", { name: "Main" });
      assert.equal(await side.getByRole("link", { name: "Transparency log" }).count(), 0, place);
    }
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole("link", { name: "Go to your projects" }).click();
    await page.getByRole("heading", { name: "Create your first project" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("has the same URLs for a user whom it is shared with", async () => {
    const { token, project } = await service.newOwner();
    const at = `/projects/${project.id}`;
    await using visit = await openShared({ id: project.id, token }, "auditor", at);
    const { page } = visit;
    for (const place of ["/transfers", "/log"]) {
      await visit.open(at + place);
      const side = page.getByRole("navigation", { name: "Main" });
      await side.getByRole("link", { name: "Audit trail" }).waitFor();
      await page.waitForLoadState("networkidle");
      assert.equal(await page.getByText("Project not found").count(), 0, place);
    }
  });
});
