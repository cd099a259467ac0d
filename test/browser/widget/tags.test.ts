import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { skip } from "./browser.ts";
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

/** For each snippet with a global property: whether it is set. */
async function readGlobals(page: Page): Promise<Record<string, boolean>> {
  const names = scripts.map(({ vendor, leaves = "" }) => [vendor, leaves]);
  return await page.evaluate(
    `Object.fromEntries(${JSON.stringify(names)}.map(([vendor, name]) => [vendor, name in window]))`,
  );
}

/** A frame of another origin that tries every way to reach into the page. */
const intruder = `<!doctype html><title>Intruder</title><script>
  const vendors = ${JSON.stringify(Object.fromEntries(snippets.map(({ vendor }) => [vendor, true])))};
  const attempts = {
    choices: () => JSON.stringify(parent.avow.vendors),
    cookies: () => parent.document.cookie,
    own: () => document.cookie,
    answer: () => parent.avow.answer(vendors),
    event: () => parent.dispatchEvent(new CustomEvent("avow:answered", { detail: { vendors } })),
    message: () => {
      const detail = { vendors, token: "intruder" };
      for (const type of ["answer", "answered", "avow", "avow:answered", "consent"])
        parent.postMessage({ type, avow: type, event: type, detail, ...detail }, "*");
      return "sent";
    },
  };
  const attempt = () => Object.fromEntries(Object.entries(attempts).map(([name, run]) => {
    try { return [name, String(run())]; } catch (error) { return [name, error.name]; }
  }));
  const tried = attempt();
</script>`;

