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
