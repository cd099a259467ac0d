import assert from "node:assert/strict";
import type { Locator, Page, Route } from "playwright-core";
import { boxAt, openOrders, toForm } from "./box-sites.ts";
import type { LiveSite } from "./site.ts";
import { type Consent, type Visit, openVisit, strictPolicy } from "./visits.ts";

/** What answers are posted to. */
export const posts = /\/v1\/app\/consents\//;
const SITE_AHEAD_MS = 1_000;

type Wanted = NonNullable<Parameters<typeof openVisit>[1]>;

/** A visitor at a form of a shop. */
export interface Ordering extends Visit {
  /** What the shop's own server was sent, in order. */
  received: URLSearchParams[];
  order: () => Locator;
}

/**
 * Stops the page's clock, so that a slow machine does not end what the widget waits for: its time goes on
 * by `page.clock.runFor()` alone.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + SITE_AHEAD_MS);
}

/** Opens a shop's form around boxes at these places, in a page whose clock stands still, once they are there. */
export async function openOrder(
  site: Pick<LiveSite, "projectId">,
  places: readonly string[],
  { pages, policy = "", ...wanted }: Wanted = {},
): Promise<Ordering> {
  const orders = openOrders();
  const visit = await openVisit(site, {
    body: toForm(places.map((place) => `<div data-avow="${place}"></div>`).join("")),
    prepare: stopClock,
    ...wanted,
    policy: `${strictPolicy}; form-action 'self'; ${policy}`,
    pages: { "/order": orders.take, ...pages },
  });
  await whenOpen(visit, places);
  const { page } = visit;
  return {
    ...visit,
    received: orders.received,
    order: () => page.getByRole("button", { name: "Order now" }),
  };
}

/** Opens a page with boxes at these places, in no form, once they are there; its clock stands still. */
export async function openBoxes(
  site: Pick<LiveSite, "projectId">,
  places: readonly string[],
  wanted: Wanted = {},
): Promise<Visit> {
  const boxes = places.map((place) => `<div data-avow="${place}"></div>`).join("");
  const visit = await openVisit(site, {
    body: `<main><h1>Shop</h1>${boxes}</main>`,
    prepare: stopClock,
    ...wanted,
  });
  await whenOpen(visit, places);
  return visit;
}

async function whenOpen(visit: Visit, places: readonly string[]): Promise<void> {
  await using opened = new AsyncDisposableStack();
  opened.use(visit);
  for (const place of places) await boxAt(visit.page, place).locator("section").waitFor();
  opened.move();
}

/** Presses a button, or ticks, and answers what the service has recorded of it. */
export async function answerBy({ page }: Visit, control: Locator): Promise<Consent> {
  const saved = page.waitForResponse(posts);
  await control.click();
  const [consent] = await (await saved).json();
  return consent;
}

/** Answers what is posted next by a refusal of each. */
export async function refuseOnce(page: Page): Promise<void> {
  const headers = { "access-control-allow-origin": "*" };
  const json = [{ status: 404, detail: "No such box." }];
  await page.route(posts, (route) => route.fulfill({ headers, json }), { times: 1 });
}

/** Holds back the service's answers until they are let go; its own record is made by then. */
export async function holdAnswers(page: Page) {
  const held: Route[] = [];
  await page.route(posts, (route) => void held.push(route));
  return {
    held,
    /** Answers what the service has saved, and how many orders the shop had got by then. */
    letGo: async (received: readonly unknown[]) => {
      const [route] = held;
      assert.ok(route, "the service was sent an answer");
      const response = await route.fetch();
      const ordersBefore = received.length;
      const [consent] = await response.json();
      await route.fulfill({ response });
      return { consent, ordersBefore };
    },
  };
}