describe("third-party tags", { skip }, () => {
  it("are detected by these tests when nothing blocks them: each sends requests and sets cookies", async () => {
    await using visited = await visit(toShopPage(({ html }) => html));
    const { page, third } = visited;
    await settle(page);
    assert.deepEqual(countAll(third), once(snippets));
    assert.ok(third.count("https://partner.example/sync") >= scripts.length);
    assert.ok(third.count("https://collect.connect.facebook.net/hit") > 0);
    await assert.rejects(third.assertNone("nothing is blocked"), /requests/);
    const cookies = (await page.context().cookies()).map(({ name }) => name);
    for (const name of ["by_script_connect_facebook_net", "by_header_ct_pinterest_com"])
      assert.ok(cookies.includes(name), `no ${name} in ${cookies.join(", ")}`);
  });

  it("request and set nothing before an answer, after Escape, after Refuse and on later pages", async () => {
    await using visited = await visit(blockedPage);
    const { page, third, faults } = visited;
    await page.getByRole("dialog").waitFor();
    await settle(page);
    await third.assertNone("before an answer");
    await page.getByRole("dialog").getByRole("heading").press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await settle(page);
    await third.assertNone("after Escape");
    await page.reload();
    await press(page, "Refuse all");
    await settle(page);
    await third.assertNone("after Refuse");
    await page.reload();
    await page.getByRole("button", { name: "Cookie settings" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await settle(page);
    await third.assertNone("on the page after Refuse");
    await reopen(page);
    await press(page, "Refuse all");
    await settle(page);
    await third.assertNone("after Refuse again");
    const left = await readGlobals(page);
    // The data layer exists for Google's consent mode, with "denied".
    assert.deepEqual(
      Object.keys(left).filter((vendor) => left[vendor]),
      ["google_tag_manager"],
    );
    assert.deepEqual(faults, []);
  });

  it("request nothing without scripts, or when the widget cannot be loaded", async () => {
    await using quiet = await visit(blockedPage, { javaScriptEnabled: false });
    await quiet.page.waitForLoadState("networkidle");
    await quiet.third.assertNone("without JavaScript");
    const broken = blockedPage.replace("/widget.js", "/no-widget.js");
    await using lost = await visit(broken);
    await lost.page.waitForLoadState("networkidle");
    await lost.third.assertNone("without the widget");
  });

  it("run after Accept, each once and in the order of the page, and on later pages", async () => {
    await using visited = await visit(blockedPage);
    const { page, third, faults } = visited;
    await press(page, "Accept all");
    await settle(page);
    assert.deepEqual(countAll(third), once(snippets));
    const left = await readGlobals(page);
    assert.deepEqual(new Set(Object.values(left)), new Set([true]), JSON.stringify(left));
    const pushed: string[] = await page.evaluate(
      "dataLayer.map((entry) => entry.event ?? `${entry[0]} ${entry[1]}`)",
    );
    const inline = pushed.filter((entry) => /^(config|event|gtm)/.test(entry));
    const expected = ["config G-ABCDE12345", "gtm.js", "config AW-123456789", "event conversion"];
    assert.deepEqual(inline, expected);
    // A vendor that is saved again has already run.
    await reopen(page);
    await press(page, "Save my choices");
    await settle(page);
    assert.deepEqual(countAll(third), once(snippets));
    third.requested.length = 0;
    await page.reload();
    await settle(page);
    assert.deepEqual(countAll(third), once(snippets));
    assert.deepEqual(faults, []);
  });

  it("run only for the chosen vendors, and for others once they are chosen", async () => {
    await using visited = await visit(blockedPage);
    const { page, third } = visited;
    await choose(page, "hotjar", "youtube");
    await settle(page);
    const chosen = once([{ vendor: "hotjar" }, { vendor: "youtube" }]);
    assert.deepEqual(countAll(third), chosen);
    const isOf = /^https:\/\/((collect\.)?(static\.hotjar|www\.youtube)\.com|partner\.example)\//;
    assert.deepEqual(
      third.requested.filter((url) => !isOf.test(url)),
      [],
    );
    await reopen(page);
    await choose(page, "matomo");
    await settle(page);
    assert.deepEqual(countAll(third), { ...chosen, matomo: 1 });
  });

  it("run although a policy of the page blocks a tag before them", async () => {
    const tags = `<script type="text/plain" data-avow-vendor="shop">document.title = "ran";</script>
      <img data-avow-vendor="shop" data-src="/counted.png" alt="">`;
    await using visited = await visit(
      toShopPage(() => "", { body: tags }),
      {
        policy: "require-trusted-types-for 'script'; trusted-types none-of-ours",
      },
    );
    const { page } = visited;
    await page.locator('img[src="/counted.png"]').waitFor({ state: "attached" });
    assert.notEqual(await page.title(), "ran");
  });

  it("need all of their vendors when they name several", async () => {
    const both = { vendor: "hotjar matomo", html: `<img alt="" src="https://both.example/p">` };
    await using visited = await visit(toPage(site.projectId, { body: toBlocked(both) }));
    const { page, third } = visited;
    await choose(page, "hotjar");
    await settle(page);
    await third.assertNone("one of two");
    await reopen(page);
    await choose(page, "matomo");
    await settle(page);
    assert.deepEqual(third.requested, ["https://both.example/p"]);
  });

  it("do not run for a vendor without an answer", async () => {
    const unknown = { vendor: "newcomer", html: `<img alt="" src="https://newcomer.example/p">` };
    await using visited = await visit(toPage(site.projectId, { body: toBlocked(unknown) }));
    await press(visited.page, "Accept all");
    await settle(visited.page);
    await visited.third.assertNone("a vendor without an answer");
  });

  it("wait when a script adds them later", async () => {
    await using visited = await visit(toPage(site.projectId));
    const { page, third } = visited;
    const add = (html: string): Promise<unknown> =>
      page.evaluate(`document.body.append(...new DOMParser()
        .parseFromString(${JSON.stringify(`<body>${html}`)}, "text/html").body.childNodes)`);
    const pixel = (vendor: string, at: string): string =>
      toBlocked({ vendor, html: `<img alt="" src="https://${vendor}.example/${at}">` });
    await add(pixel("hotjar", "early") + pixel("matomo", "early"));
    await choose(page, "hotjar");
    await add(pixel("hotjar", "late") + pixel("matomo", "late"));
    await settle(page);
    assert.deepEqual(third.requested, [
      "https://hotjar.example/early",
      "https://hotjar.example/late",
    ]);
    await reopen(page);
    await choose(page, "matomo");
    await settle(page);
    const matomo = third.requested.filter((url) => url.includes("matomo"));
    assert.deepEqual(matomo, ["https://matomo.example/early", "https://matomo.example/late"]);
  });

  it("in a frame can neither read nor change the visitor's choices", async () => {
    const frame = "https://frame.example/";
    const body = `<iframe src="${frame}" title="A frame"></iframe>`;
    await using visited = await visit(toPage(site.projectId, { body }), { intruder });
    const { page, third } = visited;
    const inside = page.frames().find((one) => one.url() === frame);
    const tried: Record<string, string> = await (inside?.evaluate("tried") ?? {});
    const [read, cookies, ...others] = Object.keys(tried);
    assert.deepEqual([read, cookies, others.length], ["choices", "cookies", 4]);
    for (const [name, what] of Object.entries(tried))
      assert.match(what, /^(SecurityError|sent|)$/, name);
    await settle(page);
    await page.getByRole("dialog").waitFor();
    const accepted = "Object.values(avow.vendors).filter(Boolean).length";
    assert.equal(await page.evaluate(accepted), 1);
    await press(page, "Refuse all");
    await inside?.evaluate("attempt()");
    await settle(page);
    assert.equal(await page.evaluate(accepted), 1);
    assert.deepEqual(third.requested, [frame]);
  });
});
