/** The texts of every banner: the same shop, two categories, four vendors. */
export const texts = {
  title: "A word about cookies",
  message:
    "We make pots, not profiles. The shop works without the services below: they stay off until you say yes, and you can change your mind on this page at any time.",
  accept: "Accept all",
  refuse: "Refuse all",
  choose: "Let me choose",
  save: "Save my choices",
  close: "Close",
};

interface Vendor {
  name: string;
  title: string;
  text: string;
  /** Its name in tarteaucitron, and the required ids. */
  tarteaucitron: { name: string; ids: Readonly<Record<string, string>> };
}

export interface Category {
  name: string;
  title: string;
  text: string;
  vendors: readonly Vendor[];
}

export const categories: readonly Category[] = [
  {
    name: "analytics",
    title: "Knowing what is useful",
    text: "Which pages help, and which ones nobody reads.",
    vendors: [
      {
        name: "google_analytics",
        title: "Google Analytics",
        text: "Measures which pages are visited and how visitors found the shop.",
        tarteaucitron: { name: "gtag", ids: { gtagUa: "G-ABCDE12345" } },
      },
      {
        name: "hotjar",
        title: "Hotjar",
        text: "Records clicks and scrolling, without what you type, to show us where a page confuses.",
        tarteaucitron: { name: "hotjar", ids: { hotjarId: "1234567", HotjarSv: "6" } },
      },
    ],
  },
  {
    name: "advertising",
    title: "Being found",
    text: "Whether our advertisements bring anyone here.",
    vendors: [
      {
        name: "meta_pixel",
        title: "Meta Pixel",
        text: "Shares with Facebook and Instagram which of our products you viewed or bought.",
        tarteaucitron: { name: "facebookpixel", ids: { facebookpixelId: "1234567890123456" } },
      },
      {
        name: "google_ads",
        title: "Google Ads",
        text: "Measures whether a Google advertisement led to a purchase.",
        tarteaucitron: { name: "googleads", ids: { googleadsId: "AW-123456789" } },
      },
    ],
  },
];

/** The page of all banners; `head` and `body` are the lines of a banner. */
export function toPage({ head = "", body = "" }): string {
  const goods = Array.from(
    { length: 24 },
    (_, at) => `<li><h2>Bowl ${at + 1}</h2><p>Stoneware, wood ash glaze, ${20 + at} €.</p></li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Hearth &amp; Clay</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
${head}</head><body>
<div id="shop"><h1>Hearth &amp; Clay</h1><ul>${goods.join("\n")}</ul></div>
${body}</body></html>`;
}
