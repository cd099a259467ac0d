import type { Page } from "playwright-core";

/** The subject of a screenshot. */
export interface Scene {
  name: string;
  /** Which of the sites. */
  site: string;
  language?: string;
  /** The page of the site: an empty one, or one with consent forms. */
  page?: "boxes";
  /** The visitor's region, for sites with rules by region. */
  region?: string;
  /** The zoom factor. */
  zoom?: number;
  /** The width of the window; by default that of a phone. */
  width?: number;
  /** Whether the browser sends Global Privacy Control. */
  isOptedOut?: boolean;
  /** Prepares the page. */
  act?: (page: Page) => Promise<void>;
}

const press =
  (...names: (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await page.getByRole("button", { name }).first().click();
  };

/** Opens the preference center from the first layer, in any language. */
const choose = async (page: Page): Promise<void> => {
  await page.locator("avow-widget .choose").click();
  await page.locator("avow-widget .group").first().waitFor();
};

/** Presses the Tab key `times`. */
const tab =
  (times: number) =>
  async (page: Page): Promise<void> => {
    for (let left = times; left > 0; left -= 1) await page.keyboard.press("Tab");
  };

/** Moves the pointer away from the content. */
const restBanner = async (page: Page): Promise<void> =>
  page.getByRole("dialog").getByRole("button").first().click();

const inLanguages = (scene: Scene, languages: readonly string[]): Scene[] =>
  languages.map((language) => ({ ...scene, language, name: `${scene.name}-${language}` }));

/** All scenes, in the order of the gallery. */
export const scenes: readonly Scene[] = [
  ...inLanguages({ name: "welcome", site: "shop" }, ["en", "fr", "de", "ar"]),
  { name: "welcome-keyboard", site: "shop", act: tab(1) },
  {
    name: "step-en",
    site: "shop",
    act: async (page) => {
      await choose(page);
      await page.getByRole("switch", { name: "Hotjar" }).click();
      await page.getByText("Details").first().click();
    },
  },
  ...inLanguages({ name: "step", site: "shop", act: choose }, ["fr", "de", "ar"]),
  {
    name: "step-keyboard",
    site: "shop",
    act: async (page) => {
      await choose(page);
      await tab(2)(page);
    },
  },
  { name: "launcher", site: "shop", act: press("Refuse all") },
  { name: "reopened", site: "shop", act: press("Accept all", "Cookie settings") },
  {
    name: "reopened-ar",
    site: "shop",
    language: "ar",
    act: async (page) => {
      await page.getByRole("dialog").getByRole("button").first().click();
      await page.locator("avow-widget").getByRole("button").click();
    },
  },
  { name: "opted-out", site: "shop", isOptedOut: true, act: choose },
  { name: "zoomed", site: "shop", zoom: 2, act: choose },
  { name: "narrow", site: "shop", width: 320, act: choose },
  { name: "zoomed-most", site: "shop", zoom: 4, width: 1280 },
  { name: "zoomed-most-step", site: "shop", zoom: 4, width: 1280, act: choose },
  ...inLanguages({ name: "opt-out", site: "regions", region: "US-CA" }, ["en", "fr", "ar"]),
  ...inLanguages({ name: "opt-out-step", site: "regions", region: "US-CA", act: choose }, [
    "en",
    "ar",
  ]),
  { name: "opt-out-narrow", site: "regions", region: "US-CA", width: 320 },
  { name: "opt-out-signal", site: "regions", region: "US-CA", isOptedOut: true },
  { name: "region-notice", site: "regions", region: "US-NY" },
  { name: "narrow-de", site: "shop", width: 320, language: "de" },
  { name: "overlay", site: "overlay" },
  { name: "overlay-step", site: "overlay", act: choose },
  { name: "clay", site: "clay" },
  { name: "clay-step", site: "clay", act: choose },
  { name: "mono", site: "mono" },
  { name: "mono-step", site: "mono", act: choose },
  { name: "sun", site: "sun" },
  {
    name: "sun-step",
    site: "sun",
    act: async (page) => {
      await choose(page);
      await page.getByRole("switch", { name: "Hotjar" }).click();
    },
  },
  ...inLanguages({ name: "category", site: "category" }, ["en", "ar"]),
  { name: "category-zoomed", site: "category", zoom: 2 },
  ...inLanguages({ name: "info", site: "info" }, ["en", "fr"]),
  ...inLanguages({ name: "notice", site: "notice" }, ["en", "ar"]),
  ...inLanguages({ name: "soft_consent", site: "soft_consent" }, ["en", "de", "ar"]),
  { name: "soft_consent-zoomed", site: "soft_consent", zoom: 2 },
  ...inLanguages({ name: "iab", site: "iab" }, ["en", "ar"]),
  ...inLanguages({ name: "boxes", site: "shop", page: "boxes", act: restBanner }, ["en", "ar"]),
  { name: "boxes-narrow", site: "shop", page: "boxes", width: 320, act: restBanner },
  { name: "boxes-zoomed", site: "shop", page: "boxes", zoom: 2, act: restBanner },
  {
    name: "boxes-clay",
    site: "clay",
    page: "boxes",
    act: async (page) => {
      await restBanner(page);
      await page.getByText("Details").click();
    },
  },
  ...inLanguages(
    {
      name: "boxes-answered",
      site: "shop",
      page: "boxes",
      act: async (page) => {
        await restBanner(page);
        const box = page.locator("[data-avow^=processing]");
        await box.getByRole("button").last().click();
        await box.locator(".accepted").waitFor();
      },
    },
    ["en", "ar"],
  ),
  {
    name: "boxes-unsaved",
    site: "shop",
    page: "boxes",
    act: async (page) => {
      await restBanner(page);
      await page.route(/consents/, (route) =>
        route.fulfill({
          headers: { "access-control-allow-origin": "*" },
          json: Array.from({ length: 9 }, () => ({ status: 404 })),
        }),
      );
      await page.getByRole("button", { name: "I agree" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
];
