import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { poll } from "../../poll.ts";
import { publishAndWait } from "../../interface/publishing.ts";
import {
  allCalls,
  heldSnippets,
  neededCalls,
  readCalls,
  site,
  toBlockLines,
  toBlockedPage,
  toSnippetPage,
  visitBlocked,
} from "./block-visits.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite, toPage } from "./site.ts";
import { type TagVisit, choose, press, reopen, settle, waitForScan } from "./tag-visits.ts";

/** The first requests of each vendor's snippet, without vendors that made none. */
function countHeld({ third }: TagVisit): Record<string, number> {
  const counts = heldSnippets.map(({ vendor, address }) => [vendor, third.count(address)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Requests of third parties, without those of the vendor that needs no consent. */
function listHeld({ third }: TagVisit): string[] {
  return third.requested.filter((url) => !url.startsWith("https://js.stripe.com/"));
}

const RUN_MS_MAX = 30_000;
const onceEach = Object.fromEntries(heldSnippets.map(({ vendor }) => [vendor, 1]));
/** Chromium's remark on the snippet of Vimeo. */
const remark = "Allow attribute will take precedence over 'allowfullscreen'.";
const listFaults = ({ faults }: TagVisit): string[] => faults.filter((one) => one !== remark);
const beacon = "https://region1.google-analytics.com/g/collect";

/**
 * Waits until these vendors have made their first requests, and these calls are recorded. Not for an idle network, which
 * Chromium does not always report when a frame was navigated.
 */
async function assertRan(
  visited: TagVisit,
  counts: Record<string, number>,
  calls: readonly string[],
): Promise<void> {
  const { page } = visited;
  const read = async () => ({ counts: countHeld(visited), calls: await readCalls(page) });
  const expected = { counts, calls };
  await poll({
    read,
    isRight: (one) => isDeepStrictEqual(one, expected),
    waitMs: RUN_MS_MAX,
    toMessage: (one) => `ran: ${JSON.stringify(one)}`,
  });
  // Nothing runs a second time.
  await waitForScan(page);
  assert.deepEqual(await read(), expected);
}

async function assertHeld(visited: TagVisit, when: string): Promise<void> {
  await settle(visited.page);
  assert.deepEqual(listHeld(visited), [], `${when}: requests`);
  assert.deepEqual(await readCalls(visited.page), neededCalls, `${when}: calls`);
}

describe("snippets on a page that blocks automatically", { skip }, () => {
  it("run at once on the same page without the script or without its attribute", async () => {
    const inactive = toBlockLines(site).replace(' data-block="auto"', "");
    for (const lines of ["", inactive]) {
      await using visited = await visitBlocked(toSnippetPage(lines));
      await assertRan(visited, onceEach, allCalls);
    }
  });

  it("request nothing before an answer, after Refuse and on later pages", async () => {
    await using visited = await visitBlocked(toSnippetPage());
    const { page, third } = visited;
    await assertHeld(visited, "before");
    await press(page, "Refuse all");
    await assertHeld(visited, "refused");
    await page.goto(visited.url);
    await assertHeld(visited, "later page");
    assert.equal(third.count("https://js.stripe.com/"), 2, "once a page");
    assert.deepEqual(listFaults(visited), []);
  });

  it("run once each after Accept, and on later pages", async () => {
    await using visited = await visitBlocked(toSnippetPage());
    const { page, third } = visited;
    await press(page, "Accept all");
    await assertRan(visited, onceEach, allCalls);
    assert.equal(third.count(beacon), 1);
    await page.goto(visited.url);
    const twiceEach = Object.fromEntries(heldSnippets.map(({ vendor }) => [vendor, 2]));
    await assertRan(visited, twiceEach, allCalls);
    assert.equal(third.count(beacon), 2);
    assert.deepEqual(listFaults(visited), []);
  });

  it("run only for the chosen vendors, and stop with a new page after a withdrawal", async () => {
    await using visited = await visitBlocked(toSnippetPage());
    const { page } = visited;
    await choose(page, "hotjar", "vimeo");
    const hotjar = "hotjar 1234567";
    await assertRan(visited, { hotjar: 1, vimeo: 1 }, [hotjar, ...neededCalls]);
    await reopen(page);
    const reloaded = page.waitForEvent("load");
    await choose(page, "hotjar", "google_maps");
    await reloaded;
    await waitForScan(page);
    assert.deepEqual(await readCalls(page), neededCalls);
    assert.equal(countHeld(visited)["hotjar"], 1);
  });

  it("follow the events of a widget without a global", async () => {
    const hidden = `<script>Object.defineProperty(window, "avow", { set() {} })</script>`;
    await using visited = await visitBlocked(toSnippetPage(hidden + toBlockLines(site)));
    const { page } = visited;
    await assertHeld(visited, "before");
    await press(page, "Accept all");
    await assertRan(visited, onceEach, allCalls);
  });

  it("do not run without the meta tag either, though the browser may request them", async () => {
    const lines = toBlockLines(site).replace(/<meta[^>]*>/, "");
    await using visited = await visitBlocked(toSnippetPage(lines));
    await settle(visited.page);
    assert.deepEqual(await readCalls(visited.page), neededCalls);
  });

  it("stay held when the widget cannot be loaded", async () => {
    await using visited = await visitBlocked(toSnippetPage(), {
      prepare: (page) => page.route("**/widget.js", (route) => route.abort()),
    });
    await visited.page.waitForLoadState("networkidle");
    assert.deepEqual(listHeld(visited), []);
    assert.deepEqual(await readCalls(visited.page), neededCalls);
  });
});

/** Waits until the page's scripts have recorded `count` runs; returns them. */
async function readRuns(page: Page, count: number): Promise<string[]> {
  await waitUntilTrue(page, `(window.runs ?? []).length >= ${count}`);
  await settle(page);
  return page.evaluate("window.runs");
}

/** Serves `https://lib.example/NAME.js`, which records its name; `slow` only after `quick` was requested. */
async function serveLibrary(page: Page): Promise<void> {
  const quick = Promise.withResolvers<void>();
  await page.context().route("https://lib.example/*.js", async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1, -3);
    if (name === "quick") quick.resolve();
    if (name === "slow") await quick.promise;
    await route.fulfill({ contentType: "text/javascript", body: `runs.push("${name}")` });
  });
}

/** Waits until exactly these files of `https://lib.example` were requested, in any order. */
async function assertSent({ page, third }: TagVisit, names: readonly string[]): Promise<void> {
  const expected = names.map((name) => `https://lib.example/${name}`).toSorted();
  const read = () => third.requested.filter((url) => url.startsWith("https://lib.example/"));
  await poll({
    read,
    isRight: ({ length }) => length >= expected.length,
    waitMs: RUN_MS_MAX,
    toMessage: (urls) => `sent: ${urls.join(" ")}`,
  });
  await waitForScan(page);
  assert.deepEqual(read().toSorted(), expected);
}

describe("held tags", { skip }, () => {
  it("run in the order of the page with the inline scripts that need them", async () => {
    const head = `<script>runs = []</script>
<script src="https://lib.example/slow.js"></script>
<script>runs.push("after slow")</script>
<script>runs.push("own")</script>
<script src="https://lib.example/quick.js"></script>
<script data-avow-vendor="">runs.push("excepted")</script>
<script type="text/plain" data-avow-vendor="lib">runs.push("marked")</script>`;
    await using visited = await visitBlocked(toBlockedPage({ head }), { prepare: serveLibrary });
    const { page } = visited;
    await settle(page);
    assert.deepEqual(await page.evaluate("runs"), ["own", "excepted"]);
    await press(page, "Accept all");
    assert.deepEqual(await readRuns(page, 6), [
      "own",
      "excepted",
      "slow",
      "after slow",
      "quick",
      "marked",
    ]);
    assert.deepEqual(listFaults(visited), []);
  });

  it("keep the identity and listeners of scripts that a script creates", async () => {
    const body = `<script>
runs = [];
function add(name, set) {
  const script = document.createElement("script");
  script.async = false;
  script.onload = () => runs.push("loaded " + name);
  set(script, "https://lib.example/" + name + ".js");
  document.head.append(script);
  return script;
}
first = add("slow", (script, src) => (script.src = src));
second = add("quick", (script, src) => script.setAttribute("SRC", src));
later = document.createElement("script");
later.src = "https://lib.example/later.js";
</script>`;
    await using visited = await visitBlocked(toBlockedPage({ body }), { prepare: serveLibrary });
    const { page } = visited;
    await settle(page);
    const address = "[first.src, second.src, later.src, first instanceof HTMLScriptElement]";
    const expected = ["slow", "quick", "later"].map((name) => `https://lib.example/${name}.js`);
    assert.deepEqual(await page.evaluate(address), [...expected, true]);
    assert.deepEqual(listHeld(visited), []);
    await press(page, "Accept all");
    const runs = ["slow", "loaded slow", "quick", "loaded quick"];
    assert.deepEqual(await readRuns(page, 4), runs);
    assert.deepEqual(await page.evaluate("[first.isConnected, first.src]"), [true, expected[0]]);
    await page.evaluate("document.head.append(later)");
    assert.deepEqual(await readRuns(page, 5), [...runs, "later"]);
    // Now that the vendor is accepted, nothing waits.
    await page.evaluate(`add("direct", (script, src) => (script.src = src)).src`);
    assert.deepEqual((await readRuns(page, 7)).slice(5), ["direct", "loaded direct"]);
  });

  it("send requests of the page's own scripts once they may, each once and in order", async () => {
    const body = `<div id="place"></div><script>
results = [];
const at = (name) => "https://lib.example/" + name;
results.push(navigator.sendBeacon(at("beacon"), "x"));
new Image().src = at("pixel");
fetch(at("fetch"), { mode: "no-cors" }).then(() => results.push("fetched"));
fetch(new Request(at("request"), { mode: "no-cors" })).then(() => results.push("requested"));
const cancel = new AbortController();
fetch(at("cancelled"), { signal: cancel.signal }).catch(({ name }) => results.push(name));
cancel.abort();
const xhr = new XMLHttpRequest();
xhr.open("POST", at("xhr"));
xhr.send("body");
const stopped = new XMLHttpRequest();
stopped.open("GET", at("stopped"));
stopped.send();
stopped.abort();
const sync = new XMLHttpRequest();
sync.open("GET", at("sync"), false);
try { sync.send(); } catch ({ name }) { results.push(name); }
place.innerHTML = '<p><iframe title="Frame" src="https://lib.example/frame"></iframe></p>';
place.insertAdjacentHTML("beforeend", '<img alt="" src="https://lib.example/inserted"><img alt="" src="/own.svg"><script src="https://lib.example/inert.js"><\\/script>');
fetch("/own").then(() => results.push("own"));
</script>`;
    await using visited = await visitBlocked(toBlockedPage({ body }));
    const { page } = visited;
    await waitUntilTrue(page, "results.includes('own')");
    await settle(page);
    assert.deepEqual(listHeld(visited), []);
    assert.equal(await page.evaluate("place.querySelector('[src$=svg]').complete"), true);
    assert.deepEqual(await page.evaluate("results"), [true, "NetworkError", "AbortError", "own"]);
    await press(page, "Accept all");
    await waitUntilTrue(page, "results.includes('fetched') && results.includes('requested')");
    const names = ["frame", "inserted", "beacon", "pixel", "fetch", "request", "xhr"];
    await assertSent(visited, names);
  });

  it("follow a changed address of an element", async () => {
    await using visited = await visitBlocked(
      toBlockedPage({
        body: `<iframe id="frame" title="Frame" loading="lazy" src="https://lib.example/one"></iframe>`,
      }),
    );
    const { page } = visited;
    await settle(page);
    await page.evaluate(`frame.src = "https://lib.example/two"`);
    await page.evaluate(`frame.src = "about:blank#own"`);
    assert.equal(await page.evaluate("frame.src"), "about:blank#own");
    await page.evaluate(`frame.setAttribute("src", "https://lib.example/three")`);
    assert.equal(await page.evaluate("frame.src"), "https://lib.example/three");
    await press(page, "Accept all");
    await assertSent(visited, ["three"]);
  });

  it("run on a page with nonces and Trusted Types", async () => {
    const nonce = "bm9uY2U";
    const policy = [
      `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; img-src *; frame-src *`,
      `connect-src *; require-trusted-types-for 'script'; trusted-types avow`,
    ].join("; ");
    const lines = toBlockLines(site).replace("<script ", `<script nonce="${nonce}" `);
    const head = `${lines}<script nonce="${nonce}">runs = []</script>
<script nonce="${nonce}" src="https://lib.example/nonce.js"></script>
<script nonce="${nonce}">runs.push("inline")</script>
<script src="https://lib.example/injected.js"></script>`;
    const html = toPage(site.projectId, { head, attributes: `nonce="${nonce}"` });
    await using visited = await visitBlocked(html, { policy, prepare: serveLibrary });
    const { page } = visited;
    await press(page, "Accept all");
    await waitUntilTrue(page, "runs.length === 2");
    await page.waitForLoadState("networkidle");
    assert.deepEqual(await page.evaluate("runs"), ["nonce", "inline"]);
    assert.equal(visited.third.count("https://lib.example/injected.js"), 0);
  });
});

describe("the script that blocks automatically", { skip }, () => {
  it("is published for each environment, and follows its hosts", async () => {
    const toCookies = (hosts: string[]) => ({
      name: "shop-en",
      language: "en",
      isDefault: true,
      steps: [
        {
          name: "partners",
          layout: "category",
          title: "Cookies",
          vendors: [{ name: "lib", title: "lib", hosts }],
        },
      ],
    });
    const other = await newLiveSite({ cookies: [toCookies(["lib.example"])] });
    const read = async (suffix: string): Promise<string | number> => {
      const answer = await fetch(`${service.url}/cdn/${other.projectId}${suffix}.block.js`);
      return answer.ok ? answer.text() : answer.status;
    };
    assert.match(String(await read("")), /\["lib\.example","lib"\]/);
    assert.equal(await read(".staging"), 404);
    const [id = ""] = other.cookies;
    const change = async (hosts: string[]): Promise<void> => {
      const { status } = await service.fetch(`/v1/vault/cookies/${id}`, {
        method: "PUT",
        token: other.token,
        json: { projectId: other.projectId, ...toCookies(hosts) },
      });
      assert.equal(status, 200);
    };
    await change(["*.lib.example"]);
    await publishAndWait(other.token, other.projectId, { force: true, environment: "staging" });
    assert.match(String(await read(".staging")), /\["\*\.lib\.example","lib"\]/);

    const lines = toBlockLines(other, ".staging");
    const html = toPage(other.projectId, {
      head: `${lines}<script>runs = []</script><script src="https://cdn.lib.example/tag.js"></script>`,
      attributes: `data-environment="staging"`,
    });
    await using visited = await visitBlocked(html);
    const { page, third } = visited;
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(third.requested, []);
    await press(page, "Accept all");
    await waitUntilTrue(page, "window.ran?.length === 1");

    await change([]);
    await other.publish();
    assert.equal(await read(""), 404);
  });
});
