import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { newPicture, uploadOne } from "../../interface/pictures.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs, openShared } from "./visits.ts";

const phone = { width: 390, height: 844 };
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const tile = (page: Page, name: string) => page.getByRole("link", { name });

/** Sends a file as a drop or a paste, with the events of a browser. */
async function sendFile(
  page: Page,
  how: "drop" | "paste",
  name: string,
  bytes: Buffer,
): Promise<void> {
  const text = JSON.stringify(bytes.toString("base64"));
  const event =
    how === "drop"
      ? 'new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })'
      : 'new ClipboardEvent("paste", { clipboardData: data, bubbles: true })';
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${text}), (one) => one.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], ${JSON.stringify(name)}));
    document.querySelector(".drop").dispatchEvent(${event});
  })()`);
}

/** Chooses files in the browser's dialog, opened by a click on `at`. */
async function choose(
  page: Page,
  at: ReturnType<typeof button>,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await at.click();
  await (await chooser).setFiles(files);
}

const png = async (name: string, size = {}) => ({
  name,
  mimeType: "image/png",
  buffer: await newPicture(size).png().toBuffer(),
});

describe("files in the admin app", { skip }, () => {
  it("are uploaded by button, drop and paste; a rejected file does not stop the others", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/assets");
    const { page } = visit;
    await page.getByRole("heading", { name: "No files yet" }).waitFor();
    const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };
    const large = { ...text, name: "film.png", buffer: Buffer.alloc(20 * 1024 * 1024 + 1) };
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" id="${randomUUID()}"><script>alert(1)</script><circle r="4"/></svg>`;
    const vector = { name: "mark.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) };
    await choose(page, button(page, "Upload files"), [await png("cup.png"), text, large, vector]);
    const list = page.getByRole("region", { name: "Uploads" });
    const line = (name: string) => list.getByRole("listitem").filter({ hasText: name });
    await line("cup.png").getByText("done").waitFor();
    await line("notes.txt")
      .getByText(/Not a PNG, JPEG/)
      .waitFor();
    await line("film.png").getByText("Larger than 20 MB.").waitFor();
    await line("mark.svg")
      .getByText(/The file was cleaned/)
      .waitFor();
    await tile(page, "cup.png").waitFor();
    await sendFile(page, "drop", "dropped.png", (await png("")).buffer);
    await tile(page, "dropped.png").waitFor();
    await sendFile(page, "paste", "pasted.png", (await png("")).buffer);
    await tile(page, "pasted.png").waitFor();
    assert.equal(await page.locator(".file-tile").count(), 4);
    await button(page, "Clear the list").click();
    await list.waitFor({ state: "detached" });
    const { body } = await service.fetch("/v1/assets", { token: user.token });
    assert.equal(body.length, 4);
    assert.deepEqual(listFaults(visit), []);
  });

  it("show the progress of an upload, which can be cancelled", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/assets");
    const { page } = visit;
    const gate = Promise.withResolvers<void>();
    await page.route("**/v1/assets", async (route) => {
      if (route.request().method() === "POST") await gate.promise;
      await route.continue().catch(() => undefined);
    });
    await choose(page, button(page, "Upload files"), [await png("slow.png")]);
    await page.getByRole("progressbar", { name: "slow.png" }).waitFor();
    // Until the browser reports the request as failed, the server may still get the file.
    const given = page.waitForEvent("requestfailed");
    await button(page, "Stop slow.png").click();
    await page.getByRole("progressbar").waitFor({ state: "detached" });
    await given;
    gate.resolve();
    await page.getByRole("heading", { name: "No files yet" }).waitFor();
    assert.deepEqual((await service.fetch("/v1/assets", { token: user.token })).body, []);
  });

  it("are found by name and kind, page by page, with a placeholder colour until a picture has loaded", async () => {
    const user = await service.newUser();
    for (let n = 0; n < 25; n += 1)
      await uploadOne(user.token, { bytes: (await png("")).buffer, name: `shot ${n}.png` });
    const bytes = await newPicture().webp().toBuffer();
    await uploadOne(user.token, { bytes, name: "Winter.webp" });
    await using visit = await openAs(user, "/projects");
    const { page } = visit;
    const gate = Promise.withResolvers<void>();
    await page.route(/\/v1\/assets\/[0-9a-f]{24}\?/, async (route) => {
      await gate.promise;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole("link", { name: "Files" }).click();
    await page.getByText("26 files").waitFor();
    const color = await tile(page, "Winter.webp").locator(".thumb").getAttribute("style");
    assert.match(color ?? "", /background: rgb/);
    gate.resolve();
    await button(page, "Next").click();
    await page.getByText("shot 0.png").waitFor();
    assert.equal(await page.locator(".file-tile").count(), 2);
    await page.getByLabel("Search by name").fill("WINTER");
    await page.getByText("1 file", { exact: true }).waitFor();
    await tile(page, "Winter.webp").waitFor();
    await page.getByLabel("Kind").selectOption("PDF");
    await page.getByText("No file has this name or kind.").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("have renders: configured, previewed, with their size, and copied", async () => {
    const user = await service.newUser();
    const { buffer } = await png("", { width: 900, height: 600 });
    const asset = await uploadOne(user.token, { bytes: buffer, name: "shop.png" });
    await using visit = await openAs(user, `/assets/${asset.id}`);
    const { page } = visit;
    await page.getByText("900 × 600").first().waitFor();
    await page.getByText("400 × 267").waitFor();
    await page.getByText(/AVIF\..*than the original’s/).waitFor();
    await page.getByLabel("Width").fill("300");
    await page.getByLabel("Height").fill("300");
    await page.getByLabel("Fit").selectOption("crop");
    await page.getByLabel("Keep when cropping").selectOption("Top left");
    await page.getByLabel("Format").selectOption("WebP");
    await page.getByLabel("Quality", { exact: true }).fill("40");
    await page.getByText("300 × 300", { exact: true }).waitFor();
    await page.getByText(/WebP\./).waitFor();
    const address = await page.getByLabel("URL of the render").innerText();
    assert.equal(address, `${asset.url}?w=300&h=300&fit=crop&crop=top,left&fm=webp&q=40`);
    const answer = await service.fetch(address.slice(service.url.length));
    assert.equal(answer.headers.get("content-type"), "image/webp");
    const bytes = Number(answer.headers.get("content-length"));
    const caption = await page.locator(".render figcaption strong").innerText();
    assert.equal(
      caption,
      `${(bytes / 1000).toLocaleString("en-GB", { maximumFractionDigits: 1 })} kB, WebP.`,
    );
    const snippet = await page.getByLabel("For your pages").innerText();
    assert.ok(snippet.includes(`${address.replaceAll("&", "&amp;")}&amp;dpr=2 2x`), snippet);
    assert.match(snippet, /width="300"\s+height="300"/);
    // An invalid render is not requested.
    await page.getByLabel("Quality", { exact: true }).fill("400");
    assert.equal(
      await page.getByLabel("Quality", { exact: true }).getAttribute("aria-invalid"),
      "true",
    );
    assert.equal(await page.getByLabel("URL of the render").innerText(), address);
    await button(page, "Reset").click();
    await page.getByText("400 × 267").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("are picked in an editor, published by id, and deleted once nothing uses them", async () => {
    const site = await newBannerSite();
    const asset = await uploadOne(site.token, { bytes: (await png("")).buffer, name: "mark.png" });
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    const saved = async (image: string | undefined): Promise<void> => {
      const deadline = Date.now() + 15_000;
      for (;;) {
        const [step] = (await site.read())["steps"] as { image?: string }[];
        if (step?.image === image) return;
        assert.ok(Date.now() < deadline, "it is saved in time");
        await new Promise((done) => setTimeout(done, 50));
      }
    };
    const field = page
      .locator(".field")
      .filter({ hasText: /^Image/ })
      .first();
    await field.getByRole("button", { name: "Choose a file" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "mark.png" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await field.getByRole("link", { name: "mark.png" }).waitFor();
    await saved(asset.id);
    await visit.open(`/assets/${asset.id}`);
    await page.getByText(/1 document uses it/).waitFor();
    assert.equal(await button(page, "Delete").count(), 0);
    await page.getByRole("main").getByRole("link", { name: "Shop banner" }).click();
    await field.getByRole("button", { name: "Remove" }).click();
    await saved(undefined);
    await visit.open(`/assets/${asset.id}`);
    await button(page, "Delete").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No files yet" }).waitFor();
    await page.getByText("The file is deleted.").waitFor();
    assert.equal((await service.fetch(`/v1/assets/${asset.id}`)).status, 404);
    assert.deepEqual(listFaults(visit), []);
  });

  it("cannot be deleted by others, and a viewer picks none", async () => {
    const site = await newBannerSite();
    const asset = await uploadOne(site.token, { bytes: (await png("")).buffer, name: "mark.png" });
    const own = { id: site.project.id, token: site.token };
    await using visit = await openShared(own, "viewer", `/assets/${asset.id}`);
    const { page } = visit;
    await page.getByText(/Somebody else uploaded this file/).waitFor();
    assert.equal(await button(page, "Delete").count(), 0);
    await visit.open(site.at);
    await page.getByText("Your role reads").or(page.getByLabel("Image").first()).first().waitFor();
    assert.equal(await button(page, "Choose a file").count(), 0);
    await visit.open("/assets/0123456789abcdef01234567");
    await page.getByText(/This no longer exists, or you do not have access to it/).waitFor();
    await page.route("**/v1/assets?*", (route) => route.abort());
    await visit.open("/assets");
    await page.getByText(/The service cannot be reached/).waitFor();
    await page.unroute("**/v1/assets?*");
    await button(page, "Try again").click();
    await page.getByRole("heading", { name: "No files yet" }).waitFor();
  });

  for (const given of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: phone }] as const)
    it(`have no axe-core violations: ${JSON.stringify(given)}`, async () => {
      const site = await newBannerSite();
      const { id } = await uploadOne(site.token, { bytes: (await png("")).buffer, name: "a.png" });
      const image = { steps: [{ name: "one", layout: "category", title: "Reason", image: id }] };
      const at = `/v1/vault/cookies/${site.cookies.id}`;
      await service.fetch(at, { method: "PATCH", token: site.token, json: image });
      await using visit = await openAs(site, "/assets", { ...given, reducedMotion: "reduce" });
      const { page } = visit;
      await tile(page, "a.png").waitFor();
      const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };
      await choose(page, button(page, "choose files"), [text]);
      await page.getByText(/Not a PNG, JPEG/).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await visit.open(`/assets/${id}`);
      await page.getByText(/than the original’s/).waitFor();
      assert.deepEqual(await findViolations(page), []);
      const isWide = await page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth",
      );
      assert.equal(isWide, false, "it scrolls sideways");
      await visit.open(site.at);
      await button(page, "Choose another").click();
      await page.getByRole("dialog").getByRole("button", { name: "a.png" }).waitFor();
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(listFaults(visit), []);
    });
});
