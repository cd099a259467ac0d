import type { Page, Route } from "playwright-core";

/** The behaviour of the service: it is slow, returns errors, or is unreachable. */
export type Network = "slow" | "broken" | "gone";

/** Requests of the layout around screens. They always succeed, as after a navigation between screens. */
const known = /^\/v1\/(?:auth\/me|client\/[0-9a-f]{24}|vault\/projects\/[0-9a-f]{24}\/users)$/;

const failure = {
  type: "https://avow.example/problems/internal",
  title: "Internal error",
  status: 500,
  detail: "An unexpected error occurred.",
};

const answers: Record<Network, (route: Route) => Promise<void>> = {
  // Never responds, so that the app keeps waiting.
  slow: () => Promise.resolve(),
  broken: (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      headers: { "x-request-id": "7f3a9c20d1e84b65" },
      body: JSON.stringify(failure),
    }),
  gone: (route) => route.abort(),
};

/** Intercepts a page's requests to the service, except those of the layout around screens. */
export async function setNetwork(page: Page, network: Network): Promise<void> {
  await page.route(isAsked, answers[network]);
}

/** Removes the interception. */
export async function restoreNetwork(page: Page): Promise<void> {
  await page.unroute(isAsked);
}

function isAsked({ pathname }: URL): boolean {
  return /^\/(?:v1|log)\//.test(pathname) && !known.test(pathname);
}
