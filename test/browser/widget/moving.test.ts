import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { poll } from "../../poll.ts";
import { openPage, skip, waitUntilTrue } from "./browser.ts";
import { type OldTool, openOldTools } from "./old-tools.ts";
import { type LiveSite, newLiveSite, openShop, toPage } from "./site.ts";
import {
  type Consent,
  countPosts,
  openVisit,
  press,
  readHistory,
  readMemory,
  readVendors,
  strictPolicy,
} from "./visits.ts";

const DAY_MS = 86_400_000;

/** A site that asks for three vendors, of which another tool knew two. */
function newMovedSite(imports: object[], more: object = {}): Promise<LiveSite> {
  const vendors = ["matomo", "meta", "chat"].map((name) => ({ name, title: name }));
  const step = { name: "all", layout: "category", title: "Cookies", vendors };
  const cookies = { name: "shop-en", language: "en", isDefault: true, steps: [step], imports };
  return newLiveSite({ cookies: [{ ...cookies, ...more }] });
}

const tag = `<img data-avow-vendor="matomo" data-src="/matomo.png" alt="">`;

/** The record that the widget sent at its visit. */
async function readRecord(site: LiveSite, page: Page): Promise<Consent> {
  const read = async (): Promise<Consent | undefined> => {
    const token = (await readMemory(page))?.["$$token"];
    return typeof token === "string" ? (await readHistory(site, token))[0] : undefined;
  };
  const toMessage = () => "The widget recorded nothing.";
  const record = await poll({ read, isRight: Boolean, waitMs: 15_000, toMessage });
  assert.ok(record);
  return record;
}

function serveScript(text: string): Parameters<typeof openShop>[0][string] {
  return (_, response) => response.setHeader("content-type", "text/javascript").end(text);
}

/** Waits until the widget has decided what to ask. */
async function waitForReady(page: Page): Promise<void> {
  await waitUntilTrue(page, "window.avow");
  await page.evaluate("avow.ready");
}

describe("a site that moves from another consent tool", { skip }, async () => {
  const tools = skip === false ? await openOldTools() : new Map<string, OldTool>();
  for (const [name, tool] of tools)
    it(`adopts an answer to ${name}, records it as imported, and asks for the rest`, async () => {
      const site = await newMovedSite([tool.imports]);
      const scripts = [...tool.scripts].map(([path, text]) => [path, serveScript(text)] as const);
      const old = `<!doctype html><html lang="en"><title>Old</title><body><h1>Shop</h1>
        <script src="/tool.js"></script><script>${tool.start}</script>`;
      await using shop = await openShop({
        "/": toPage(site.projectId, { body: tag }),
        "/old": old,
        ...Object.fromEntries(scripts),
      });
      await using opened = await openPage();
      const { page, requests } = opened;
      const local = new RegExp(`^${shop.url}|^${service.url}`);
      await page.route(
        (url) => !local.test(url.href),
        (route) => route.abort(),
      );
      const before = Date.now();
      await page.goto(`${shop.url}/old`);
      await page.waitForLoadState("networkidle");
      await page.evaluate(`void (async () => { ${tool.answer} })()`);
      await page.waitForLoadState("networkidle");
      await page.goto(shop.url);
      await waitForReady(page);
      assert.deepEqual(await readVendors(page), { matomo: true, meta: false, chat: false });
      await page.locator('img[src="/matomo.png"]').waitFor({ state: "attached" });
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      const record = await readRecord(site, page);
      assert.equal(record.grade, "imported");
      const { vendors, imported } = record.preferences as Consent["preferences"] & {
        imported: { from: string; answeredAt?: string };
      };
      assert.deepEqual(vendors, { matomo: true, meta: false });
      assert.equal(imported.from, tool.imports.from);
      const { answeredAt = "" } = imported;
      const at = Date.parse(answeredAt);
      assert.equal(at >= before - 1_000 && at <= Date.now(), tool.hasTime, answeredAt);
      await page.reload();
      await waitForReady(page);
      await dialog.waitFor();
      assert.equal(countPosts({ requests }), 1, "it is recorded once");
    });
});

const ago = (days: number): number => Date.now() - days * DAY_MS;
const iso = (days: number): string => new Date(ago(days)).toISOString();
const encode = encodeURIComponent;

interface Stored {
  cookies?: Record<string, string>;
  local?: Record<string, string>;
}

/** The stored answers of closed tools, in the formats that `formats.test.ts` names the sources of. */
const closed: Readonly<
  Record<string, Stored & { categories: Record<string, string[]>; hasTime: boolean }>
