import type { BrowserContextOptions, Page } from "playwright-core";
import { service } from "../../harness.ts";
import { openPage } from "./browser.ts";
import { newLiveSite, openShop, toPage } from "./site.ts";
import { type Snippet, embeds, scripts, snippets, toBlocked } from "./snippets.ts";
import { type ThirdParties, openThirdParties } from "./third-parties.ts";

/** A project that asks visitors about every third party of `snippets`. */
export const site = await newLiveSite({
  cookies: [
    {
      name: "shop-en",
      language: "en",
      isDefault: true,
      googleConsentMode: { display: true },
      steps: [
        {
          name: "partners",
          layout: "category",
          title: "Cookies",
          vendors: [
            ...snippets.map(({ vendor, signals }) => ({
              name: vendor,
              title: vendor,
              ...(signals ? { googleConsentMode: signals } : {}),
            })),
            { name: "shop", title: "Shop", required: true },
          ],
        },
      ],
    },
  ],
});

/** A page of a shop with these tags, followed by `head` and `body`. */
export function toShopPage(
  toHtml: (snippet: Snippet) => string,
  { head = "", body = "", attributes = "" } = {},
): string {
  return toPage(site.projectId, {
    attributes,
    head: scripts.map(toHtml).join("\n") + head,
    body: `<h1>Shop</h1>${embeds.map(toHtml).join("\n")}${body}`,
  });
}

/** All snippets, blocked for the widget. */
export const blockedPage = toShopPage((snippet) => toBlocked(snippet));

export interface TagVisit extends AsyncDisposable {
  page: Page;
  url: string;
  third: ThirdParties;
  faults: string[];
}

interface VisitOptions extends BrowserContextOptions {
  /** The page's content security policy. */
  policy?: string;
  /** The document at `https://frame.example/`. */
  intruder?: string;
  /** Called before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Visits a shop's page whose third parties are simulated. */
export async function visit(
  html: string,
  { policy, intruder, prepare, ...options }: VisitOptions = {},
): Promise<TagVisit> {
  const opened = new AsyncDisposableStack();
  const shop = opened.use(await openShop({ "/": html }, policy));
  const { page, faults } = opened.use(await openPage(options));
  const third = await openThirdParties(page.context(), shop.url, service.url);
  if (intruder !== undefined)
    await page.route("https://frame.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: intruder }),
    );
  await prepare?.(page);
  await page.goto(shop.url);
  return {
    page,
    third,
    faults,
    url: shop.url,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Resolves when the widget has processed the current page and no request is pending. */
export async function settle(page: Page, nonce = ""): Promise<void> {
  await waitForScan(page, nonce);
  await page.waitForLoadState("networkidle");
}

/**
 * Resolves when the widget has processed the current page: adds a blocked tag of the site's own, which needs
 * no answer, and waits until it has run.
 */
export async function waitForScan(page: Page, nonce = ""): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const script = document.createElement("script");
    script.type = "text/plain";
    script.dataset.avowVendor = "shop";
    script.nonce = "${nonce}";
    script.text = 'dispatchEvent(new Event("sentinel"))';
    addEventListener("sentinel", () => resolve(), { once: true });
    document.body.append(script);
  })`);
}

/** Answers by a button of the banner, and waits until the service has stored it. */
export async function press(page: Page, name: string): Promise<void> {
  const saved = page.waitForResponse(/\/v1\/app\/consents\//);
  await page.getByRole("dialog").getByRole("button", { name }).click();
  await saved;
}

/** Toggles vendors' switches, and saves. */
export async function choose(page: Page, ...vendors: string[]): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.locator(".vendors").first().waitFor({ state: "attached" });
  // Long lists of vendors are closed.
  for (const list of await dialog.locator(".list:not([open]) > summary").all()) await list.click();
  for (const name of vendors) await dialog.getByRole("switch", { name, exact: true }).click();
  await press(page, "Save my choices");
}

export const reopen = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Cookie settings" }).click();

/** Number of first requests of each vendor, without vendors that made none. */
export function countAll(third: ThirdParties): Record<string, number> {
  const counts = snippets.map(({ vendor, address }) => [vendor, third.count(address)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

export const once = (vendors: readonly Pick<Snippet, "vendor">[]): Record<string, number> =>
  Object.fromEntries(vendors.map(({ vendor }) => [vendor, 1]));
