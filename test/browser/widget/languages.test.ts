import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skip } from "./browser.ts";
import { widgetLanguages } from "../../../packages/server/modules/publish/content/words/languages.ts";
import { wordsOf } from "../../../packages/server/modules/publish/content/words/words.ts";
import { newLiveSite, shopCookies, toPage } from "./site.ts";
import { type Visit, openVisit, press } from "./visits.ts";

const saying = (name: string, more: object) => ({
  ...shopCookies,
  isDefault: false,
  name,
  steps: [
    { name: "all", layout: "category", title: name, vendors: [{ name: "one", title: "One" }] },
  ],
  ...more,
});
const site = await newLiveSite({
  cookies: [
    saying("english", { isDefault: true }),
    saying("french", { language: "fr" }),
    saying("canadian", { language: "fr", country: "CA" }),
    saying("arabic", { language: "ar" }),
    saying("kiosk", { settings: { pages: ["/kiosk", "/stands/*"] } }),
  ],
});
/** A banner with an opt-out and the visitor's own page, in each language. */
const spoken = await newLiveSite({
  cookies: widgetLanguages.map((language) => ({
    ...shopCookies,
    isDefault: false,
    name: language,
    language,
    regions: [
      { in: ["US"], model: "opt-out" },
      { in: ["*"], model: "opt-in" },
    ],
  })),
});

