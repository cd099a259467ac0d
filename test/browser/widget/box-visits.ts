import assert from "node:assert/strict";
import type { Locator, Page, Route } from "playwright-core";
import { boxAt, openOrders, toForm } from "./box-sites.ts";
import type { LiveSite } from "./site.ts";
import { type Consent, type Visit, openVisit, stopClock, strictPolicy } from "./visits.ts";

/** The URL that answers are posted to. */
export const posts = /\/v1\/app\/consents\//;

type VisitOptions = NonNullable<Parameters<typeof openVisit>[1]>;

/** A visitor at an HTML form of a shop. */
export interface OrderVisit extends Visit {
  /** The orders that the shop's own server received. */
  received: URLSearchParams[];
  order: () => Locator;
}

/**
 * Opens a shop's HTML form with these placeholders, on a page with a stopped clock, and waits for the boxes.
 */
export async function openOrder(
  site: Pick<LiveSite, "projectId">,
  places: readonly string[],
  { pages, policy = "", ...options }: VisitOptions = {},
): Promise<OrderVisit> {
  const orders = openOrders();
  const visit = await openVisit(site, {
    body: toForm(places.map((place) => `<div data-avow="${place}"></div>`).join("")),
    prepare: stopClock,
    ...options,
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

/**
 * Opens a page with these placeholders outside any HTML form, with a stopped clock, and waits for the boxes.
 */
export async function openBoxes(
  site: Pick<LiveSite, "projectId">,
  places: readonly string[],
  options: VisitOptions = {},
): Promise<Visit> {
  const boxes = places.map((place) => `<div data-avow="${place}"></div>`).join("");
  const visit = await openVisit(site, {
    body: `<main><h1>Shop</h1>${boxes}</main>`,
    prepare: stopClock,
    ...options,
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

/** Clicks a button or checkbox, and returns the record that the service answers. */
export async function answerBy({ page }: Visit, control: Locator): Promise<Consent> {
  const saved = page.waitForResponse(posts);
  await control.click();
  const [consent] = await (await saved).json();
  return consent;
}

/** Makes the service reject the next post. */
export async function refuseOnce(page: Page): Promise<void> {
  const headers = { "access-control-allow-origin": "*" };
  const json = [{ status: 404, detail: "No such box." }];
  await page.route(posts, (route) => route.fulfill({ headers, json }), { times: 1 });
}

/** Holds back the service's answers until `letGo`; each record is stored by then. */
export async function holdAnswers(page: Page) {
  const held: Route[] = [];
  await page.route(posts, (route) => void held.push(route));
  return {
    held,
    /** Releases the first answer; returns the record, and the number of orders before it. */
    letGo: async (received: readonly unknown[]) => {
      const [route] = held;
      assert.ok(route, "an answer was posted");
      const response = await route.fetch();
      const ordersBefore = received.length;
      const [consent] = await response.json();
      await route.fulfill({ response });
      return { consent, ordersBefore };
    },
  };
}
