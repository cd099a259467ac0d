import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAs } from "./visits.ts";

const samples = join(import.meta.dirname, "../../move-in/samples");
const oneTrust = ["onetrust-domain.json", "onetrust-en.json", "onetrust-de.json"];

describe("moving in from another product", { skip }, () => {
  it("reads files in the browser, shows the proposal and its report, and creates the project", async () => {
    const owner = await service.newUser();
    await using visit = await openAs(owner, "/projects/move-in", { acceptDownloads: true });
    const { page } = visit;
    await page.getByRole("button", { name: "Read the files" }).click();
    await page.getByText("Choose at least one file.").waitFor();
    const input = page.getByLabel("Files", { exact: true });
    const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("{}") };
    await input.setInputFiles(text);
    await page.getByRole("button", { name: "Read the files" }).click();
    await page.getByText(/^No configuration was recognized of: OneTrust/).waitFor();
    const sent = visit.requests.length;
    await input.setInputFiles(oneTrust.map((name) => join(samples, name)));
    await page.getByLabel("Address of the website").first().fill("moved.example");
    await page.getByRole("button", { name: "Read the files" }).click();
    await page.getByRole("heading", { name: "From OneTrust" }).waitFor();
    const others = visit.requests.slice(sent).filter((line) => !/\.(js|css)$/.test(line));
    assert.deepEqual(others, [], "files are sent nowhere");
    await page.getByText("Languages: en, de").waitFor();
    await page.getByRole("heading", { name: /^To decide/ }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the report" }).click();
    assert.equal(JSON.parse(await readDownload(downloading)).product, "OneTrust");
    await page.getByLabel("Title").fill("Moved shop");
    await page.getByRole("button", { name: "Create the project" }).click();
    await page.getByRole("heading", { name: "Moved shop", level: 1 }).waitFor();
    const projects = await service.fetch("/v1/vault/projects", { token: owner.token });
    const [{ id, websiteURL }] = projects.body;
    assert.equal(websiteURL, "https://moved.example");
    const stored = await service.fetch("/v1/vault/cookies", { token: owner.token });
    const languages = stored.body.map((one: { language: string }) => one.language);
    assert.deepEqual(languages.toSorted(), ["de", "en"]);
    assert.equal(stored.body[0].projectId, id);
    assert.deepEqual(listFaults(visit), []);
  });

  it("leaves no project behind when a banner is rejected", async () => {
    const owner = await service.newUser();
    await using visit = await openAs(owner, "/projects/move-in");
    const { page } = visit;
    await page.route("**/v1/vault/cookies", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.getByLabel("Files", { exact: true }).setInputFiles(join(samples, "didomi.json"));
    await page.getByRole("button", { name: "Read the files" }).click();
    await page.getByRole("heading", { name: "From Didomi" }).waitFor();
    await page.getByRole("button", { name: "Create the project" }).click();
    await page.getByRole("alert").waitFor();
    const { body } = await service.fetch("/v1/vault/projects", { token: owner.token });
    assert.deepEqual(body, []);
  });
});
