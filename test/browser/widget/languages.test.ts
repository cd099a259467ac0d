import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
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

describe("of several configurations", { skip }, () => {
  const cases: [string, string, Parameters<typeof openVisit>[1]][] = [
    ["english", "the page's language, over the browser's", { lang: "en", locale: "fr-FR" }],
    ["french", "the page's language, over the default", { lang: "fr" }],
    ["french", "the browser's language where the page says none", { lang: "", locale: "fr-FR" }],
    ["english", "the default one where no language fits", { lang: "de", locale: "de-DE" }],
    ["arabic", "the language that the script names", { attributes: 'data-language="ar"' }],
    ["canadian", "the browser's country", { lang: "fr", locale: "fr-CA" }],
    ["canadian", "the country named", { lang: "fr", attributes: 'data-country="CA"' }],
    ["kiosk", "one for this page", { path: "/kiosk" }],
    ["kiosk", "one for pages that begin so", { path: "/stands/3" }],
    ["english", "none that is for other pages", { path: "/kiosks" }],
    ["arabic", "the one that the script names", { attributes: 'data-cookies="arabic"' }],
  ];
  for (const [name, why, given] of cases)
    it(`the visitor is shown ${why}`, async () => {
      await using visit = await openVisit(site, given);
      await visit.dialog.getByRole("heading", { name, exact: true }).waitFor();
      assert.deepEqual(visit.faults, []);
    });

  it("French is spoken throughout, and told to the service", async () => {
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

  it("Arabic is written from right to left, and English from left to right on an Arabic page", async () => {
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

/** How the banner is written, and whether a switch stands to the left of its label. */
async function readSides({ dialog }: Visit): Promise<object> {
  const input = await dialog.getByRole("switch").boundingBox();
  const text = await dialog.getByText("One", { exact: true }).boundingBox();
  return {
    direction: await dialog.getAttribute("dir"),
    isSwitchLeft: (input?.x ?? 0) < (text?.x ?? 0),
  };
}