> = {
  onetrust: {
    cookies: {
      OptanonConsent: `isGpcEnabled=0&datestamp=Wed+Feb+01+2023&version=202209.1.0&interactionCount=1&groups=C0001%3A1%2CC0002%3A1%2CC0004%3A0&AwaitingReconsent=false`,
      OptanonAlertBoxClosed: iso(3),
    },
    categories: { C0002: ["matomo"], C0004: ["meta"] },
    hasTime: true,
  },
  cookiebot: {
    cookies: {
      CookieConsent: encode(
        `{stamp:'a+b/c==',necessary:true,preferences:false,statistics:true,marketing:false,method:'explicit',ver:1,utc:${ago(3)},region:'fr'}`,
      ),
    },
    categories: { statistics: ["matomo"], marketing: ["meta"] },
    hasTime: true,
  },
  didomi: {
    cookies: {
      didomi_token: encode(
        btoa(
          JSON.stringify({
            user_id: "178a",
            updated: iso(3),
            purposes: { enabled: ["cookies"], disabled: ["ads"] },
            vendors: { enabled: ["c:matomo"], disabled: ["c:meta"] },
          }),
        ),
      ),
    },
    categories: { "c:matomo": ["matomo"], "c:meta": ["meta"] },
    hasTime: true,
  },
  usercentrics: {
    local: {
      uc_user_interaction: "true",
      ucData: JSON.stringify({
        consent: {
          services: {
            u6fxocwTs: { name: "Matomo", consent: true },
            ko1w5PpFl: { name: "Meta Pixel", consent: false },
          },
        },
      }),
    },
    categories: { u6fxocwTs: ["matomo"], "Meta Pixel": ["meta"] },
    hasTime: false,
  },
  axeptio: {
    cookies: {
      axeptio_cookies: encode(
        JSON.stringify({
          $$token: "of-axeptio",
          $$date: iso(3),
          $$completed: true,
          Matomo: true,
          facebook_pixel: false,
        }),
      ),
    },
    categories: { Matomo: ["matomo"], facebook_pixel: ["meta"] },
    hasTime: true,
  },
};

/** A visitor's first visit after another tool has stored these. */
function visitWith(
  site: Pick<LiveSite, "projectId">,
  { cookies = {}, local = {} }: Stored,
  more: object = {},
) {
  return openVisit(site, {
    body: `<main><h1>Shop</h1>${tag}</main>`,
    policy: `${strictPolicy}; img-src 'self'`,
    pages: { "/matomo.png": "" },
    ...more,
    prepare: async (page) => {
      // Only before the widget's own answer.
      await page.addInitScript(`if (!document.cookie.includes("$$" + "asked") && !document.cookie.includes("asked")) {
        for (const [name, value] of Object.entries(${JSON.stringify(cookies)})) document.cookie = name + "=" + value + ";path=/";
        Object.assign(localStorage, ${JSON.stringify(local)});
      }`);
    },
  });
}

const { onetrust = { categories: {}, hasTime: true, cookies: {} } } = closed;
const optanon = onetrust.cookies ?? {};
const moved = await newMovedSite([{ from: "onetrust", categories: onetrust.categories }]);

