import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { poll } from "../../poll.ts";
import { findViolations } from "./axe.ts";
import { toBlockLines } from "./block-visits.ts";
import { skip, waitUntilTrue } from "./browser.ts";
import { type LiveSite, newLiveSite, toPage } from "./site.ts";
import { type TagVisit, press, visit, waitForScan } from "./tag-visits.ts";
import { readHistory } from "./visits.ts";

const WAIT_MS_MAX = 30_000;
const video = "https://player.vimeo.com/video/1";
const otherVideo = "https://player.vimeo.com/video/2";
const map = "https://www.google.com/maps/embed?pb=1";

const toCookies = (change: Record<string, unknown> = {}, hasHosts = true) => ({
  name: "shop",
  language: "en",
  isDefault: true,
  steps: [
    {
      name: "partners",
      layout: "category",
      title: "Cookies",
      vendors: [
        {
          name: "vimeo",
          title: "Vimeo",
          policyUrl: "https://vimeo.com/privacy",
          ...(hasHosts && { hosts: ["player.vimeo.com"] }),
        },
        {
          name: "google_maps",
          title: "Google Maps",
          ...(hasHosts && { hosts: ["www.google.com/maps"] }),
        },
        { name: "shop", title: "Shop", required: true },
      ],
    },
  ],
  ...change,
});

const site = await newLiveSite({
  project: { colors: { main: "#0a7d4f" } },
  cookies: [toCookies()],
});

const toFrame = (address: string, attributes = `width="560" height="315"`): string =>
  `<iframe loading="lazy" ${attributes} title="Our film" src="${address}"></iframe>`;
const toMarked = (address: string, attributes = `width="560" height="315"`): string =>
  `<iframe data-avow-vendor="vimeo" ${attributes} title="Our film" data-src="${address}"></iframe>`;

/** A frame of 16:9 in a wrapper, as many sites have them. */
const toWrapped = (address: string): string =>
  `<div class="wrap" style="position: relative; padding-bottom: 56.25%">
${toFrame(address, `style="position: absolute; inset: 0; width: 100%; height: 100%; border: 0"`)}</div>`;

interface EmbedOptions extends NonNullable<Parameters<typeof visit>[1]> {
  of?: LiveSite;
  head?: string;
  lang?: string;
}

/** Visits a page with these frames that blocks automatically. */
function visitFrames(body: string, options: EmbedOptions = {}): Promise<TagVisit> {
  const { of = site, head = toBlockLines(of), lang = "en", ...rest } = options;
  const html = toPage(of.projectId, {
    head,
    lang,
    attributes: "data-manual",
    body: `<main><h1>Shop</h1>${body}</main>`,
  });
  return visit(html, rest);
}

const listPlaceholders = (page: Page): Locator =>
  page.getByRole("group", { name: /^Content from/ });
const placeholderOf = (page: Page, vendor: string): Locator =>
  page.getByRole("group", { name: `Content from ${vendor}` });

/** Waits until a frame has loaded, and the widget has processed the page. */
async function waitForRequest({ page, third }: TagVisit, address: string): Promise<void> {
  await poll({
    read: () => third.count(address),
    isRight: Boolean,
    waitMs: WAIT_MS_MAX,
    toMessage: () => `no request to ${address}`,
  });
  await waitForScan(page);
}

