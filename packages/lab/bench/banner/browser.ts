import { type Browser, chromium } from "playwright-core";
import { type Exchange, listen } from "./traffic.ts";
import { type BannerMeasures, watch } from "./watch.ts";

const VISIBLE_TIMEOUT_MS = 30_000;
/** After nothing is on its way any more. */
const MISSING_MS = 3_000;

/** A load of a page with an empty cache. */
export interface Load extends BannerMeasures {
  /** In order, the page first. */
  exchanges: Exchange[];
}

/**
 * Starts Chromium (CHROMIUM_PATH, by default Debian's), which resolves only this machine: any other request of a banner
 * fails immediately, and is reported.
 */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      // Some banners do not show where a browser says that a program drives it.
      "--disable-blink-features=AutomationControlled",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}

/**
 * Loads a page in a new profile until its banner is visible and nothing is on its way any more, on a
 * processor slowed down `slowdown` times. @throws Error where no banner shows in 30 seconds, unless
 * `mayBeMissing`
 */
export async function load(
  browser: Browser,
  url: string,
  { slowdown = 1, mayBeMissing = false } = {},
): Promise<Load> {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1_280, height: 720 },
  });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const exchanges = await listen(session);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: "networkidle" });
    const visible = page.waitForFunction("seenBanner.shownMs > 0", undefined, {
      timeout: mayBeMissing ? MISSING_MS : VISIBLE_TIMEOUT_MS,
    });
    await visible.catch((error: unknown) => {
      if (!mayBeMissing) throw new Error(`No banner shows at ${url}.`, { cause: error });
    });
    await page.waitForLoadState("networkidle");
    const seen: BannerMeasures = await page.evaluate("seenBanner");
    return { ...seen, exchanges };
  } finally {
    await context.close();
  }
}
