import assert from "node:assert/strict";
import type { BrowserContext, Route } from "playwright-core";

/** The simulated third parties of a page: each answers, sets cookies and calls further hosts. */
export interface ThirdParties {
  /** Every URL requested from a third party, in order. */
  requested: string[];
  /** Number of requests with this prefix. */
  count: (address: string) => number;
  /**
   * Asserts that no third party got a request, and that only the site's own cookies exist. @throws
   * AssertionError
   */
  assertNone: (when: string) => Promise<void>;
}

/** The widget's cookies; all others belong to third parties. */
const own = /^axeptio_/;

/**
 * Answers for every host but `sites`: a script sets a cookie on the page and calls two more hosts, a document
 * does the same in its frame, and everything sets a cookie by header. So an unblocked tag is detected by
 * request and by cookie.
 */
export async function openThirdParties(
  context: BrowserContext,
  ...sites: string[]
): Promise<ThirdParties> {
  const hosts = new Set(sites.map((url) => new URL(url).host));
  const isThird = (url: URL): boolean => /^https?:$/.test(url.protocol) && !hosts.has(url.host);
  const requested: string[] = [];
  // Counted at the request: a failed answer does not hide it.
  context.on("request", (request) => {
    if (isThird(new URL(request.url()))) requested.push(request.url());
  });
  await context.route(isThird, answer);
  return {
    requested,
    count: (address) => requested.filter((url) => url.startsWith(address)).length,
    async assertNone(when) {
      assert.deepEqual(requested, [], `${when}: requests`);
      const names = (await context.cookies()).map(({ name, domain }) => `${name} of ${domain}`);
      assert.deepEqual(
        names.filter((name) => !own.test(name)),
        [],
        `${when}: cookies`,
      );
    },
  };
}

async function answer(route: Route): Promise<void> {
  const request = route.request();
  const { host } = new URL(request.url());
  const name = host.replaceAll(".", "_");
  const track = `document.cookie = "by_script_${name}=1; path=/";
    new Image().src = "https://collect.${host}/hit?page=" + encodeURIComponent(location.href);
    void fetch("https://partner.example/sync?of=${host}", { mode: "no-cors" });`;
  const types: Record<string, [type: string, body: string]> = {
    script: ["text/javascript", `(window.ran ??= []).push("${request.url()}"); ${track}`],
    document: ["text/html", `<!doctype html><title>${host}</title><script>${track}</script>`],
  };
  const [type, body] = types[request.resourceType()] ?? ["image/svg+xml", "<svg/>"];
  await route.fulfill({
    status: 200,
    contentType: type,
    headers: { "set-cookie": `by_header_${name}=1; Path=/; Secure; SameSite=None` },
    body,
  });
}
