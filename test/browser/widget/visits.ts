import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { service } from "../../harness.ts";
import { type OpenPage, openPage } from "./browser.ts";
import { type LiveSite, type Shop, openShop, toPage } from "./site.ts";

const HEAR_MS_MAX = 30_000;
const SITE_AHEAD_MS = 1_000;

/** The policy that the widget needs: the pages of these tests allow nothing else. */
export const strictPolicy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types avow`;

/** A visitor on a page of a shop with the widget. */
export interface Visit extends OpenPage {
  shop: Shop;
  dialog: Locator;
  /** The button that reopens the choices. */
  launcher: Locator;
}

interface VisitOptions extends BrowserContextOptions {
  /** Attributes of the widget's script tag, such as `data-cookies="shop-en"`. */
  attributes?: string;
  body?: string;
  head?: string;
  lang?: string;
  policy?: string;
  path?: string;
  /** Other pages of the shop, by path. */
  pages?: Parameters<typeof openShop>[0];
  /** Called before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Opens a page of a shop; the test waits for the banner itself. */
export async function openVisit(
  { projectId }: Pick<LiveSite, "projectId">,
  { attributes, body, head, lang, policy, path, pages, prepare, ...options }: VisitOptions = {},
): Promise<Visit> {
  const html = toPage(projectId, {
    body: body ?? "<main><h1>Shop</h1></main>",
    ...(attributes === undefined ? {} : { attributes }),
    ...(head === undefined ? {} : { head }),
    ...(lang === undefined ? {} : { lang }),
  });
  const shop = await openShop({ [path ?? "/"]: html, ...pages }, policy ?? strictPolicy);
  const opened = await openPage(options);
  const { page } = opened;
  await prepare?.(page);
  await page.goto(shop.url + (path ?? "/"));
  return {
    ...opened,
    shop,
    dialog: page.getByRole("dialog"),
    launcher: page.locator("avow-widget button.icon"),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

/** A consent as the service returns it. */
export interface Consent {
  consentId: string;
  token: string;
  accept: boolean;
  grade: string;
  preferences: { vendors: Record<string, boolean> };
  [field: string]: unknown;
}

const SAVED = "saved: ";

/** Presses a button of the banner, and returns the record that the service answers. */
export async function press({ page, dialog }: Visit, name: string): Promise<Consent> {
  // By the widget's own event, since a response's body is lost when the page is left.
  const saved = page.waitForEvent("console", (message) => message.text().startsWith(SAVED));
  await page.evaluate(`document.addEventListener(
    "avow:saved",
    ({ detail }) => console.log(${JSON.stringify(SAVED)} + JSON.stringify(detail.consent)),
    { once: true },
  )`);
  await dialog.getByRole("button", { name, exact: true }).click();
  return JSON.parse((await saved).text().slice(SAVED.length));
}

/** The records of a token, newest first. */
export async function readHistory(site: LiveSite, token: string): Promise<Consent[]> {
  const at = `/v1/client/${site.projectId}/consents/${token}`;
  const { status, body } = await service.fetch(at, { token: site.token });
  assert.equal(status, 200, JSON.stringify(body));
  return body.history;
}

/** Number of posts of answers. */
export function countPosts({ requests }: Pick<OpenPage, "requests">): number {
  return requests.filter((one) => /^POST .*\/v1\/app\/consents\//.test(one)).length;
}

/**
 * Stops the page's clock, so that a slow machine does not exceed the widget's timeouts: time only passes by
 * `page.clock.runFor()`.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + SITE_AHEAD_MS);
}

/** The accepted vendors, as the page's own scripts see them. */
export function readVendors(page: Page): Promise<Record<string, boolean>> {
  return page.evaluate("avow.vendors");
}

/** The JSON in a cookie; undefined without the cookie. */
export async function readMemory(
  page: Page,
  name = "axeptio_cookies",
): Promise<Record<string, unknown> | undefined> {
  const found = (await page.context().cookies()).find((one) => one.name === name);
  return found && JSON.parse(decodeURIComponent(found.value));
}

/** Waits for the next event of the widget; returns its detail. */
export async function waitForWidgetEvent(
  page: Page,
  name: string,
): Promise<Record<string, unknown> | null> {
  const heard = page.evaluate<Record<string, unknown> | null>(`new Promise((resolve) =>
    document.addEventListener("avow:${name}", ({ detail }) => resolve(detail), { once: true }))`);
  const late = delay(HEAR_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error(`The page did not emit avow:${name} in time.`);
  });
  return Promise.race([heard, late]);
}

/** Presses a button of the banner, and waits for the widget's answer when the post cannot be sent. */
export async function pressUnsent({ page, dialog }: Visit, name: string): Promise<void> {
  const kept = waitForWidgetEvent(page, "kept");
  await dialog.getByRole("button", { name, exact: true }).click();
  await kept;
}

/**
 * Asserts that a record was displayed, answered and recorded in this order, and after `before` (ms since
 * 1970).
 */
export function assertTimes(record: Consent | undefined, before: number): void {
  const times = ["displayedAt", "timestamp", "createdAt"].map((name) =>
    Date.parse(String(record?.[name])),
  );
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    "shown, answered, recorded",
  );
  for (const time of times) assert.ok(time >= before - 1_000 && time <= Date.now() + 1_000);
}
