import type { Page } from "playwright-core";
import { type ScannedPage, limitsOfRecord } from "../record/result.ts";
import { toPageAddress } from "../record/sites.ts";
import { within } from "./within.ts";

/** How long a page may stay busy after it has loaded: tags often start late. */
const QUIET_MS = 3_000;
const SETTLE_MS = 1_000;
/** Time beyond the timeout of a page, after which it counts as hanging. */
const GRACE_MS = 1_000;
const LINKS_MAX = 500;

/** Files that are no pages. */
const filePattern =
  /\.(?:pdf|zip|gz|jpe?g|png|gif|webp|avif|svg|ico|css|js|mjs|json|xml|rss|txt|mp[34]|webm|docx?|xlsx?|pptx?|exe|dmg|apk)$/i;
/** Links that would change something, or leave a session. */
const actionPattern = /log-?out|sign-?out|delete|unsubscribe|add-to-cart|remove/i;

export interface Visited {
  page: ScannedPage;
  /** Pages of the same origin that it links to, without fragments. */
  links: string[];
}

/** Opens a page, scrolls through it, and waits until its tags have run. Never throws for a page that fails. */
export async function visitPage(
  page: Page,
  url: string,
  { timeoutMs, origin }: { timeoutMs: number; origin: string },
): Promise<Visited> {
  const failed = (error: string): Visited => ({
    page: { url: toPageAddress(url), status: null, error },
    links: [],
  });
  return within(timeoutMs + GRACE_MS, visit(), failed("timeout"));

  async function visit(): Promise<Visited> {
    const deadline = performance.now() + timeoutMs;
    const left = (ms: number): number => Math.max(1, Math.min(ms, deadline - performance.now()));
    try {
      const response = await page.goto(url, { waitUntil: "load", timeout: timeoutMs });
      await settle(page, left);
      const hrefs = await page
        .locator("a[href]")
        .evaluateAll(
          (all, max) => all.slice(0, max).map((one) => (one as unknown as { href: string }).href),
          LINKS_MAX,
        );
      return {
        page: { url: toPageAddress(url), status: response?.status() ?? null },
        links: hrefs.flatMap((href) => toLink(href, origin)),
      };
    } catch (error) {
      return failed(toPageError(error));
    }
  }
}

/** Lets the page's tags run: those that wait for a scroll, for images, or for some time. */
export async function settle(page: Page, left: (ms: number) => number): Promise<void> {
  await within(
    left(SETTLE_MS),
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)"),
    undefined,
  );
  await page.waitForLoadState("networkidle", { timeout: left(QUIET_MS) }).catch(() => undefined);
  await page.waitForTimeout(left(SETTLE_MS));
}

function toLink(href: string, origin: string): string[] {
  const url = URL.parse(href);
  if (!url || url.origin !== origin) return [];
  if (filePattern.test(url.pathname) || actionPattern.test(url.pathname + url.search)) return [];
  url.hash = "";
  return [url.href];
}

function toPageError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, code] = /(net::[A-Z_]+)/.exec(text) ?? [];
  if (code !== undefined) return code;
  return /timeout/i.test(text)
    ? "timeout"
    : (text.split("\n")[0] ?? "").slice(0, limitsOfRecord.text);
}
