import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { openStandIn } from "../../stand-ins/http.ts";
import { findViolations } from "../widget/axe.ts";
import { readDownload, skip } from "../widget/browser.ts";
import { listFaults, openAs } from "./visits.ts";

const samples = join(import.meta.dirname, "../../move-in/samples");
const oneTrust = ["onetrust-domain.json", "onetrust-en.json", "onetrust-de.json"];

async function download(page: Page, name: string): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name }).click();
  return readDownload(downloading);
}

describe("moving in from another product", { skip }, () => {
  it("reads files in the browser, shows the proposal and its report, and creates the project", async () => {
    const owner = await service.newUser();
    await using visit = await openAs(owner, "/projects/move-in", { acceptDownloads: true });
    const { page } = visit;
    await page.getByRole("tab", { name: "From files" }).click();
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
    assert.match(
      await download(page, "Download the report"),
      /^Moving in from OneTrust\nSources: /,
    );
    await page.getByLabel("Title").fill("Moved shop");
    await page.getByRole("button", { name: "Create the project" }).click();
    await page.getByRole("heading", { name: "The project “Moved shop” is created" }).waitFor();
    await page.getByText(/^OneTrust: it has an export, whose columns/).waitFor();
    await page.getByText("Exports of all products").click();
    assert.deepEqual(await findViolations(page), []);
    assert.match(await download(page, "Download the report"), /^Decide \(\d+\)$/m);
    await page.getByRole("link", { name: "Open the project" }).click();
    await page.getByRole("heading", { name: "Moved shop", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: /^To decide/ }).waitFor();
    await page.getByRole("button", { name: "Move in another website" }).click();
    await page.getByRole("tab", { name: "From the website", selected: true }).waitFor();
    const projects = await service.fetch("/v1/vault/projects", { token: owner.token });
    const [{ id, websiteURL }] = projects.body;
    assert.equal(websiteURL, "https://moved.example");
    const stored = await service.fetch("/v1/vault/cookies", { token: owner.token });
    const languages = stored.body.map((one: { language: string }) => one.language);
    assert.deepEqual(languages.toSorted(), ["de", "en"]);
    assert.equal(stored.body[0].projectId, id);
    assert.deepEqual(listFaults(visit), []);
  });

  it("reads the address of a site through the service, and leads to the import of consents", async () => {
    const didomi = await readFile(join(samples, "didomi.json"), "utf8");
    const pages = new Map([
      ["/", `<!doctype html><html lang="fr"><script>window.didomiConfig = ${didomi}</script>`],
      ["/none", "<!doctype html><p>No banner"],
    ]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using site = await openStandIn((request, response) => {
      const text = pages.get(request.url ?? "");
      void released.then(() => response.writeHead(text === undefined ? 403 : 200).end(text));
    });
    const owner = await service.newUser();
    await using visit = await openAs(owner, "/projects/move-in", { acceptDownloads: true });
    const { page } = visit;
    const read = async (address: string): Promise<void> => {
      await page.getByLabel("Address of the website, or of the file").fill(address);
      await page.getByRole("button", { name: "Read the website" }).click();
    };
    await read(`${site.url}/forbidden`);
    await page.getByText(/^Reading the website and the files/).waitFor();
    release();
    await page.getByText(/The server answered 403\. It may reject programs/).waitFor();
    await read(`${site.url}/none`);
    await page.getByText(/^No configuration was recognized of: OneTrust/).waitFor();
    await read("http://10.0.0.1/");
    await page.getByText(/The address of 10\.0\.0\.1 is not public/).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await read(site.url);
    await page.getByRole("heading", { name: "From Didomi" }).waitFor();
    await page.getByRole("button", { name: "Create the project" }).click();
    await page.getByRole("heading", { name: /^The project “.+” is created$/ }).waitFor();
    const { body } = await service.fetch("/v1/vault/cookies?sort=createdAt", {
      token: owner.token,
    });
    const banner = body.find((one: { isDefault?: boolean }) => one.isDefault === true);
    await page.getByText(`--identifier ${banner.id} --out consents.ndjson`).waitFor();
    assert.equal(JSON.parse(await download(page, "Download answers.json")).from, "didomi");
    await page.getByText(/^imported: the level of all imported consents/).waitFor();
    await page.getByRole("link", { name: "Exports and imports" }).click();
    await page.getByRole("heading", { name: "Exports and imports", level: 1 }).waitFor();
    await page.getByLabel(/^Only check the file/).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("leaves no project behind when a banner is rejected", async () => {
    const owner = await service.newUser();
    await using visit = await openAs(owner, "/projects/move-in");
    const { page } = visit;
    await page.route("**/v1/vault/cookies", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.getByRole("tab", { name: "From files" }).click();
    await page.getByLabel("Files", { exact: true }).setInputFiles(join(samples, "didomi.json"));
    await page.getByRole("button", { name: "Read the files" }).click();
    await page.getByRole("heading", { name: "From Didomi" }).waitFor();
    await page.getByRole("button", { name: "Create the project" }).click();
    await page.getByRole("alert").waitFor();
    const { body } = await service.fetch("/v1/vault/projects", { token: owner.token });
    assert.deepEqual(body, []);
  });
});