describe("an answer that another consent tool left", { skip }, () => {
  for (const [from, { categories, hasTime, ...stored }] of Object.entries(closed))
    it(`is adopted from ${from}, with its time`, async () => {
      const site = await newMovedSite([{ from, categories }]);
      await using visit = await visitWith(site, stored);
      const { page, dialog, faults } = visit;
      await dialog.waitFor();
      assert.deepEqual(await readVendors(page), { matomo: true, meta: false, chat: false });
      const record = await readRecord(site, page);
      assert.equal(record.grade, "imported");
      const { imported } = record.preferences as unknown as { imported: Record<string, string> };
      assert.equal(imported["from"], from);
      const memory = await readMemory(page);
      assert.deepEqual(memory?.["$$imported"], { matomo: from, meta: from });
      const days = (Date.now() - Date.parse(String(memory?.["$$date"]))) / DAY_MS;
      assert.equal(Math.round(days), hasTime ? 3 : 0, "it expires as it would have there");
      if (from === "axeptio") assert.equal(record.token, "of-axeptio");
      assert.deepEqual(faults, []);
    });

  it("is no longer shown as imported once the visitor has answered here", async () => {
    await using visit = await visitWith(moved, onetrust);
    const { page, dialog } = visit;
    await dialog.waitFor();
    await readRecord(moved, page);
    await page.waitForLoadState("networkidle");
    const own = await press(visit, "Accept all");
    assert.equal(own.grade, "ticketed");
    assert.deepEqual(own.preferences.vendors, { chat: true });
    assert.equal("imported" in own.preferences, false);
    assert.deepEqual((await readMemory(page))?.["$$imported"], {
      matomo: "onetrust",
      meta: "onetrust",
    });
    await page.evaluate("avow.answer({ matomo: false, meta: true })");
    assert.deepEqual((await readMemory(page))?.["$$imported"], {});
    const [last] = await readHistory(moved, own.token);
    assert.equal(last?.grade, "browser");
  });

  const notAdopted: Record<string, Stored & { settings?: object }> = {
    "it is older than a consent may be": {
      cookies: { ...optanon, OptanonAlertBoxClosed: iso(31) },
    },
    "it is dated in the future": { cookies: { ...optanon, OptanonAlertBoxClosed: iso(-9) } },
    "the visitor never answered": { cookies: { OptanonConsent: optanon["OptanonConsent"] ?? "" } },
    "it is too large": {
      local: { OptanonConsent: `${optanon["OptanonConsent"]}&x=${"x".repeat(20_000)}` },
      cookies: { OptanonAlertBoxClosed: iso(3) },
    },
    "it is no answer": { cookies: { OptanonConsent: "%E0%A4%A", OptanonAlertBoxClosed: iso(3) } },
  };
  for (const [reason, stored] of Object.entries(notAdopted))
    it(`is not adopted if ${reason}`, async () => {
      const site = await newMovedSite([{ from: "onetrust", categories: onetrust.categories }], {
        settings: { expiresAfterDays: 30 },
      });
      await using visit = await visitWith(site, stored);
      await visit.dialog.waitFor();
      assert.deepEqual(Object.values(await readVendors(visit.page)), [false, false, false]);
      assert.equal(await readMemory(visit.page), undefined);
      assert.equal(countPosts(visit), 0);
      assert.deepEqual(visit.faults, []);
    });

  it("does not replace an answer to the widget", async () => {
    await using visit = await openVisit(moved);
    await press(visit, "Refuse all");
    const { page, requests } = visit;
    assert.equal(countPosts(visit), 1);
    await visit.launcher.waitFor();
    requests.length = 0;
    await page.evaluate(`for (const [name, value] of Object.entries(${JSON.stringify(optanon)}))
      document.cookie = name + "=" + value + ";path=/"`);
    await page.reload();
    await visit.launcher.waitFor();
    assert.deepEqual(Object.values(await readVendors(page)), [false, false, false]);
    assert.equal(countPosts(visit), 0);
    assert.ok(!requests.some((one) => one.includes("/widget/device.")));
  });

  it("grants nothing if the browser sends Global Privacy Control; refusals are adopted", async () => {
    await using visit = await openVisit(moved, {
      prepare: (page) =>
        page.addInitScript(`Object.defineProperty(navigator, "globalPrivacyControl", { value: true });
          for (const [name, value] of Object.entries(${JSON.stringify(optanon)})) document.cookie = name + "=" + value + ";path=/";`),
    });
    await visit.dialog.waitFor();
    const record = await readRecord(moved, visit.page);
    assert.deepEqual(record.preferences.vendors, { meta: false });
    assert.deepEqual(Object.values(await readVendors(visit.page)), [false, false, false]);
  });

  it("deletes what a refused vendor had stored", async () => {
    const { projectId } = await newMovedSite(
      [{ from: "onetrust", categories: onetrust.categories }],
      {
        steps: [
          {
            name: "all",
            layout: "category",
            title: "Cookies",
            vendors: [{ name: "meta", title: "Meta", storage: [{ name: "_fbp" }] }],
          },
        ],
      },
    );
    const cookies = { ...optanon, _fbp: "fb.1" };
    await using visit = await visitWith({ projectId }, { cookies });
    await visit.launcher.waitFor();
    await waitUntilTrue(visit.page, "!document.cookie.includes('_fbp')");
    assert.match(await visit.page.evaluate("document.cookie"), /OptanonConsent/);
  });

  it("is sent later if the service is unreachable", async () => {
    await using visit = await openVisit(moved, {
      prepare: async (page) => {
        await page.route(/\/v1\/app\/consents\//, (route) => route.abort());
        await page.addInitScript(`for (const [name, value] of Object.entries(${JSON.stringify(optanon)}))
          document.cookie = name + "=" + value + ";path=/";`);
      },
    });
    const { page, dialog } = visit;
    await dialog.waitFor();
    assert.deepEqual(await readVendors(page), { matomo: true, meta: false, chat: false });
    await page.unroute(/\/v1\/app\/consents\//);
    await page.reload();
    assert.equal((await readRecord(moved, page)).grade, "imported");
  });

  it("is asked again as usual if the file that reads it cannot be loaded", async () => {
    await using visit = await visitWith(moved, onetrust, {});
    await visit.dialog.waitFor();
    await using broken = await openVisit(moved, {
      prepare: async (page) => {
        await page.route(/\/cdn\/widget\/device\./, (route) => route.abort());
        await page.addInitScript(
          `document.cookie = "OptanonConsent=${optanon["OptanonConsent"]};path=/"`,
        );
      },
    });
    await broken.dialog.waitFor();
    assert.deepEqual(Object.values(await readVendors(broken.page)), [false, false, false]);
  });
});

it("texts about imported answers are published only with imports", async () => {
  const read = async ({ projectId }: LiveSite): Promise<unknown> => {
    const { body } = await service.fetch(`/cdn/${projectId}.json`);
    return body.widget.words.en.imported;
  };
  assert.equal(await read(moved), "Imported from your earlier choices on this site");
  assert.equal(await read(await newMovedSite([])), undefined);
});
