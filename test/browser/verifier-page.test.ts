import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { readBrowserFiles } from "../../packages/server/platform/browser-files.ts";
import { TestLog, consentRecord, newBundle } from "../verifier/log.ts";
import { openBrowser, skip } from "./widget/browser.ts";

const { log, text, bundle } = newBundle();
const key = log.keys[0]?.text ?? "";

describe("the verifier's page, opened from a disk", { skip }, () => {
  let folder = "";
  const path = (name: string): string => join(folder, name);
  const pageUrl = (): string => pathToFileURL(path("page.html")).href;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "avow-page-"));
    const files = {
      "good.json": text,
      "bad.json": text.replace('"accept":true', '"accept":false'),
      "kept.txt": log.checkpoint(6),
      "consistency.json": JSON.stringify(log.consistency(6)),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(path(name), content);
    for (const [name, content] of await readBrowserFiles("verifier"))
      await writeFile(path(name), content);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** A page that must send no request and log no error. */
  async function openPage(options: BrowserContextOptions = {}) {
    const browser = await openBrowser();
    const context = await browser.newContext({ locale: "en-GB", offline: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const faults: string[] = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (sent) => {
      if (sent.url() !== pageUrl()) faults.push(sent.url());
    });
    await page.goto(pageUrl());
    return { page, faults, [Symbol.asyncDispose]: () => context.close() };
  }
  const verdictOf = (page: Page, name: string) =>
    page.locator("article").filter({ hasText: name }).getByRole("heading", { level: 3 });

  it("reports the checks of the chosen files, by the pasted key", async () => {
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.getByText("No bundle yet.").waitFor();
    await page
      .getByLabel("Drop proof bundles here")
      .setInputFiles([path("good.json"), path("bad.json")]);
    await verdictOf(page, "good.json").getByText("not everything could be verified").waitFor();
    await page.getByLabel("The log’s key").fill(key);
    await verdictOf(page, "good.json").getByText("Proven: all checks passed.").waitFor();
    await verdictOf(page, "bad.json").getByText("Not proven").waitFor();
    const findings = page.getByRole("listitem");
    await findings.getByText("Failed: The record does not match the log").waitFor();
    assert.match((await page.locator("dl").first().textContent()) ?? "", /visitor-1 é/);
    assert.equal(await page.locator("dl").count(), 1, "unproven contents are not shown");
    await page.getByText("Content of the published file").click();
    await page.getByText("Vous pouvez compter les visites ?").waitFor();
    assert.match((await page.getByRole("status").textContent()) ?? "", /good\.json: Proven/);
    assert.deepEqual(faults, []);
  });

  it("reports that a file is not a bundle, and what to choose instead", async () => {
    await using opened = await openPage();
    const { page, faults } = opened;
    const files = [
      ["proof.pdf", "%PDF-1.7", "Save its attachment"],
      ["dossier.zip", "PK\u0003\u0004", "Unpack it"],
      ["proof.jsonld", '{ "@context": {} }', "Use the JSON format"],
    ] as const;
    await page
      .getByLabel("Drop proof bundles here")
      .setInputFiles(
        files.map(([name, content]) => ({ name, mimeType: "", buffer: Buffer.from(content) })),
      );
    for (const [name, , advice] of files) {
      await verdictOf(page, name).getByText("This is not a proof bundle.").waitFor();
      await page.getByRole("listitem").getByText(advice).waitFor();
    }
    assert.equal(await page.getByText("Not proven").count(), 0);
    assert.deepEqual(faults, []);
  });

  it("checks an older checkpoint, and explains an invalid field", async () => {
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.getByLabel("Drop proof bundles here").setInputFiles(path("good.json"));
    await page.getByLabel("The log’s key").fill(key.slice(0, -4));
    await page
      .getByRole("alert")
      .getByText("has a type that this verifier does not support")
      .waitFor();
    await page.getByText("Correct the marked fields above first.").waitFor();
    assert.equal(await page.getByLabel("The log’s key").getAttribute("aria-invalid"), "true");
    await page.getByLabel("The log’s key").fill(key);
    await page.getByText("Compare with an older checkpoint").click();
    await page.getByLabel("Saved checkpoint").setInputFiles(path("kept.txt"));
    await page
      .getByText("Not verified: It was not checked whether the log of 13 entries")
      .waitFor();
    await page.getByLabel("Consistency proof").setInputFiles(path("consistency.json"));
    await verdictOf(page, "good.json").getByText("Proven").waitFor();
    await page.getByText("Passed: Nothing was rewritten").waitFor();
    assert.deepEqual(faults, []);
  });

  it("marks characters that change the text direction, and isolates their effect", async () => {
    const turned = newBundle(new TestLog("a\u202e.example/log"), {
      consent: { ...consentRecord, token: "moc\u202eevil" },
    });
    await writeFile(path("turned\u202e.json"), turned.text);
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.getByLabel("Drop proof bundles here").setInputFiles(path("turned\u202e.json"));
    await page.getByText("moc⟨U+202E⟩evil").waitFor();
    await page.getByText("of the log a⟨U+202E⟩.example/log").first().waitFor();
    await verdictOf(page, "turned⟨U+202E⟩.json").waitFor();
    assert.doesNotMatch((await page.locator("body").textContent()) ?? "", /\u202e/);
    const isolated = `[...document.querySelectorAll("dt, dd, pre")].every(
      (one) => getComputedStyle(one).unicodeBidi === "isolate")`;
    assert.equal(await page.evaluate(isolated), true);
    assert.deepEqual(faults, []);
  });

  it("accepts files that are dropped anywhere", async () => {
    await using opened = await openPage();
    const { page, faults } = opened;
    const transfer = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(text)}], "dropped.json"));
      return data;
    })()`);
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await verdictOf(page, "dropped.json").getByText("not everything could be verified").waitFor();
    assert.deepEqual(faults, []);
  });

  it("works by keyboard, also in French, and can start again", async () => {
    await using opened = await openPage({ locale: "fr-FR" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "Vérifier une preuve de consentement" }).waitFor();
    const focused: string[] = [];
    for (let stop = 0; stop < 5; stop += 1) {
      await page.keyboard.press("Tab");
      const at = page.locator(":focus");
      focused.push((await at.getAttribute("id")) ?? (await at.textContent()) ?? "");
    }
    assert.deepEqual(
      focused.map((name) => name.trim()),
      ["English", "Français", "files", "keys", "Comparer à un point de contrôle plus ancien"],
    );
    await page.locator("#files").setInputFiles(path("good.json"));
    await page.locator("#keys").fill(key);
    await verdictOf(page, "good.json")
      .getByText("Prouvé : toutes les vérifications ont réussi.")
      .waitFor();
    const english = page.getByRole("button", { name: "English" });
    await english.focus();
    await page.keyboard.press("Enter");
    await verdictOf(page, "good.json").getByText("Proven: all checks passed.").waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.equal(await english.getAttribute("aria-pressed"), "true");
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByText("No bundle yet.").waitFor();
    assert.equal(await page.locator("#keys").inputValue(), "");
    assert.deepEqual(faults, []);
  });

  it("shows the contents of a record as plain text", async () => {
    const markup = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
    const evil = new TestLog(log.origin, log.keys);
    const record = { ...consentRecord, token: markup, [markup]: markup, publication: null };
    const { salt, index } = evil.add(record);
    const consent = { record, salt: salt.toString("base64"), proof: evil.proof(index) };
    await writeFile(path("evil.json"), JSON.stringify({ ...bundle, consent, publication: null }));
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.getByLabel("Drop proof bundles here").setInputFiles(path("evil.json"));
    await page.locator("dt").filter({ hasText: markup }).waitFor();
    assert.equal(await page.locator("dd").filter({ hasText: markup }).count(), 2);
    assert.equal(await page.locator("article img, article script").count(), 0);
    assert.match(await page.title(), /^Check a proof of consent/);
    assert.deepEqual(faults, []);
  });

  it("has no overflow, light and dark, wide and narrow", async () => {
    for (const [colorScheme, width] of [
      ["light", 1100],
      ["dark", 1100],
      ["light", 360],
    ] as const) {
      await using opened = await openPage({ colorScheme, viewport: { width, height: 900 } });
      const { page, faults } = opened;
      await page.locator("#files").setInputFiles([path("good.json"), path("bad.json")]);
      await page.locator("#keys").fill(key);
      await verdictOf(page, "good.json").getByText("Proven").waitFor();
      const overflow = Number(
        await page.evaluate("document.documentElement.scrollWidth - innerWidth"),
      );
      assert.ok(overflow <= 0, `${width} wide: ${overflow} pixels too wide`);
      const pictures = process.env["SCREENSHOTS_DIR"];
      if (pictures)
        await page.screenshot({
          path: join(pictures, `verifier-${colorScheme}-${width}.png`),
          fullPage: true,
        });
      assert.deepEqual(faults, []);
    }
  });
});
