import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { newSite, publishAndWait } from "../../interface/publishing.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { type AdminVisit, listFaults, openAs, openShared } from "./visits.ts";

const DAY_MS = 86_400_000;
const phone = { width: 390, height: 844 };
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });
const dialog = (page: Page) => page.getByRole("dialog");
const card = (page: Page, title: string) =>
  page.locator("section.card").filter({ has: page.getByRole("heading", { name: title }) });

/** A day from now, 10:30, as a field of local time has it. */
function toLocal(days: number): string {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T10:30`;
}

/** Schedules a publication in the dialog. */
async function schedule({ page }: AdminVisit): Promise<void> {
  await button(page, "Publish later…").click();
  await dialog(page).getByLabel("When").fill(toLocal(30));
  await button(page, "Schedule").click();
  await dialog(page).waitFor({ state: "detached" });
}

/** Waits for a condition outside the page, such as a finished job or a removed file. */
async function waitUntil(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await holds());) {
    assert.ok(Date.now() < deadline, what);
    await new Promise((done) => setTimeout(done, 100));
  }
}

describe("publishing in the admin app", { skip }, () => {
  it("is scheduled in the user's time zone, shown with the project everywhere, and cancelled", async () => {
    const site = await newSite();
    const place = `/projects/${site.project.id}/publish`;
    await using visit = await openAs(site, place, { timezoneId: "America/Bogota" });
    const { page } = visit;
    await button(page, "Publish later…").click();
    await dialog(page).getByText("In your time zone, America/Bogota").waitFor();
    await dialog(page).getByLabel("When").fill("2020-01-01T10:00");
    await button(page, "Schedule").click();
    await dialog(page).getByText("Choose a time in the future").waitFor();
    await dialog(page).getByLabel("When").fill(toLocal(30));
    await button(page, "Schedule").click();
    const scheduled = card(page, "Scheduled");
    await scheduled.getByText(/10:30/).waitFor();
    const jobs = `/v1/publish/jobs?projectId=${site.project.id}`;
    const [job] = (await service.fetch(jobs, { token: site.token })).body;
    // Bogotá is five hours behind UTC, all year.
    assert.equal(job.publishAt, new Date(`${toLocal(30)}:00-05:00`).toISOString());
    assert.equal(await button(page, "Publish later…").count(), 0, "only one job can be scheduled");
    await visit.open("/projects");
    await page.getByText(/^scheduled for .*10:30/).waitFor();
    await visit.open(`/projects/${site.project.id}`);
    await scheduled.getByText(/10:30/).waitFor();
    await scheduled.getByRole("button", { name: "Cancel publication" }).click();
    await dialog(page).getByRole("button", { name: "Cancel publication" }).click();
    await page.getByText("The publication is cancelled.").waitFor();
    await scheduled.waitFor({ state: "detached" });
    const { body } = await service.fetch(`/v1/publish/jobs/${job.id}`, { token: site.token });
    assert.equal(body.status, "Error");
    assert.deepEqual(listFaults(visit), []);
  });

  it("goes to staging first, with its own snippet, without effect on visitors", async () => {
    const site = await newSite();
    await using visit = await openAs(site, `/projects/${site.project.id}/publish`);
    const { page } = visit;
    await button(page, "Publish to staging").click();
    await page.getByText("Version 1 is on staging.").waitFor();
    const snippet = await page.getByLabel("Snippet for staging").innerText();
    assert.equal(
      snippet,
      `<script src="${service.url}/widget.js" data-project="${site.project.id}" data-environment="staging" async></script>`,
    );
    assert.equal((await service.fetch(`/cdn/${site.project.id}.staging.json`)).status, 200);
    assert.equal((await service.fetch(`/cdn/${site.project.id}.json`)).status, 404);
    await page.getByText("Nothing has been published yet.").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("is ended by typing the project's title, and can begin again", async () => {
    const site = await newSite();
    const { id, title } = site.project as { id: string; title: string };
    await publishAndWait(site.token, id);
    await using visit = await openAs(site, `/projects/${id}/publish`);
    const { page } = visit;
    await button(page, "Unpublish").click();
    const typed = dialog(page).getByLabel("Type the project’s title to confirm");
    await typed.fill("another");
    await dialog(page).getByRole("button", { name: "Unpublish" }).click();
    await dialog(page).getByText("The title does not match.").waitFor();
    assert.equal((await service.fetch(`/cdn/${id}.json`)).status, 200);
    await typed.fill(title);
    await dialog(page).getByRole("button", { name: "Unpublish" }).click();
    await page.getByText("The project is unpublished.").waitFor();
    await button(page, "Unpublish").waitFor({ state: "detached" });
    const file = `/cdn/${id}.json`;
    await waitUntil(async () => (await service.fetch(file)).status === 404, "the file is gone");
    await visit.open(`/projects/${id}`);
    await page.getByText("Not live").waitFor();
    await visit.open("/projects");
    await page.getByRole("link", { name: title }).waitFor();
    await visit.open(`/projects/${id}/publish`);
    await button(page, "Publish").click();
    await page.getByText("Version 2 is live.").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("despite errors needs an owner and a reason, which the version and the audit trail keep", async () => {
    const site = await newSite();
    const { id } = site.project;
    const colors = { text: "#eeeeee", background: "#ffffff" };
    const change = { method: "PATCH", token: site.token, json: { colors } };
    await service.fetch(`/v1/vault/projects/${id}`, change);
    await using visit = await openAs(site, `/projects/${id}/publish`);
    const { page } = visit;
    await page.getByText("1 error").first().waitFor();
    assert.equal(await button(page, "Publish later…").count(), 0);
    await button(page, "Publish despite errors").click();
    await page.getByText("Fill in this field.").waitFor();
    await page.getByLabel("Reason for overriding the errors").fill("The colours come next week.");
    await button(page, "Publish despite errors").click();
    await page.getByText("Version 1 is live.").waitFor();
    await button(page, "Changes 1").click();
    await dialog(page).getByText("1 error was overridden: contrast").waitFor();
    await dialog(page).getByText("The colours come next week.").waitFor();
    const trail = await service.fetch(`/v1/vault/audit?projectId=${id}`, { token: site.token });
    assert.match(JSON.stringify(trail.body), /The colours come next week\./);
    assert.deepEqual(listFaults(visit), []);
  });

  it("holds back a form with errors, and publishes what is selected", async () => {
    const site = await newSite();
    const { id } = site.project;
    await publishAndWait(site.token, id);
    const form = { projectId: id, name: "letter", title: "Letter" };
    await service.fetch("/v1/vault/processings", { token: site.token, json: form });
    const change = { method: "PATCH", token: site.token, json: { title: "Renamed" } };
    await service.fetch(`/v1/vault/projects/${id}`, change);
    await service.fetch(`/v1/vault/cookies/${site.cookies.id}`, change);
    await using visit = await openAs(site, `/projects/${id}/publish`);
    const { page } = visit;
    await card(page, "Held back").getByText("letter", { exact: true }).first().waitFor();
    await page.getByText("Choose what to publish").click();
    const parts = page.getByRole("group", { name: /stays at its live version/ });
    for (const part of await parts.getByRole("checkbox").all()) await part.uncheck();
    await button(page, "Publish").click();
    await page.getByText("Select something to publish.").waitFor();
    await parts.getByLabel("Renamed", { exact: true }).check();
    await parts.getByLabel("Letter", { exact: true }).check();
    await button(page, "Publish").click();
    await page.getByText("Version 2 is live.").waitFor();
    const results = page.locator(".results");
    await results.getByText("Held back").waitFor();
    assert.match(await results.innerText(), /Published\s+shop-en/);
    await results.getByRole("link", { name: /Open letter/ }).waitFor();
    const { body: file } = await service.fetch(`/cdn/${id}.json`);
    assert.deepEqual([file.projectName, file.cookies[0].title], [site.project["title"], "Renamed"]);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("is read-only for a viewer", async () => {
    const site = await newSite();
    const own = { id: site.project.id, token: site.token };
    await publishAndWait(own.token, own.id);
    await publishAndWait(own.token, own.id, { environment: "staging" });
    const publishAt = new Date(Date.now() + DAY_MS).toISOString();
    const at = `/v1/publish/jobs/${own.id}`;
    await service.fetch(at, { token: own.token, json: { publishAt } });
    await using visit = await openShared(own, "viewer", `/projects/${own.id}/publish`);
    const { page } = visit;
    await card(page, "Scheduled").waitFor();
    await page.getByText(/Version 1 is on staging/).waitFor();
    const names = /publish|cancel/i;
    const main = page.getByRole("main");
    assert.equal(await main.getByRole("button", { name: names }).count(), 0);
  });

  it("is hidden from an auditor, whose overview has only what an auditor may read", async () => {
    const site = await newSite();
    const own = { id: site.project.id, token: site.token };
    await publishAndWait(own.token, own.id);
    await using visit = await openShared(own, "auditor", `/projects/${own.id}`);
    const { page } = visit;
    await page.getByRole("heading", { name: "Available to you" }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    const main = page.getByRole("main");
    const links = await main.getByRole("link").allInnerTexts();
    assert.deepEqual(links, [
      "Consents",
      "Statistics",
      "Exports and imports",
      "Audit trail",
      "Transparency log",
    ]);
    for (const name of links) {
      await visit.open(`/projects/${own.id}`);
      await main.getByRole("link", { name }).click();
      await page.waitForURL(/\/(consents|statistics|transfers|audit|log)$/);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      assert.equal(await page.getByText(/Your role does not allow this/).count(), 0, name);
    }
    assert.deepEqual(listFaults(visit), []);
  });

  for (const given of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: phone }] as const)
    it(`has no axe-core violations: ${JSON.stringify(given)}`, async () => {
      const site = await newSite();
      const { id } = site.project;
      await publishAndWait(site.token, id);
      await publishAndWait(site.token, id, { environment: "staging" });
      const place = `/projects/${id}/publish`;
      await using visit = await openAs(site, place, { ...given, reducedMotion: "reduce" });
      const { page } = visit;
      await schedule(visit);
      await card(page, "Scheduled").waitFor();
      assert.deepEqual(await findViolations(page), []);
      await button(page, "Unpublish").click();
      assert.deepEqual(await findViolations(page), []);
      await visit.open("/projects");
      await page.getByText(/^scheduled for/).waitFor();
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(listFaults(visit), []);
    });
});
