import assert from "node:assert/strict";
import type { BrowserContext, Route } from "playwright-core";

/** The third parties of a page, each of which answers, sets cookies and calls others, as they do. */
export interface ThirdParties {
  /** Every address that was asked for at a third party, in order. */
  asked: string[];
  /** How many requests began like this. */
  count: (address: string) => number;
  /** Nothing was asked of a third party, and no cookie is there but the site's own. @throws AssertionError */
  assertNone: (when: string) => Promise<void>;
}

/** Cookies of the widget; every other one is somebody else's. */
const own = /^axeptio_/;

/**
 * Answers for every host but `sites`: a script sets a cookie on the page and calls on two more hosts, a
 * document does the same in its frame, everything sets a cookie by header. So whatever gets through is
 * seen by request and by cookie.
 */
export async function openThirdParties(
  context: BrowserContext,
  ...sites: string[]
): Promise<ThirdParties> {
  const hosts = new Set(sites.map((url) => new URL(url).host));
  const isThird = (url: URL): boolean => /^https?:$/.test(url.protocol) && !hosts.has(url.host);
  const asked: string[] = [];
  // Counted where the browser asks: an answer that fails does not hide a request.
  context.on("request", (request) => {
    if (isThird(new URL(request.url()))) asked.push(request.url());
  });
  await context.route(isThird, answer);
  return {
    asked,
    count: (address) => asked.filter((url) => url.startsWith(address)).length,
    async assertNone(when) {
      assert.deepEqual(asked, [], `${when}: requests`);
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
