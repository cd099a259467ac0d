import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../../harness.ts";
import { newSite, publish } from "../../interface/site.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAs, openShared } from "./visits.ts";

async function newImportSite() {
  const site = await newSite();
  await publish(site);
  const me = await service.fetch("/v1/auth/me", { token: site.token });
  const lines = [
    "token;collection;identifier;accept;date;value;preferences",
    `anna;cookies;${site.cookies};1;2026-01-02T10:00:00Z;;`,
    `anton;cookies;${site.cookies};0;2026-01-03T10:00:00Z;;`,
    'bad;cookies;"no; such ""one""";1;2026-01-03T10:00:00Z;;',
  ];
  const file = { name: "old.csv", mimeType: "application/vnd.ms-excel" };
  return {
    ...site,
    email: String(me.body.email),
    file: { ...file, buffer: Buffer.from(lines.join("\r\n")) },
  };
}

describe("exports and imports", { skip }, () => {
  it("a file is checked, then imported; rejected lines are listed; an export has all records", async () => {
    const site = await newImportSite();
    const at = `/projects/${site.id}/transfers`;
    await using visit = await openAs(site, at, { acceptDownloads: true });
    const { page } = visit;
    const records = async () => {
      const list = hrefOf("", paths.consents, { projectId: site.id });
      return (await service.fetch(list, { token: site.token })).body.length;
    };
    await page.getByText("Nothing has been imported yet.").waitFor();
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("Choose a file.").waitFor();
    await page.getByLabel("File", { exact: true }).setInputFiles(site.file);
    await page.getByRole("button", { name: "Start" }).click();
    const line = page.locator(".import");
    await line.getByText("done", { exact: true }).waitFor();
    await line.getByText("check only").waitFor();
    assert.equal(await records(), 0, "nothing was imported");
    await line.getByRole("button", { name: "1" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText('no; such "one"').waitFor();
    const link = await dialog.getByRole("link", { name: "Download (CSV)" }).getAttribute("href");
    assert.match(link ?? "", /\/refused$/);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Only check the file, do not import it").uncheck();
    await page.getByRole("button", { name: "Start" }).click();
    await line.nth(1).waitFor();
    await line.first().getByText("done").waitFor();
    assert.equal(await records(), 2);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const csv = await readDownload(downloading);
    assert.match(csv, /^token;collection;identifier;accept;date;value;preferences\r?\n/);
    assert.ok(csv.includes("anna;") && csv.includes("anton;"), csv);
    await page.getByText(/^The file is complete: 2 answers/).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("a truncated export is reported, and downloads no file", async () => {
    const site = await newImportSite();
    const at = `/projects/${site.id}/transfers`;
    await using visit = await openAs(site, at, { acceptDownloads: true });
    const { page } = visit;
    const downloads: unknown[] = [];
    page.on("download", (download) => downloads.push(download));
    await page.route("**/manifests/*", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), complete: false },
      });
    });
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByText(/The file is incomplete/).waitFor();
    assert.deepEqual(downloads, []);
  });

  for (const role of ["viewer", "auditor"] as const)
    it(`a role that may not import is only offered exports: ${role}`, async () => {
      const site = await newImportSite();
      await using visit = await openShared(site, role, `/projects/${site.id}/transfers`);
      const { page } = visit;
      await page.getByText("Nothing has been imported yet.").waitFor();
      await page.getByRole("navigation", { name: "Main" }).getByText(/^Shop/).waitFor();
      assert.equal(await page.getByLabel("File", { exact: true }).count(), 0);
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export", exact: true }).click();
      await downloading;
    });

  for (const colorScheme of ["light", "dark"] as const)
    it(`have no axe-core violations, ${colorScheme}`, async () => {
      const site = await newImportSite();
      const at = `/projects/${site.id}/transfers`;
      await using visit = await openAs(site, at, { colorScheme, reducedMotion: "reduce" });
      const { page } = visit;
      await page.getByLabel("File", { exact: true }).setInputFiles(site.file);
      await page.getByRole("button", { name: "Start" }).click();
      const line = page.locator(".import");
      await line.getByText("done").waitFor();
      assert.deepEqual(await findViolations(page), []);
      await line.getByRole("button", { name: "1" }).click();
      await page.getByRole("dialog").getByText('no; such "one"').waitFor();
      assert.deepEqual(await findViolations(page), []);
    });
});
