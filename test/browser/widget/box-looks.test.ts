// The appearance of consent and contract forms: equal buttons, and no cut text on a small or enlarged screen.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { boxAt, newsletter, terms } from "./box-sites.ts";
import { answerBy, openBoxes } from "./box-visits.ts";
import { skip } from "./browser.ts";
import { measureAll } from "./looks.ts";
import { newLiveSite } from "./site.ts";

const long = "Donaudampfschifffahrtsgesellschaftskapitänsversammlung";
const site = await newLiveSite({
  processings: [
    newsletter,
    { ...newsletter, name: "plain", language: "de", buttons: [] },
    {
      ...newsletter,
      name: "three",
      title: long,
      message: `<p>${long} <strong>${long}</strong></p>`,
      buttons: [
        { text: "Ja", color: "primary", value: "yes" },
        {
          text: "Ja, aber nur einmal im Jahr und nie im Sommer",
          color: "primary",
          value: "accept",
        },
        { text: "Nein", color: "default", value: "no" },
      ],
    },
    { ...newsletter, name: "arabic", language: "ar", title: "نشرتنا", buttons: [] },
  ],
  contracts: [
    { ...terms, title: long },
    { ...terms, name: "arabic", language: "ar" },
  ],
});
const [letters, plain, three] = ["newsletter", "plain", "three"].map(
  (name) => `processing:${name}`,
);
const consents = [letters, plain, three].map(String);
const all = [...consents, "contract:terms"];
const arabic = ["processing:arabic", "contract:arabic"];
/** From a small phone to a desktop. */
const widths = [320, 375, 500, 640, 1280];

/** An expression for an element in the shadow tree of the form at a placeholder. */
function inBox(place: string, selector: string): string {
  const host = `document.querySelector('[data-avow="${place}"] avow-widget')`;
  return `${host}.shadowRoot.querySelectorAll(${JSON.stringify(selector)})`;
}

/** The number of lines of each button's text. */
function countLines(page: Page, place: string): Promise<number[]> {
  return page.evaluate(`[...${inBox(place, "footer button")}].map((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  })`);
}

/** The elements that overflow their box, or the page beyond the screen's edge. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(`{
    const cut = [];
    for (const host of document.querySelectorAll("[data-avow] avow-widget")) {
      const section = host.shadowRoot.querySelector("section");
      const { left, right } = section.getBoundingClientRect();
      for (const one of [...section.querySelectorAll("*"), ...host.querySelectorAll("*")]) {
        const range = document.createRange();
        range.selectNodeContents(one);
        for (const rect of [one.getBoundingClientRect(), ...range.getClientRects()])
          if (rect.width > 0 && (rect.left < left - 1 || rect.right > right + 1))
            cut.push(one.localName + ": " + one.textContent);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) cut.push("the page");
    cut;
  }`);
}

/** Doubles the size of all text in the boxes, and of nothing else, as browsers with text-only zoom do. */
function enlargeText(page: Page): Promise<unknown> {
  return page.evaluate(`{
    const hosts = [...document.querySelectorAll("[data-avow] avow-widget")];
    const all = hosts.flatMap((host) => [...host.querySelectorAll("*"), ...host.shadowRoot.querySelectorAll("*")]);
    const sizes = all.map((one) => parseFloat(getComputedStyle(one).fontSize));
    all.forEach((one, at) => (one.style.fontSize = sizes[at] * 2 + "px"));
  }`);
}

describe("the appearance of consent and contract forms", { skip }, () => {
  for (const colorScheme of ["light", "dark"] as const)
    it(`has equal buttons at any configured color, with readable text: ${colorScheme}`, async () => {
      await using visit = await openBoxes(site, consents, { colorScheme });
      const { page } = visit;
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        for (const [place, count] of [
          [consents[0], 2],
          [consents[1], 2],
          [consents[2], 3],
        ] as const) {
          const [first, ...others] = await measureAll(page, inBox(String(place), "footer button"));
          assert.equal(others.length, count - 1);
          for (const other of others) assert.deepEqual(other, first, `${place} at ${width}`);
          assert.ok(first && first.contrast >= 4.5, `contrast ${first?.contrast}`);
          assert.ok(first.height >= 44, `height ${first.height}`);
        }
      }
    });

  it("keeps a button's text on one line when it fits a whole line", async () => {
    await using visit = await openBoxes(site, consents);
    for (const width of widths) {
      await visit.page.setViewportSize({ width, height: 800 });
      for (const place of consents.slice(0, 2))
        assert.deepEqual(await countLines(visit.page, place), [1, 1], `${place} at ${width}`);
    }
    assert.deepEqual(await countLines(visit.page, String(three)), [1, 1, 1]);
  });

  it("cuts nothing at any width, at twice the text size, before and after an answer", async () => {
    await using visit = await openBoxes(site, all);
    const { page } = visit;
    const hold = async (state: string): Promise<void> => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await findOverflow(page), [], `${state}, ${width} pixels`);
      }
    };
    const showDetails = async (): Promise<void> => {
      for (const details of await page.locator("summary").all()) await details.click();
    };
    await showDetails();
    await hold("asked");
    await enlargeText(page);
    await hold("asked, enlarged");
    for (const place of consents)
      await answerBy(visit, boxAt(page, place).locator("footer button").last());
    await answerBy(visit, boxAt(page, "contract:terms").getByRole("checkbox"));
    await page.reload();
    for (const place of all) await boxAt(page, place).locator(".state").waitFor();
    await hold("answered");
    await enlargeText(page);
    await hold("answered, enlarged");
  });

  it("mirrors everything from right to left, and cuts nothing", async () => {
    await using visit = await openBoxes(site, arabic, { viewport: { width: 375, height: 720 } });
    const { page } = visit;
    assert.deepEqual(await findOverflow(page), []);
    const middles = await page.evaluate<number[]>(`{
      const middle = (one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const { left, right } = one.localName === "input" ? one.getBoundingClientRect() : range.getBoundingClientRect();
        return (left + right) / 2;
      };
      const [title] = ${inBox("processing:arabic", ".title")};
      [middle(title), ...[...document.querySelector("label").children].map(middle)];
    }`);
    const [title = 0, input = 0, text = 0] = middles;
    assert.ok(title > 375 / 2, "a title starts on the right");
    assert.ok(input > text, "a checkbox is to the right of its text");
    const answering = boxAt(page, "processing:arabic").getByRole("button", { name: "أوافق" });
    const { language } = await answerBy(visit, answering);
    assert.equal(language, "ar");
    await boxAt(page, "processing:arabic").getByText("تمت الموافقة").waitFor();
    assert.deepEqual(await findOverflow(page), []);
    await enlargeText(page);
    assert.deepEqual(await findOverflow(page), []);
  });
});
