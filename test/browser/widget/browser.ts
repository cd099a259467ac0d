import { text } from "node:stream/consumers";
import {
  type Browser,
  type BrowserContextOptions,
  type Download,
  type Page,
  type Request,
  chromium,
} from "playwright-core";
import { executablePath } from "../../runner/browser.ts";
import { poll } from "../../poll.ts";
import { keepOpen } from "../../resources.ts";

const url = process.env["TEST_BROWSER_URL"];
/** A machine may be ten times slower than ours. */
const WAIT_MS_MAX = 60_000;
// These tests must not be skipped in CI, which installs a browser.
const isRequired = process.env["BROWSER_TESTS"] === "required";

/** The reason to skip tests in a browser; false to run them. */
export const skip =
  isRequired || url !== undefined ? false : `no browser at ${executablePath} (CHROMIUM_PATH)`;

let browser: Promise<Browser> | undefined;

/** The browser of the run, which all workers share. */
export function openBrowser(): Promise<Browser> {
  browser ??= connect();
  return browser;
}

async function connect(): Promise<Browser> {
  if (url === undefined) throw new Error(`There is no browser at ${executablePath}.`);
  const connected = await chromium.connect(url);
  keepOpen(connected);
  return connected;
}

/** A page in its own profile. */
export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** The console's errors and warnings, and uncaught errors: tests expect none. */
  faults: string[];
  /** Every request, in order: `POST https://…`. */
  requests: string[];
  /** The URLs of the current page's requests that have no complete answer yet. */
  listPending: () => string[];
}

/** Opens an empty page for an English visitor on a desktop, unless `options` differ. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await (await openBrowser()).newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  const pending = new Set<Request>();
  page.on("request", (sent) => {
    // A navigation aborts the requests of the page before.
    if (sent.isNavigationRequest() && sent.frame() === page.mainFrame()) pending.clear();
    pending.add(sent);
    requests.push(`${sent.method()} ${sent.url()}`);
  });
  page.on("requestfinished", (sent) => pending.delete(sent));
  page.on("requestfailed", (sent) => pending.delete(sent));
  const listPending = () => [...pending].map((sent) => sent.url());
  return { page, faults, requests, listPending, [Symbol.asyncDispose]: () => context.close() };
}

/** The text of a downloaded file. */
export async function readDownload(download: Promise<Download>): Promise<string> {
  return text(await (await download).createReadStream());
}

/**
 * Waits until an expression is true in the page. Playwright's own `waitForFunction` evaluates strings from a
 * script of the page. A policy without 'unsafe-eval' rejects that, but only from the second evaluation on.
 */
export async function waitUntilTrue(page: Page, expression: string): Promise<void> {
  const toMessage = () => `Timed out waiting for: ${expression}`;
  const read = () => isTrue(page, expression);
  await poll({ read, isRight: Boolean, waitMs: WAIT_MS_MAX, toMessage });
}

async function isTrue(page: Page, expression: string): Promise<boolean> {
  try {
    return await page.evaluate<boolean>(`Boolean(${expression})`);
  } catch (error) {
    // The page navigated during the evaluation.
    if (String(error).includes("Execution context was destroyed")) return false;
    throw error;
  }
}
