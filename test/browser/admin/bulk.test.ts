import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };
const table = `\uFEFFtitle;websiteURL;groups;organization
Alpha;alpha.example;Retail|North;Hearth
Beta;nowhere;;
Gamma;gamma.example;;Other
Shop;shop.example;;
;delta.example;;
`;

async function newOwner() {
  const owner = await service.newUser();
  const { token } = owner;
  await service.fetch("/v1/vault/organizations", { token, json: { name: "Hearth" } });
  await service.newProject(token, { title: "Old shop" });
  return owner;
}

const listTitles = async (token: string): Promise<string[]> =>
  (await service.fetch("/v1/vault/projects?sort=title", { token })).body.map(
    ({ title }: { title: string }) => title,
  );

describe("projects from a table", { skip }, () => {
  it("checks the rows of a file, creates the valid ones once, and saves the others with their reasons", async () => {
    const owner = await newOwner();
    await using visit = await openAs(owner, "/projects/bulk");
    const { page } = visit;
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    await page.getByLabel("CSV file").setInputFiles({
      name: "sites.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(table),
    });
    await page.getByText("delta.example").waitFor();
    await button("Check table").click();
    await page.getByRole("heading", { name: "5 rows" }).waitFor();
    await page.getByText("2 to create, 2 invalid.").waitFor();
    const rows = page.getByRole("table", { name: "5 rows" });
    await rows.getByRole("rowheader", { name: /^Alpha/ }).waitFor();
    await page.getByText("You have no organization “Other”.").waitFor();
    await page.getByRole("link", { name: "Old shop" }).waitFor();
    assert.deepEqual(await listTitles(owner.token), ["Old shop"]);
    assert.deepEqual(await findViolations(page), []);
    await button("Create 2 projects").click();
    await page.getByText("2 created, 0 failed.").waitFor();
    assert.deepEqual(await listTitles(owner.token), ["Alpha", "Old shop", "delta.example"]);
    const downloading = page.waitForEvent("download");
    await button("Save 2 failed rows as CSV").click();
    const text = await readDownload(downloading);
    assert.match(text, /^Gamma,gamma\.example,,Other,,You have no organization “Other”\.$/m);
    assert.deepEqual(listFaults(visit), []);
  });

  it("creates nothing twice when the same table is read again, and keeps rows after a cancellation", async () => {
    const owner = await newOwner();
    const rows = Array.from({ length: 40 }, (_, n) => `site${n}.example`).join("\n");
    const options = { colorScheme: "dark", viewport: phone } as const;
    await using visit = await openAs(owner, "/projects/bulk", options);
    const { page } = visit;
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    const check = async (): Promise<void> => {
      await page.getByLabel("Or its text").fill(`websiteURL\n${rows}`);
      await button("Check table").click();
      await page.getByRole("heading", { name: "40 rows" }).waitFor();
    };
    await check();
    assert.deepEqual(await findViolations(page), []);
    await button("Create 40 projects").click();
    await button("Cancel").click();
    await page.getByText(/created, 0 failed\./).waitFor();
    assert.match(await page.getByLabel("Or its text").inputValue(), /site39\.example$/);
    await visit.open("/projects/bulk");
    await check();
    await page.getByLabel("Also create rows whose address has a project already").check();
    await button("Create 40 projects").click();
    await page.getByText("40 created, 0 failed.").waitFor();
    await settle(visit);
    const { body } = await service.fetch("/v1/vault/projects?perPage=100", { token: owner.token });
    assert.equal(body.length, 41);
    assert.deepEqual(listFaults(visit), []);
  });

  it("reports a text that is no table beside its field", async () => {
    const owner = await newOwner();
    await using visit = await openAs(owner, "/projects/bulk");
    const { page } = visit;
    await page.getByLabel("Or its text").fill("name\nShop");
    await page.getByRole("button", { name: "Check table" }).click();
    await page.getByText("The column “name” is unknown.").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});