describe("the choice among several configurations", { skip }, () => {
  const cases: [string, string, Parameters<typeof openVisit>[1]][] = [
    ["english", "the page's language before the browser's", { lang: "en", locale: "fr-FR" }],
    ["french", "the page's language before the default", { lang: "fr" }],
    ["french", "the browser's language when the page declares none", { lang: "", locale: "fr-FR" }],
    ["english", "the default one when no language matches", { lang: "de", locale: "de-DE" }],
    ["arabic", "the language that the script names", { attributes: 'data-language="ar"' }],
    ["canadian", "the browser's country", { lang: "fr", locale: "fr-CA" }],
    ["canadian", "the country named", { lang: "fr", attributes: 'data-country="CA"' }],
    ["kiosk", "the one for this page", { path: "/kiosk" }],
    ["kiosk", "the one for pages with this prefix", { path: "/stands/3" }],
    ["english", "none for other pages", { path: "/kiosks" }],
    ["arabic", "the one that the script names", { attributes: 'data-cookies="arabic"' }],
  ];
  for (const [name, why, given] of cases)
    it(`picks ${why}`, async () => {
      await using visit = await openVisit(site, given);
      await visit.dialog.getByRole("heading", { name, exact: true }).waitFor();
      assert.deepEqual(visit.faults, []);
    });

  it("shows all texts in French, and sends the language to the service", async () => {
    await using visit = await openVisit(site, { lang: "fr" });
    const { dialog, launcher } = visit;
    await dialog.getByRole("button", { name: "Tout accepter" }).waitFor();
    const { language } = await press(visit, "Tout refuser");
    assert.equal(language, "fr");
    assert.equal(await launcher.getAttribute("aria-label"), "Gérer mes cookies");
    await launcher.click();
    await dialog.getByRole("heading", { name: "Gérer mes cookies" }).waitFor();
    await dialog.getByRole("button", { name: "Fermer" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  it("writes Arabic from right to left, and English from left to right on an Arabic page", async () => {
    const arabic = { lang: "ar", viewport: { width: 375, height: 720 } };
    await using visit = await openVisit(site, arabic);
    assert.deepEqual(await readSides(visit), { direction: "rtl", isSwitchLeft: true });
    await using other = await openVisit(site, {
      lang: 'ar" dir="rtl',
      attributes: 'data-language="en"',
    });
    assert.deepEqual(await readSides(other), { direction: "ltr", isSwitchLeft: false });
    await press(other, "Refuse all");
    await other.launcher.click();
    assert.deepEqual(await readSides(other), { direction: "ltr", isSwitchLeft: false });
  });
});

/** The banner's text direction, and whether a switch is to the left of its label. */
async function readSides({ dialog }: Visit): Promise<object> {
  const input = await dialog.getByRole("switch").boundingBox();
  const text = await dialog.getByText("One", { exact: true }).boundingBox();
  return {
    direction: await dialog.getAttribute("dir"),
    isSwitchLeft: (input?.x ?? 0) < (text?.x ?? 0),
  };
}

/** The banner of a language at a path of the page. */
const toPath = (language: string, region: string): string => `/${language}/${region}`;
const pages = Object.fromEntries(
  widgetLanguages.flatMap((language) =>
    ["FR", "US"].map((region) => [
      toPath(language, region),
      toPage(spoken.projectId, {
        lang: language,
        attributes: `data-cookies="${language}" data-region="${region}"`,
      }),
    ]),
  ),
);
const sizes = [320, 360].map((width) => ({ width, height: 640 }));

describe("the banner on a narrow screen", { skip }, () => {
  it("shows the whole text of each button in every language, and equal buttons to accept and refuse", async () => {
    await using visit = await openVisit(spoken, { pages, path: "/" });
    const { page, dialog, shop, faults } = visit;
    const open = async (language: string, region: string): Promise<void> => {
      await page.goto(shop.url + toPath(language, region));
      await dialog.waitFor();
    };
    for (const language of widgetLanguages) {
      const { banner, regions } = wordsOf(language);
      const { refuseAll, acceptAll, choose, save } = banner;
      await open(language, "FR");
      assert.equal(await dialog.getAttribute("dir"), toDirection(language));
      const answers = [refuseAll, acceptAll];
      await assertWhole(visit, { texts: [...answers, choose], answers });
      await dialog.getByRole("button", { name: choose, exact: true }).click();
      await dialog.getByRole("button", { name: save, exact: true }).waitFor();
      await assertWhole(visit, { texts: ["×", ...answers, save], answers });
      await open(language, "US");
      await assertWhole(visit, { texts: [regions.doNotSell, regions.ok, choose], answers: [] });
    }
    assert.deepEqual(faults, []);
  });
});

const toDirection = (language: string): string => (/^(ar|ur)$/.test(language) ? "rtl" : "ltr");

interface ButtonView {
  text: string;
  /** In whole px. */
  size: [width: number, height: number];
  isCut: boolean;
  /** Words that are broken between two lines. */
  broken: string[];
}

/** Words are those of scripts that end no line within one, and for which machines have a font. */
const readButtons = `(dialog) => {
  const outer = dialog.getBoundingClientRect();
  const word = /[\\p{scx=Latn}\\p{scx=Grek}\\p{scx=Cyrl}]+/gu;
  return [...dialog.querySelectorAll("button")].map((button) => {
    const text = button.textContent;
    const { left, right, width, height } = button.getBoundingClientRect();
    const isCut =
      left < outer.left ||
      right > outer.right ||
      button.scrollWidth > button.clientWidth ||
      button.scrollHeight > button.clientHeight;
    const broken = [...text.matchAll(word)].filter(({ 0: { length }, index }) => {
      const range = new Range();
      range.setStart(button.firstChild, index);
      range.setEnd(button.firstChild, index + length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    });
    const size = [Math.round(width), Math.round(height)];
    return { text, size, isCut, broken: broken.map(([one]) => one) };
  });
}`;

/** Asserts that the banner has these buttons with their whole text, and that those for the answers have one size. */
async function assertWhole(
  { page }: Visit,
  { texts, answers }: Record<"texts" | "answers", readonly string[]>,
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const views = await page.evaluate<ButtonView[]>(
      `(${readButtons})(document.querySelector("avow-widget").shadowRoot.querySelector("dialog"))`,
    );
    assert.deepEqual(
      views.map(({ text }) => text),
      texts,
    );
    const faulty = views.filter(({ isCut, broken }) => isCut || broken.length > 0);
    assert.deepEqual(faulty, [], `${size.width} px`);
    const [refuse, accept] = answers.map((text) => views.find((one) => one.text === text)?.size);
    assert.deepEqual(refuse, accept, `${answers.join(", ")} at ${size.width} px`);
  }
}
