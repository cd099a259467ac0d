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
const WAIT_MS_MAX = 30_000;
// CI that installed a browser does not let these tests skip.
const isRequired = process.env["BROWSER_TESTS"] === "required";

/** Why tests in a browser are left out; false where they are not. */
export const skip =
  isRequired || url !== undefined
    ? false
    : `there is no browser at ${executablePath} (CHROMIUM_PATH)`;

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

/** A page in a profile of its own. */
export interface Opened extends AsyncDisposable {
  page: Page;
  /** Errors and warnings of the console, and what was thrown: none is expected. */
  faults: string[];
  /** Every request, in order: `POST https://…`. */
  requests: string[];
  /** The addresses of those of the page that is there that have no whole answer yet. */
  listPending: () => string[];
}

/** Opens an empty page as a visitor has it: English, a desktop, unless `options` say otherwise. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Opened> {
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
    // What a page asked for is given up when another one is gone to.
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
 * Waits until an expression is true in the page. Playwright's own `waitForFunction` evaluates
 * strings from a script of the page, which a policy without 'unsafe-eval' refuses from the second
 * look on: it fails only where the first look comes too early.
 */
export async function waitUntilSo(page: Page, expression: string): Promise<void> {
  const toMessage = () => `It did not come to be: ${expression}`;
  const read = () => isSo(page, expression);
  await poll({ read, isRight: Boolean, waitMs: WAIT_MS_MAX, toMessage });
}

async function isSo(page: Page, expression: string): Promise<boolean> {
  try {
    return await page.evaluate<boolean>(`Boolean(${expression})`);
  } catch (error) {
    // The page went on to another while it was asked.
    if (String(error).includes("Execution context was destroyed")) return false;
    throw error;
  }
}
