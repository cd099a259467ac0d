import { type Browser, chromium } from "playwright-core";
import { type Exchange, listen } from "./traffic.ts";
import { type BannerMeasures, watch } from "./watch.ts";

const VISIBLE_TIMEOUT_MS = 30_000;
/** Time without network activity after which a load is complete. */
const MISSING_MS = 3_000;

/** A load of a page with an empty cache. */
export interface Load extends BannerMeasures {
  /** In the order of the requests, the page first. */
  exchanges: Exchange[];
}

/**
 * Starts Chromium (CHROMIUM_PATH, by default Debian's). It resolves only this machine: any other request of a banner
 * fails immediately and is reported.
 */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      // Some banners are hidden in a browser that reports automation.
      "--disable-blink-features=AutomationControlled",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}

/**
 * Loads a page in a new profile until its banner is visible and the network is idle, on a processor slowed
 * down `slowdown` times. @throws Error if no banner is visible within 30 seconds, unless `mayBeMissing`
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
