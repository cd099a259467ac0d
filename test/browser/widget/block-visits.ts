import type { Page, Route } from "playwright-core";
import { service } from "../../harness.ts";
import { type LiveSite, newLiveSite, toPage } from "./site.ts";
import { type Snippet, embeds, scripts } from "./snippets.ts";
import { type TagVisit, visit } from "./tag-visits.ts";

/** A snippet; frames and images of the page are lazy and visible, as the documentation asks for. */
const find = (vendor: string): Snippet => {
  const found = [...scripts, ...embeds].find((one) => one.vendor === vendor);
  if (!found) throw new Error(`no snippet of ${vendor}`);
  return {
    ...found,
    html: found.html
      .replace(/<(iframe|img) /g, `<$1 loading="lazy" `)
      .replace(' style="display:none;"', ""),
  };
};

/** Snippets of the vendors' documentation, verbatim, in the order of a page's head and body. */
const headSnippets: readonly Snippet[] = [
  find("google_analytics"),
  find("google_tag_manager"),
  find("meta_pixel"),
  find("hotjar"),
  {
    vendor: "hubspot",
    // The page of these tests is not encrypted.
    address: "http://js.hs-scripts.com/1234567.js",
    html: `<!-- Start of HubSpot Embed Code -->
<script type="text/javascript" id="hs-script-loader" async defer src="//js.hs-scripts.com/1234567.js"></script>
<!-- End of HubSpot Embed Code -->`,
  },
  {
    vendor: "stripe",
    address: "https://js.stripe.com/v3/",
    html: `<script src="https://js.stripe.com/v3/"></script>
<script>var stripe = Stripe('pk_test_TYooMQauvdEDq54NiTphI7jx');</script>`,
  },
];
const bodySnippets: readonly Snippet[] = [
  find("youtube"),
  find("google_maps"),
  {
    vendor: "vimeo",
    address: "https://player.vimeo.com/video/76979871",
    html: `<iframe loading="lazy" src="https://player.vimeo.com/video/76979871?h=8272103f6e" width="640" height="360" frameborder="0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`,
  },
  {
    vendor: "hubspot_forms",
    address: "http://js.hsforms.net/forms/embed/v2.js",
    html: `<script charset="utf-8" type="text/javascript" src="//js.hsforms.net/forms/embed/v2.js"></script>
<script>
  hbspt.forms.create({
    region: "na1",
    portalId: "1234567",
    formId: "0f6bd2a1-5c3e-4d8e-9c41-6d9b7a1c2e3f"
  });
</script>`,
  },
  find("pinterest"),
];

/** The tags of the page that need consent. */
export const heldSnippets = [...headSnippets, ...bodySnippets].filter(
  ({ vendor }) => vendor !== "stripe",
);

const hosts: Record<string, string[]> = {
  google_analytics: ["www.googletagmanager.com/gtag/", "*.google-analytics.com"],
  google_tag_manager: ["www.googletagmanager.com"],
  meta_pixel: ["connect.facebook.net", "*.facebook.com"],
  hotjar: ["*.hotjar.com", "*.hotjar.io"],
  hubspot: ["js.hs-scripts.com", "*.hs-analytics.net"],
  hubspot_forms: ["js.hsforms.net"],
  stripe: ["js.stripe.com", "*.stripe.com"],
  youtube: ["*.youtube.com", "*.youtube-nocookie.com"],
  google_maps: ["www.google.com/maps", "maps.googleapis.com"],
  vimeo: ["player.vimeo.com"],
  pinterest: ["*.pinterest.com"],
};

/** A project whose vendors have hosts; two of them are needed and not asked for. */
export const site = await newLiveSite({
  cookies: [
    {
      name: "shop-en",
      language: "en",
      isDefault: true,
      steps: [
        {
          name: "partners",
          layout: "category",
          title: "Cookies",
          vendors: [
            ...Object.entries(hosts).map(([name, addresses]) => ({
              name,
              title: name,
              hosts: addresses,
              ...(name === "stripe" && { required: true }),
            })),
            { name: "lib", title: "lib", hosts: ["lib.example"] },
            { name: "shop", title: "Shop", required: true },
          ],
        },
      ],
    },
  ],
});

/** The lines of the documentation that turn blocking on. */
export function toBlockLines({ projectId }: Pick<LiveSite, "projectId">, suffix = ""): string {
  return `<meta http-equiv="Content-Security-Policy" content="">
<script src="${service.url}/cdn/${projectId}${suffix}.block.js" data-block="auto"></script>`;
}

/** A page of a shop with the vendors' tags as they are; `lines` come first. */
export function toSnippetPage(lines = toBlockLines(site)): string {
  const toHtml = ({ html }: Snippet): string => html;
  return toPage(site.projectId, {
    head: `${lines}\n${headSnippets.map(toHtml).join("\n")}`,
    body: `<h1>Shop</h1>${bodySnippets.map(toHtml).join("\n")}`,
  });
}

/** A page of a shop that blocks automatically. */
export function toBlockedPage({ head = "", body = "" }, attributes = ""): string {
  return toPage(site.projectId, { head: toBlockLines(site) + head, body, attributes });
}

/** Scripts of vendors, which record their calls as the real ones act on them. */
const standIns: Record<string, string> = {
  "https://www.googletagmanager.com/gtag/js": `for (const { 0: command, 1: id } of dataLayer)
    if (command === "config") {
      calls.push("gtag " + id);
      navigator.sendBeacon("https://region1.google-analytics.com/g/collect?tid=" + id);
    }`,
  "https://www.googletagmanager.com/gtm.js": `calls.push("gtm " + dataLayer.some((one) => one["gtm.start"]));`,
  "https://connect.facebook.net/en_US/fbevents.js": `for (const one of fbq.queue) calls.push("fbq " + [...one].join(" "));`,
  "https://static.hotjar.com/": `calls.push("hotjar " + _hjSettings.hjid);`,
  "http://js.hs-scripts.com/": `calls.push(document.currentScript.id);`,
  "http://js.hsforms.net/": `window.hbspt = { forms: { create: ({ formId }) => calls.push("form " + formId.slice(0, 4)) } };`,
  "https://js.stripe.com/": `window.Stripe = (key) => calls.push("stripe " + key.slice(0, 7));`,
};
/** All calls after the acceptance of all vendors. */
export const allCalls = [
  "fbq init 1234567890123456",
  "fbq track PageView",
  "form 0f6b",
  "gtag G-ABCDE12345",
  "gtm true",
  "hotjar 1234567",
  "hs-script-loader",
  "stripe pk_test",
];
export const neededCalls = ["stripe pk_test"];

/** Visits a page whose third parties record their calls in `calls`. */
export async function visitBlocked(
  html: string,
  options: Parameters<typeof visit>[1] = {},
): Promise<TagVisit> {
  return visit(html, {
    ...options,
    prepare: async (page) => {
      await options.prepare?.(page);
      for (const [address, body] of Object.entries(standIns))
        await page.context().route(`${address}**`, (route: Route) =>
          route.fulfill({
            contentType: "text/javascript",
            body: `(window.calls ??= []); ${body}`,
          }),
        );
    },
  });
}

export async function readCalls(page: Page): Promise<string[]> {
  return ((await page.evaluate<string[] | undefined>("window.calls")) ?? []).toSorted();
}
