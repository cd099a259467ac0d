import type { Page, Route } from "playwright-core";

/** How the service answers: not yet, with its own failure, or not at all. */
export type Network = "slow" | "broken" | "gone";

/** Requests of the app's frame, which always succeed, like after a navigation between screens. */
const known = /^\/v1\/(?:auth\/me|client\/[0-9a-f]{24}|vault\/projects\/[0-9a-f]{24}\/users)$/;

const failure = {
  type: "https://avow.example/problems/internal",
  title: "Internal error",
  status: 500,
  detail: "An unexpected error occurred.",
};

const answers: Record<Network, (route: Route) => Promise<void>> = {
  // Never answered, so that the app keeps waiting.
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

/** Has a page's questions to the service answered so, but for those of the frame around its screens. */
export async function setNetwork(page: Page, network: Network): Promise<void> {
  await page.route(isAsked, answers[network]);
}

/** Has them answered by the service again. */
export async function restoreNetwork(page: Page): Promise<void> {
  await page.unroute(isAsked);
}

function isAsked({ pathname }: URL): boolean {
  return /^\/(?:v1|log)\//.test(pathname) && !known.test(pathname);
}
