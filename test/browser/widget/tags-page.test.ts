import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page, Route } from "playwright-core";
import { service } from "../../harness.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { toPage } from "./site.ts";
import { scripts, snippets, toBlocked } from "./snippets.ts";
import {
  blockedPage,
  choose,
  countAll,
  once,
  press,
  reopen,
  settle,
  site,
  toShopPage,
  visit,
} from "./tag-visits.ts";

const NONCE = "bm9uY2U";
/**
 * Google's recommended policy (https://web.dev/articles/strict-csp), plus the hosts that the page's own tags
 * may reach.
 */
const strictPolicy = [
  `default-src 'none'; base-uri 'none'; script-src 'nonce-${NONCE}' 'strict-dynamic'`,
  `style-src 'unsafe-inline'; img-src *; frame-src *; connect-src *`,
].join("; ");
const trustedPolicy = [
  `default-src 'none'; script-src 'nonce-${NONCE}' ${service.url} https://lib.example`,
  `connect-src ${service.url} https:; img-src https:`,
  `require-trusted-types-for 'script'; trusted-types avow`,
].join("; ");

/** The commands to Google's and Microsoft's tags, in order, with the granted signals. */
function readCommands(page: Page): Promise<string[]> {
  return page.evaluate(`dataLayer.filter((entry) => entry[0]).map(([command, kind, signals]) =>
    command === "consent"
      ? [kind, ...Object.keys(signals).filter((name) => signals[name] === "granted")].join(" ")
      : command)`);
}

/** Scripts that record their run; each waits for those before it. */
const ordered = [
  `<script>ran = ["first"]</script>`,
  `<script src="https://lib.example/slow.js"></script>`,
  `<script>ran.push("after slow")</script>`,
  `<script defer src="https://lib.example/deferred.js"></script>`,
  `<script src="https://lib.example/missing.js"></script>`,
  `<script src="https://lib.example/quick.js"></script>`,
  `<script>ran.push("after quick")</script>`,
];
const inOrder = ["first", "slow.js", "after slow", "quick.js", "after quick"];

/** Serves the scripts of `ordered`; the slow one only after `quick.js` was requested. */
function toLibrary(): (route: Route) => Promise<void> {
  const quick = Promise.withResolvers<void>();
  return async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === "quick.js") quick.resolve();
    if (name === "slow.js") await quick.promise;
    if (name === "missing.js") return route.abort();
    await route.fulfill({ contentType: "text/javascript", body: `ran.push("${name}")` });
  };
}

describe("accepted tags", { skip }, () => {
  it("run in the order of the page, also after slow or missing scripts", async () => {
    const html = ordered.map((tag) => toBlocked({ vendor: "hotjar", html: tag })).join("\n");
    await using visited = await visit(toPage(site.projectId, { head: html }));
    const { page } = visited;
    await page.route("https://lib.example/*", toLibrary());
    await press(page, "Accept all");
    await waitUntilTrue(page, "ran.includes('after quick') && ran.includes('deferred.js')");
    const ran: string[] = await page.evaluate("ran");
    const started = ran.filter((name) => name !== "deferred.js");
    assert.deepEqual(started, inOrder);
  });

  it("run under a policy of nonces, except tags without one", async () => {
    const smuggled = {
      vendor: "hotjar",
      html: `<script src="https://smuggled.example/"></script>`,
    };
    const html = toShopPage((snippet) => toBlocked(snippet, NONCE), {
      attributes: `nonce="${NONCE}"`,
      body: toBlocked(smuggled),
    });
    await using visited = await visit(html, { policy: strictPolicy });
    const { page, third, faults } = visited;
    await third.assertNone("before an answer");
    await press(page, "Accept all");
    await settle(page, NONCE);
    assert.deepEqual(countAll(third), once(snippets));
    assert.equal(third.count("https://smuggled.example/"), 0);
    assert.deepEqual(faults, []);
  });

  it("run under Trusted Types, by nonce, by URL, and as modules", async () => {
    const head = [
      `<script nonce="${NONCE}">ran = ["inline"]</script>`,
      `<script nonce="${NONCE}" src="https://lib.example/by-address.js"></script>`,
    ].map((tag) => toBlocked({ vendor: "hotjar", html: tag }));
    const named = `type="text/plain" data-avow-vendor="hotjar" nonce="${NONCE}"`;
    head.push(
      `<script ${named} data-src="https://lib.example/by-data-src.js"></script>`,
      `<script ${named} data-type="module">ran.push("module " + typeof import.meta.url)</script>`,
      `<script ${named} data-type="application/json" id="data">{"kept":true}</script>`,
    );
    await using visited = await visit(toPage(site.projectId, { head: head.join("\n") }), {
      policy: trustedPolicy,
    });
    const { page, faults } = visited;
    await page.route("https://lib.example/*", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: `ran.push("${new URL(route.request().url()).pathname}")`,
      }),
    );
    await press(page, "Accept all");
    await waitUntilTrue(page, "window.ran?.length === 4");
    const ran: string[] = await page.evaluate("ran");
    assert.deepEqual(
      ran.filter((name) => !name.startsWith("module")),
      ["inline", "/by-address.js", "/by-data-src.js"],
    );
    assert.ok(ran.includes("module string"));
    assert.equal(await page.locator("#data").textContent(), '{"kept":true}');
    assert.deepEqual(faults, []);
  });

  it("stop when they are withdrawn: the page reloads without them", async () => {
    await using visited = await visit(blockedPage);
    const { page, third } = visited;
    await press(page, "Accept all");
    await settle(page);
    assert.deepEqual(countAll(third), once(snippets));
    await reopen(page);
    third.requested.length = 0;
    await page.context().clearCookies({ name: /^by_/ });
    const reloaded = page.waitForEvent("load");
    await press(page, "Refuse all");
    await reloaded;
    await settle(page);
    await third.assertNone("after a withdrawal");
    await page.reload();
    await settle(page);
    await third.assertNone("on the next page");
  });

  it("do not stop when another vendor is withdrawn", async () => {
    await using visited = await visit(blockedPage);
    const { page, third } = visited;
    await choose(page, "hotjar", "matomo");
    await settle(page);
    await reopen(page);
    third.requested.length = 0;
    const reloaded = page.waitForEvent("load");
    await choose(page, "hotjar");
    await reloaded;
    await settle(page);
    assert.deepEqual(countAll(third), { matomo: 1 });
  });

  it("from Google get the denied default first, then the update, then start", async () => {
    await using visited = await visit(blockedPage);
    const { page } = visited;
    await choose(page, "google_analytics");
    await settle(page);
    const commands = await readCommands(page);
    assert.equal(commands[0], "default");
    assert.ok(commands.indexOf("update analytics_storage") < commands.indexOf("js"));
    assert.ok(commands.includes("update analytics_storage"), commands.join());
    assert.ok(!commands.some((command) => /ad_/.test(command)), commands.join());
    assert.equal(commands.at(-1), "config");
  });

  it("from Google that the page does not block get the denied default first, if the page asks for that", async () => {
    const [analytics] = scripts;
    const widget = `<script src="${service.url}/widget.js" data-project="${site.projectId}" data-consent-mode></script>`;
    const html = `<!doctype html><html lang="en"><head><title>Shop</title>${widget}${analytics?.html}</head><body></body></html>`;
    await using visited = await visit(html);
    const { page } = visited;
    await press(page, "Refuse all");
    await settle(page);
    const commands = await readCommands(page);
    assert.equal(commands[0], "default");
    assert.deepEqual(
      commands.filter((command) => /granted|_storage/.test(command)),
      [],
    );
    assert.equal(commands.at(-1), "update");
  });
});
