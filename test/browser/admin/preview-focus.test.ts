import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs } from "./visits.ts";

const sentence = "We count visits, and ask you before.";

/** A person's typing speed, so that the preview is drawn while somebody types. */
const DELAY_MS = 60;

/** The visible preview frame, once it is drawn. */
function previewOf(page: Page): FrameLocator {
  return page.frameLocator("iframe.front:not([aria-hidden=true])").last();
}

/** The measurements of a DOM element: the tests have no DOM types. */
interface MeasurableElement {
  offsetWidth: number;
  getBoundingClientRect: () => { toJSON: () => Box };
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The name of the focused element of the editor. */
function focusOf(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement.localName");
}

/** Counts the previews drawn from now on. */
async function countDrawn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    `globalThis.drawn = 0;
    addEventListener("message", ({ data }) => {
      if (data === "avow-preview-shown") globalThis.drawn += 1;
    });`,
  );
  return () => page.evaluate<number>("globalThis.drawn");
}

/** Types a sentence into a field of the open step, with pauses in which the preview is drawn. */
async function write(page: Page): Promise<void> {
  // The first is the step's own field; its vendors have one, too.
  const title = page.getByLabel("Title", { exact: true }).first();
  const countNow = await countDrawn(page);
  await title.fill("");
  await title.focus();
  let written = "";
  for (const word of sentence.split(/(?<= )/)) {
    const before = await countNow();
    await page.keyboard.type(word, { delay: DELAY_MS });
    written += word;
    // Drawn with the current text: anything that takes the focus has done so by now.
    await waitUntilTrue(page, `globalThis.drawn > ${before}`);
    assert.equal(await title.inputValue(), written);
  }
  assert.ok((await countNow()) > 3, "the preview was redrawn while typing");
  assert.equal(await focusOf(page), "input");
  await previewOf(page).getByText(sentence.trim()).first().waitFor();
}

/** Clicks an element in the preview at its visible position, since the preview is scaled down. */
async function press(page: Page, within: Locator): Promise<void> {
  const inside = await within.evaluate((one: MeasurableElement) =>
    one.getBoundingClientRect().toJSON(),
  );
  const frame = page.locator("iframe.front");
  const outside = await frame.boundingBox();
  assert.ok(outside);
  const scale = outside.width / (await frame.evaluate((one: MeasurableElement) => one.offsetWidth));
  await page.mouse.click(
    outside.x + (inside.x + inside.width / 2) * scale,
    outside.y + (inside.y + inside.height / 2) * scale,
  );
}

async function openStep(page: Page, name: string): Promise<void> {
  const step = page.locator(".step-open", { hasText: name });
  await step.focus();
  await page.keyboard.press("Enter");
}

describe("the preview and the keyboard", { skip }, () => {
  it("a sentence typed into a later step arrives whole, and the step opened by Enter keeps the focus", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await previewOf(page).getByRole("button", { name: "Accept all" }).waitFor();
    await openStep(page, "Knowing what is useful");
    await previewOf(page).getByText("Counts visits.").waitFor();
    assert.equal(await focusOf(page), "button");
    await write(page);
    assert.deepEqual(listFaults(visit), []);
  });

  it("a centered modal banner does not take the focus while typing", async () => {
    const site = await newBannerSite({
      fields: {
        widgetStyle: { position: "center" },
        overlayStyle: { background: "rgb(0 0 0 / 50%)" },
      },
    });
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await previewOf(page).locator("dialog:modal").waitFor();
    await write(page);
    assert.deepEqual(listFaults(visit), []);
  });

  it("the open choices do not take the focus while typing", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    await openStep(page, "Knowing what is useful");
    const shown = page.getByLabel("Step", { exact: true });
    await shown.focus();
    await shown.selectOption("choices");
    await previewOf(page).locator("dialog:modal").waitFor();
    assert.equal(await focusOf(page), "select");
    await write(page);
    assert.deepEqual(listFaults(visit), []);
  });

  it("the preview, entered by click or Tab, works as it does for a visitor", async () => {
    const site = await newBannerSite();
    await using visit = await openAs(site, site.at);
    const { page } = visit;
    const preview = previewOf(page);
    const waitForFocus = (name: string): Promise<void> =>
      preview.locator("avow-widget :focus", { hasText: name }).waitFor();
    await press(page, preview.locator("button.choose"));
    await waitForFocus("Cookie settings");
    assert.equal(await focusOf(page), "iframe");
    const again = page.getByRole("button", { name: "Restart" });
    await again.click();
    await preview.getByRole("heading", { name: "Your choice about cookies" }).waitFor();
    assert.equal(await focusOf(page), "button");
    // Tab passes the button of the full size, then enters the banner at its text, then its first button.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await waitForFocus("This shop works without them.");
    await page.keyboard.press("Tab");
    await waitForFocus("Refuse all");
    await page.keyboard.press("Enter");
    await preview.locator("button.icon:focus").waitFor();
    await page.keyboard.press("Enter");
    await preview.locator("dialog:modal h2:focus").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});