describe("placeholders of frames", { skip }, () => {
  it("take the place of frames that wait, without a request", async () => {
    await using visited = await visitFrames(
      `<p>Above</p>${toFrame(video)}<div style="width: 400px">${toFrame(map, `style="width: 100%; height: 300px"`)}</div><p>Below</p>`,
    );
    const { page, third } = visited;
    await placeholderOf(page, "Google Maps").waitFor();
    assert.equal(await listPlaceholders(page).count(), 2);
    const sizes = await page.evaluate(`[...document.querySelectorAll("main avow-widget")].map(
      (host) => [host.offsetWidth, host.offsetHeight])`);
    // A frame without a width of 100 % has a border of two pixels.
    assert.deepEqual(sizes, [
      [564, 319],
      [400, 304],
    ]);
    const text = await placeholderOf(page, "Vimeo").innerText();
    assert.match(text, /Our film\n+Vimeo receives your IP address/);
    assert.match(text, /Load once\n+Always allow Vimeo/);
    assert.equal(
      await placeholderOf(page, "Vimeo")
        .getByRole("link", { name: "Privacy policy" })
        .getAttribute("href"),
      "https://vimeo.com/privacy",
    );
    assert.deepEqual(third.requested, []);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(visited.faults, []);
  });

  it("load one frame once, without an answer", async () => {
    await using visited = await visitFrames(toFrame(video) + toFrame(otherVideo));
    const { page, third, url } = visited;
    const posts: string[] = [];
    page.on("request", (one) => one.method() === "POST" && posts.push(one.url()));
    await placeholderOf(page, "Vimeo").nth(1).getByRole("button", { name: "Load once" }).click();
    await waitForRequest(visited, otherVideo);
    assert.equal(third.count(video), 0);
    assert.equal(await listPlaceholders(page).count(), 1);
    assert.equal(await page.evaluate("document.activeElement.src"), otherVideo);
    assert.equal(await page.evaluate("getComputedStyle(document.activeElement).display"), "inline");
    assert.deepEqual(posts, []);
    assert.deepEqual(await page.evaluate("avow.vendors"), {
      vimeo: false,
      google_maps: false,
      shop: true,
    });
    await page.goto(url);
    await placeholderOf(page, "Vimeo").nth(1).waitFor();
    assert.equal(third.count(otherVideo), 1);
  });

  it("record the answer for one vendor, and load all of its frames", async () => {
    await using visited = await visitFrames(toFrame(video) + toFrame(map) + toMarked(otherVideo));
    const { page, third, url } = visited;
    const saved = page.waitForResponse(/\/v1\/app\/consents\//);
    const button = placeholderOf(page, "Vimeo")
      .first()
      .getByRole("button", { name: /^Always/ });
    await button.focus();
    await page.keyboard.press("Enter");
    await saved;
    await waitForRequest(visited, video);
    await waitForRequest(visited, otherVideo);
    assert.deepEqual([third.count(video), third.count(otherVideo), third.count(map)], [1, 1, 0]);
    assert.equal(await listPlaceholders(page).count(), 1);
    assert.equal(await page.evaluate("document.activeElement.src"), video);
    const token: string = await page.evaluate("avow.token");
    const [record] = await readHistory(site, token);
    assert.deepEqual(record?.preferences.vendors, { vimeo: true });
    await page.goto(url);
    await placeholderOf(page, "Google Maps").waitFor();
    await poll({
      read: () => third.count(video),
      isRight: (count) => count === 2,
      waitMs: WAIT_MS_MAX,
      toMessage: (count) => `${count} requests to ${video}`,
    });
    // The banner still asks for the others.
    await page.evaluate("avow.open()");
    const reloaded = page.waitForEvent("load");
    await press(page, "Refuse all");
    await reloaded;
    await placeholderOf(page, "Vimeo").first().waitFor();
  });

  it("show a preview of the site itself, and none of another host", async () => {
    const toPreview = (address: string): string =>
      toMarked(video, `width="560" height="315" data-preview="${address}"`);
    await using visited = await visitFrames(
      toPreview("/film.svg") + toPreview("https://i.vimeocdn.com/1.jpg"),
      { head: "" },
    );
    const { page, third } = visited;
    await placeholderOf(page, "Vimeo").nth(1).waitFor();
    const pictures = page.locator("main avow-widget img");
    assert.equal(await pictures.count(), 1);
    assert.equal(await pictures.getAttribute("src"), `${visited.url}/film.svg`);
    assert.deepEqual(third.requested, []);
  });

  it("are only where they can be seen", async () => {
    const body = `<div id="tab" hidden>${toFrame(video)}</div>
<iframe src="https://player.vimeo.com/video/3" width="1" height="1" title="Pixel" loading="lazy"></iframe>
${toFrame(map)}`;
    await using visited = await visitFrames(body);
    const { page } = visited;
    await placeholderOf(page, "Google Maps").waitFor();
    assert.equal(await page.locator("main avow-widget").count(), 1);
    await page.evaluate("tab.hidden = false");
    await placeholderOf(page, "Vimeo").waitFor();
    await page.evaluate("tab.remove()");
    await placeholderOf(page, "Vimeo").waitFor({ state: "detached" });
  });

  it("follow the setting of the configuration", async () => {
    const off = await newLiveSite({ cookies: [toCookies({ settings: { placeholders: false } })] });
    const on = await newLiveSite({
      cookies: [toCookies({ settings: { placeholders: true } }, false)],
    });
    await using without = await visitFrames(toFrame(video), { of: off });
    await waitUntilTrue(
      without.page,
      "document.querySelector('iframe[data-src]') && avow.vendors.shop",
    );
    await without.page.waitForLoadState("networkidle");
    assert.equal(await without.page.locator("main avow-widget").count(), 0);
    await using shown = await visitFrames(toMarked(video), { of: on, head: "" });
    await placeholderOf(shown.page, "Vimeo").waitFor();
  });

  it("fit narrow pages and small frames in every language", async () => {
    const languages = ["en", "fr", "de", "es", "it", "nl", "ar"];
    const all = await newLiveSite({
      cookies: languages.map((language) =>
        toCookies({ name: `shop-${language}`, language, isDefault: language === "en" }),
      ),
    });
    for (const lang of languages) {
      await using visited = await visitFrames(
        toFrame(video) + toFrame(map, `width="120" height="90"`) + toWrapped(video),
        { of: all, lang, viewport: { width: 320, height: 640 } },
      );
      const { page } = visited;
      await page.locator("main avow-widget").nth(2).waitFor();
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, lang);
      const overflowing = await page.evaluate(`[...document.querySelectorAll("main avow-widget")]
        .filter((host) => !host.closest(".wrap"))
        .filter((host) => host.scrollWidth > host.clientWidth || host.scrollHeight > host.clientHeight)
        .length`);
      assert.equal(overflowing, 0, lang);
      // A frame that fills a wrapper cannot grow: its buttons stay visible.
      const hidden = await page.evaluate(`[...document.querySelector(".wrap avow-widget").shadowRoot
        .querySelectorAll("button")].filter((button) => button.getBoundingClientRect().bottom >
          document.querySelector(".wrap").getBoundingClientRect().bottom).length`);
      assert.equal(hidden, 0, lang);
      const text = await page.locator("main avow-widget").first().innerText();
      assert.doesNotMatch(text, /embed|\{/, lang);
      assert.deepEqual(await findViolations(page), [], lang);
    }
  });
});
