import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { FieldSchema } from "../../../packages/admin/api/field-schema.ts";
import { fields } from "../../../packages/admin/api/fields.ts";
import { editorEn } from "../../../packages/admin/words/editor-en.ts";
import { editorFr } from "../../../packages/admin/words/editor-fr.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { banner, create, newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs } from "./visits.ts";

/** The allowed values of a field, with the field's name. */
function listValues(schema: FieldSchema, name = ""): [name: string, value: string][] {
  const parts = [schema, ...(schema.anyOf ?? [])];
  return parts.flatMap((part) => [
    ...(part.enum ?? []).map((value): [string, string] => [name, value]),
    ...Object.entries(part.properties ?? {}).flatMap(([key, one]) => listValues(one, key)),
    ...(part.items ? listValues(part.items, name) : []),
  ]);
}

describe("the fields of the editors", { skip }, () => {
  it("have texts for every value of their lists, in both languages", () => {
    const values = Object.values(fields).flatMap((schema) => listValues(schema));
    assert.ok(values.some(([name]) => name === "color"));
    for (const words of [editorEn, editorFr])
      for (const [name, value] of values) {
        const labels = name === "layout" ? words.steps.layouts : words.values;
        assert.ok((labels as Record<string, string>)[value], `${name}: ${value}`);
      }
  });

  it("format emphasis, links and lists by buttons, as the widget shows them", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    const message = page.getByLabel("Message", { exact: true });
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const select = (text: string) =>
      message.evaluate((area: HTMLAreaLike, wanted: string) => {
        const at = area.value.indexOf(wanted);
        area.setSelectionRange(at, at + wanted.length);
      }, text);
    await message.fill("Read our policy. It is short.");
    await select("policy");
    await press("Link");
    // The address is selected, so that typing replaces it.
    await page.keyboard.type("https://shop.example/policy");
    await select("short");
    await press("Bold");
    await select("Read");
    await press("Italic");
    const link = '<a href="https://shop.example/policy">policy</a>';
    assert.equal(
      await message.inputValue(),
      `<em>Read</em> our ${link}. It is <strong>short</strong>.`,
    );
    const preview = page.frameLocator("iframe.front:not([aria-hidden=true])").last();
    await preview.locator("em", { hasText: "Read" }).waitFor();
    assert.equal(
      await preview.getByRole("link", { name: "policy" }).getAttribute("href"),
      "https://shop.example/policy",
    );
    await message.fill("tea\ncoffee");
    await message.press("ControlOrMeta+a");
    await press("List");
    assert.equal(await message.inputValue(), "<ul><li>tea</li><li>coffee</li></ul>");
    await preview.locator("li", { hasText: "coffee" }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("offer only the texts that the steps show, and those with a value", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await page.getByRole("tab", { name: "Texts" }).click();
    const text = (name: string) => page.getByLabel(name, { exact: true });
    await text("Accept all").waitFor();
    for (const name of ["Refuse all", "Let me choose", "Details", "Privacy policy"])
      assert.equal(await text(name).count(), 1, name);
    // No vendor is required, no step asks for several vendors, and forms show the rest.
    for (const name of [
      "Always on",
      "All of them",
      "I agree",
      "Read the document (opens in a new tab)",
    ])
      assert.equal(await text(name).count(), 0, name);
    const [first] = banner.steps;
    const alone = await create(site.token, "cookies", {
      projectId: site.project.id,
      title: "One step",
      language: "en",
      steps: [first],
      strings: { choose: "Continue" },
    });
    await visit.open(`/projects/${site.project.id}/cookies/${alone.id}`);
    await page.getByRole("tab", { name: "Texts" }).click();
    await text("Accept all").waitFor();
    assert.equal(await text("Save my choices").count(), 1);
    assert.equal(await text("Let me choose").inputValue(), "Continue");
    assert.deepEqual(listFaults(visit), []);
  });

  it("are previewed in the whole window, at actual size or fitted, until Escape", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await frontOf(page).waitFor();
    const small = await frontOf(page).boundingBox();
    await page.getByRole("button", { name: "Full window" }).click();
    const dialog = page.getByRole("dialog", { name: "Preview" });
    const own = dialog.locator("iframe.front");
    await own.waitFor();
    const whole = await own.boundingBox();
    assert.equal(Math.round(whole?.width ?? 0), 1_280);
    assert.ok((small?.width ?? 0) < 1_280);
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Phone" }).click();
    await dialog.getByRole("button", { name: "Fit" }).click();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await frontOf(page).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});

describe("a truncated response", { skip }, () => {
  it("is reported as an unreachable service, not as a defect", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, `/projects/${site.project.id}/consents`);
    const { page } = visit;
    await page.getByRole("heading", { level: 1, name: "Consents" }).waitFor();
    await page.addInitScript(`{
      const { fetch } = window;
      window.fetch = async (...given) => {
        const answer = await fetch(...given);
        if (!String(given[0]).includes("/v1/app/consents/")) return answer;
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode("[{"));
            controller.error(new TypeError("network error"));
          },
        });
        return new Response(body, { headers: answer.headers });
      };
    }`);
    await page.reload();
    await page.getByText("The service cannot be reached.").waitFor();
    // A defect would have been reported.
    assert.deepEqual(listFaults(visit), []);
  });
});

/** The type of the DOM element: the tests have no DOM types. */
interface HTMLAreaLike {
  value: string;
  setSelectionRange: (from: number, to: number) => void;
}

function frontOf(page: Page) {
  return page.locator("iframe.front:not([aria-hidden=true])").last();
}
