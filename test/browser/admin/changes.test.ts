import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Change } from "@avow/client/operations";
import { groupChanges } from "../../../packages/admin/screens/changes/change-groups.ts";
import { editorEn } from "../../../packages/admin/words/editor-en.ts";
import { editorFr } from "../../../packages/admin/words/editor-fr.ts";
import { en } from "../../../packages/admin/words/changes/en.ts";
import { labelOf } from "@avow/contract/labels";
import { service } from "../../harness.ts";
import { newSite, publishAndWait } from "../../interface/publishing.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs } from "./visits.ts";

const phone = { width: 390, height: 844 };
const card = (page: Page, title: string): Locator =>
  page.locator("section.card").filter({ has: page.getByRole("heading", { name: title }) });
const vendor = (name: string, more: object = {}) => ({
  name,
  title: name.toUpperCase(),
  domain: `${name}.example`,
  policyUrl: `https://${name}.example/privacy`,
  shortDescription: "Counts visits.",
  ...more,
});
const step = (name: string, more: object = {}) => ({
  name,
  title: `The ${name}`,
  layout: "category",
  ...more,
});

async function newChangedSite() {
  const site = await newSite();
  const { token, project, cookies } = site;
  const patch = async (at: string, json: object): Promise<void> => {
    const { status, body } = await service.fetch(at, { method: "PATCH", token, json });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const setSteps = (steps: object[]): Promise<void> =>
    patch(`/v1/vault/cookies/${cookies.id}`, { steps });
  const setColors = (colors: object): Promise<void> =>
    patch(`/v1/vault/projects/${project.id}`, { colors });
  const publish = () => publishAndWait(token, project.id);
  return { ...site, id: project.id, setSteps, setColors, publish };
}

/** Two versions that differ: a step moved first, one moved, a vendor's purpose, a text, a colour. */
async function newTwice() {
  const site = await newChangedSite();
  await site.setColors({ main: "#0d5c4b" });
  await site.setSteps([
    step("stats", { vendors: [vendor("x", { type: "statistics" })], message: "<p>Old words</p>" }),
    step("ads", { vendors: [vendor("y")] }),
    step("last"),
  ]);
  await site.publish();
  await site.setColors({ main: "#a0261f" });
  await site.setSteps([
    step("hello"),
    step("last"),
    step("stats", { vendors: [vendor("x", { type: "advertising" })], message: "<p>New words</p>" }),
    step("ads", { vendors: [vendor("y"), vendor("z")] }),
  ]);
  return site;
}

const shown = (within: Locator) => within.locator(".changes");
const readItem = async (within: Locator, text: string): Promise<string> =>
  (await within.locator(".change-items > li").filter({ hasText: text }).first().innerText())
    .replaceAll(/\s+/g, " ")
    .trim();

describe("changes in the admin app", { skip }, () => {
  it("are grouped by configuration and item, material changes first, each with before and after", async () => {
    const site = await newTwice();
    await using visit = await openAs(site, `/projects/${site.id}/publish`);
    const { page } = visit;
    const list = card(page, "Changes");
    await shown(list).waitFor();
    const groups = await shown(list).locator(".change-group > summary").allInnerTexts();
    assert.equal(groups.length, 2);
    assert.match(groups[0] ?? "", /1 asked again/);
    assert.match(groups[1] ?? "", /Design\s+1 change/);
    assert.match(
      await readItem(list, "Vendor X"),
      /Type before: statistics → after: advertising New purpose Asked again/,
    );
    assert.match(await readItem(list, "Vendor Z"), /New vendor New question/);
    assert.match(await readItem(list, "The hello"), /^Step The hello Added$/);
    assert.match(await readItem(list, "The last"), /^Step The last moved from 3 to 2$/);
    assert.match(
      await readItem(list, "Step The stats"),
      /Message before: Old words → after: New words/,
    );
    assert.equal(
      await list.locator(".change-items > li").filter({ hasText: "Step The ads" }).count(),
      0,
    );
    const swatches = list.locator(".color-swatch");
    const colors = await swatches.evaluateAll((all) =>
      all.map((one) => one.computedStyleMap().get("background-color")?.toString()),
    );
    assert.deepEqual(colors, ["rgb(13, 92, 75)", "rgb(160, 38, 31)"]);
    for (const scheme of ["light", "dark"] as const)
      for (const size of [phone, { width: 1280, height: 900 }]) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await page.setViewportSize(size);
        assert.deepEqual(await findViolations(page), []);
        const wide = "document.documentElement.scrollWidth - innerWidth";
        assert.ok(Number(await page.evaluate(wide)) <= 0, "nothing overflows the window");
      }
    await visit.open(`/projects/${site.id}`);
    const home = card(page, "Changes since the last publication");
    await home.getByText("1 asked again").waitFor();
    assert.equal(await home.locator("details.change-group[open]").count(), 1);
    assert.deepEqual(listFaults(visit), []);
  });

  it("compare any two versions of the list, and report when they are equal", async () => {
    const site = await newTwice();
    await site.publish();
    await site.setColors({ main: "#0d5c4b" });
    await site.setSteps([step("stats", { message: "<p>Old words</p>", vendors: [] })]);
    await site.publish();
    await using visit = await openAs(site, `/projects/${site.id}/publish`);
    const { page } = visit;
    const versions = card(page, "Versions");
    await versions.getByText("Choose two versions to compare them.").waitFor();
    const choose = (version: number) => versions.getByLabel(`Compare version ${version}`);
    await choose(3).check();
    await versions.getByText("Version 3 is selected.").waitFor();
    await choose(1).check();
    await versions.getByRole("button", { name: "Compare 1 with 3" }).click();
    const dialog = page.getByRole("dialog", { name: "From version 1 to version 3" });
    await shown(dialog).waitFor();
    assert.equal(await readItem(dialog, "Step The ads"), "Step The ads Removed");
    // Version 2 changed it, and version 3 changed it back.
    assert.equal(await dialog.getByText("Design").count(), 0);
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Close" }).click();
    // Choosing a third version deselects the first.
    await choose(2).check();
    assert.equal(await choose(3).isChecked(), false);
    await versions.getByRole("button", { name: "Compare 1 with 2" }).click();
    await page.getByRole("dialog").getByText("moved from 3 to 2").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("are in French, including the names of fields and choices", async () => {
    const site = await newTwice();
    await using visit = await openAs(site, `/projects/${site.id}/publish`, { locale: "fr-FR" });
    const { page } = visit;
    const list = card(page, "Modifications");
    await shown(list).waitFor();
    assert.match(
      await readItem(list, "Service X"),
      /Type avant : statistics → après : advertising Nouvelle finalité À redemander/,
    );
    assert.match(
      await readItem(list, "The last"),
      /^Étape The last passe de la position 3 à la position 2$/,
    );
    assert.match(await readItem(list, "The hello"), /^Étape The hello Ajout$/);
    assert.deepEqual(listFaults(visit), []);
  });

  it("fold long values, and count the hidden ones", async () => {
    const site = await newChangedSite();
    const all = Array.from({ length: 60 }, (_, at) => vendor(`v${at}`));
    await site.setSteps([step("one", { vendors: all })]);
    await site.publish();
    await site.setSteps([
      step("one", { vendors: all.map((one) => ({ ...one, shortDescription: "Other words." })) }),
    ]);
    await using visit = await openAs(site, `/projects/${site.id}/publish`);
    const list = card(visit.page, "Changes");
    await list.getByText("60 changes").waitFor();
    const items = list.locator(".change-items > li:visible");
    assert.equal(await items.count(), 8);
    await list.getByText("52 more").click();
    assert.equal(await items.count(), 60);
    assert.deepEqual(listFaults(visit), []);
  });

  it("report when nothing has changed", async () => {
    const site = await newChangedSite();
    await site.publish();
    await using visit = await openAs(site, `/projects/${site.id}/publish`);
    await card(visit.page, "Changes").getByText("Nothing has changed since then.").waitFor();
    assert.equal(await visit.page.locator(".change-group").count(), 0);
  });
});

describe("the texts of changes", () => {
  const responsible = new Set(["fullname", "organization", "email", "address"]);

  it("name fields as the editor does, and have French twins", () => {
    for (const [name, label] of Object.entries(editorEn.fields))
      assert.equal(labelOf([name]), label, name);
    for (const [name, label] of Object.entries(editorEn.design.names))
      assert.equal(labelOf(["colors", name]), label, name);
    for (const [name, label] of Object.entries(en.fields))
      assert.equal(
        labelOf(
          name.includes(".") ? name.split(".") : responsible.has(name) ? ["DPO", name] : [name],
        ),
        label,
        name,
      );
    assert.deepEqual(Object.keys(editorFr.fields), Object.keys(editorEn.fields));
  });

  it("sort groups by materiality, and keep an item's changes together", () => {
    const make = (asks: Change["asks"], identifier: string, item?: string): Change => ({
      class: "wording",
      kind: "changed",
      path: "/cookies/0/title",
      message: "",
      about: [],
      asks,
      field: "title",
      configuration: { collection: "cookies", identifier, name: identifier },
      ...(item !== undefined && { item: { type: "step", id: item, name: item } }),
    });
    const groups = groupChanges([
      make("nobody", "a", "s"),
      make("first", "b"),
      make("nobody", "a"),
      make("again", "a", "t"),
      make("nobody", "a", "s"),
    ]);
    assert.deepEqual(
      groups.map(({ key, count, asked, items }) => [
        key,
        count,
        asked,
        items.map((one) => [one.item?.id, one.changes.length]),
      ]),
      [
        [
          "a",
          4,
          1,
          [
            [undefined, 1],
            ["t", 1],
            ["s", 2],
          ],
        ],
        ["b", 1, 0, [[undefined, 1]]],
      ],
    );
  });
});
