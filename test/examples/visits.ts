import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { openPage } from "../browser/widget/browser.ts";
import { type Shop, openShop } from "../browser/widget/site.ts";

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
};

/** Serves the files of a built example. */
export async function serveFolder(folder: string): Promise<Shop> {
  const names = await readdir(folder, { recursive: true });
  const pages: Parameters<typeof openShop>[0] = {};
  for (const name of names.filter((one) => extname(one) in types)) {
    const bytes = await readFile(join(folder, name));
    const path = `/${name.split("\\").join("/")}`;
    pages[path === "/index.html" ? "/" : path] = (_, response) =>
      response.setHeader("content-type", types[extname(name)] ?? "").end(bytes);
  }
  return openShop(pages);
}

/** The file with the settings of an example. */
export function toSettings(project: string, url: string): string {
  return `export const project = ${JSON.stringify(project)};\nexport const url = ${JSON.stringify(url)};\n`;
}

/**
 * Drives an example with an interface of its own: banner, refusal, acceptance, the tag once, reload, a choice of one vendor,
 * and withdrawal.
 */
export async function visitShop(url: string): Promise<void> {
  await using opened = await openPage();
  const { page, faults, requests } = opened;
  const countTags = () => requests.filter((one) => one.endsWith("/stats.js")).length;
  const dialog = page.getByRole("dialog");
  const settings = page.getByRole("button", { name: "Cookie settings" });
  await page.goto(url);
  await page.getByRole("dialog", { name: "Your privacy" }).waitFor();
  await dialog.getByText("We use cookies.").waitFor();
  assert.equal(await dialog.getByRole("link", { name: "More" }).getAttribute("href"), "/privacy");
  await page.getByText("Statistics are off.").waitFor();
  await dialog.getByRole("button", { name: "Refuse all" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.reload();
  await settings.waitFor();
  assert.equal(await dialog.count(), 0);
  assert.equal(countTags(), 0);
  assert.equal(await page.locator("iframe").count(), 0);
  await settings.click();
  await dialog.getByRole("button", { name: "Accept all" }).click();
  await page.getByText("Statistics are on.").waitFor();
  await page.frameLocator("iframe").getByText("The film.").waitFor();
  assert.equal(countTags(), 1);
  await page.reload();
  await page.getByText("Statistics are on.").waitFor();
  await page.frameLocator("iframe").getByText("The film.").waitFor();
  assert.equal(countTags(), 2);
  await settings.click();
  await dialog.waitFor();
  const choose = dialog.getByText("Let me choose");
  if ((await choose.count()) > 0) await choose.click();
  await dialog.getByRole("checkbox", { name: "Stats" }).uncheck();
  const reloaded = page.waitForEvent("load");
  await dialog.getByRole("button", { name: "Save my choices" }).click();
  await reloaded;
  await page.getByText("Statistics are off.").waitFor();
  await page.frameLocator("iframe").getByText("The film.").waitFor();
  assert.equal(countTags(), 2);
  await settings.click();
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.deepEqual(faults, []);
}
