import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { findViolations } from "../browser/widget/axe.ts";
import { openThirdParties } from "../browser/widget/third-parties.ts";
import { newsletter, terms } from "../browser/widget/box-sites.ts";
import {
  type OpenPage,
  openPage,
  skip as browserSkip,
  waitUntilTrue,
} from "../browser/widget/browser.ts";
import { type LiveSite, newLiveSite, shopCookies } from "../browser/widget/site.ts";
import { service } from "../harness.ts";
import {
  type WordPress,
  openWordPress,
  packPlugin,
  skip as wordpressSkip,
} from "./wordpress/wordpress.ts";

const skip = browserSkip || wordpressSkip;
const password = "correct horse battery staple";
const tag = "http://tags.example/tag.js";
const film = "https://films.example/embed/bowls";
const cookies = {
  ...shopCookies,
  settings: { expiresAfterDays: 200 },
  steps: [
    shopCookies.steps[0],
    {
      name: "analytics",
      layout: "category",
      title: "Analytics",
      vendors: [
        { name: "one", title: "One", hosts: ["tags.example"] },
        { name: "films", title: "Films", hosts: ["*.example/embed/"] },
      ],
    },
    shopCookies.steps[2],
  ],
};

const french = { ...cookies, name: "shop-fr", language: "fr", isDefault: false, settings: {} };

/** The effects of the plugin's filters on a theme or another plugin. */
interface Facts {
  isRegistered: boolean;
  rocket: string[];
  autoptimize: string;
  w3tc: boolean;
  vary: string[];
}

/** Code of the site's theme: a vendor's tag, and content that depends on the answer, on the server. */
const site = `<?php
add_filter('http_allowed_safe_ports', fn($ports) => [...$ports, ${new URL(service.url).port}]);
add_action('wp_head', fn() => print('<script>document.addEventListener("wp_listen_for_consent_change", (event) => (window.changes ??= []).push(Object.entries(event.detail).join()));</script>'), 5);
add_action('wp_head', fn() => print('<script src="${tag}"></script>'), 20);
add_action('wp_footer', function () {
  if (!function_exists('avow_has_consent')) return;
  $facts = ['one' => avow_has_consent('one'), 'shop' => avow_has_consent('shop'), 'nobody' => avow_has_consent('nobody'), 'removed' => avow_get_answer('nobody')];
  foreach (['functional', 'statistics', 'marketing'] as $category) $facts[$category] = function_exists('wp_has_consent') && wp_has_consent($category);
  echo '<script type="application/json" id="server">' . wp_json_encode($facts) . '</script>';
});
add_action('init', function () {
  if (isset($_POST['blocks'])) exit(do_blocks(wp_unslash($_POST['blocks'])));
  if (($_GET['registered'] ?? '') !== '') wp_send_json(['isRegistered' => consent_api_registered('avow/avow.php'), 'rocket' => apply_filters('rocket_delay_js_exclusions', ['a.js']), 'autoptimize' => apply_filters('autoptimize_filter_js_exclude', 'a.js'), 'w3tc' => apply_filters('w3tc_minify_js_do_tag_minification', true, '<script src="${service.url}/widget.js">'), 'vary' => apply_filters('litespeed_vary_cookies', [])]);
}, 99);
`;

describe("the WordPress plugin", { skip }, () => {
  const opened = new AsyncDisposableStack();
  let wordpress: WordPress;
  let avow: LiveSite;
  let admin: OpenPage;

  const open = async (path: string): Promise<Page> => {
    await admin.page.goto(`${wordpress.url}/wp-admin/${path}`);
    return admin.page;
  };
  const readMessage = (page: Page) => page.locator(".notice, .settings-error").first().innerText();
  const readOptions = async (name: string): Promise<string[]> => {
    const where = `SELECT option_value FROM wp_options WHERE option_name LIKE '${name}'`;
    return (await wordpress.query(where)).split("\n").filter(Boolean);
  };
  const save = async (page: Page) => {
    await follow(page.getByRole("button", { name: "Save Changes" }));
  };

  before(async () => {
    avow = await newLiveSite({
      project: { name: "Shop" },
      cookies: [cookies, french],
      processings: [newsletter],
      contracts: [terms],
    });
    wordpress = opened.use(await openWordPress(site));
    admin = opened.use(await openPage({ viewport: { width: 1280, height: 900 } }));
    const { page } = admin;
    await page.goto(`${wordpress.url}/wp-admin/install.php?step=1`);
    await page.getByLabel("Site Title").fill("Shop");
    await page.getByLabel("Username").fill("ann");
    await page.locator("#pass1").fill(password);
    await page.getByLabel("Your Email").fill("ann@shop.example");
    await follow(page.getByRole("button", { name: "Install WordPress" }));
    await follow(page.getByRole("link", { name: "Log In" }));
    await signIn(page, "ann");
  });

  after(async () => {
    await opened.disposeAsync();
  });

  it("is installed from a ZIP file, and changes no page before it is connected", async () => {
    const page = await open("plugin-install.php?tab=upload");
    const file = { name: "avow.zip", mimeType: "application/zip", buffer: await packPlugin() };
    await page.locator("#pluginzip").setInputFiles(file);
    await follow(page.getByRole("button", { name: "Install Now" }));
    await page.getByText("Plugin installed successfully.").waitFor();
    await open("plugins.php");
    await follow(page.locator("[data-slug^=wp-consent-api] .activate a"));
    await follow(page.locator("[data-slug=avow] .activate a"));
    assert.match(await readMessage(page), /Plugin activated/);
    const html = await (await fetch(wordpress.url)).text();
    assert.doesNotMatch(html, /widget\.js|Content-Security-Policy/);
  });

  it("explains the first steps on an empty settings screen", async () => {
    const page = await open("options-general.php?page=avow");
    assert.match(
      await page.locator(".card").innerText(),
      /Connect this site[^]*Publish the project/,
    );
    assert.match(await page.locator("form").first().innerText(), /vendors appear here once/);
    assert.deepEqual(await findViolations(page, ".wrap"), []);
    await takePicture(page, "settings-empty");
  });

  it("rejects invalid settings, and says what to enter", async () => {
    const page = await open("options-general.php?page=avow");
    await page.getByLabel("Address of the service").fill("http://consent.example");
    await page.getByLabel("Project identifier").fill('"><script>alert(1)</script>');
    await save(page);
    const messages = await page.locator(".settings-error").allInnerTexts();
    assert.match(messages.join(), /must start with https:\/\/[^]*identifier consists of letters/);
    assert.equal(await page.getByLabel("Address of the service").inputValue(), "");
    assert.equal(await page.getByLabel("Project identifier").inputValue(), "");
  });

  it("reports a project that is not published, and a service that does not answer", async () => {
    const page = await open("options-general.php?page=avow");
    await page.getByLabel("Address of the service").fill(`${service.url}/widget.js`);
    await page.getByLabel("Project identifier").fill("nothing");
    await save(page);
    assert.equal(await page.getByLabel("Address of the service").inputValue(), service.url);
    const test = page.getByRole("button", { name: "Test the connection" });
    await follow(test);
    assert.match(await readMessage(page), /nothing is published for this project/);
    await page.getByLabel("Address of the service").fill("https://127.0.0.1:8080");
    await save(page);
    await follow(test);
    assert.match(await readMessage(page), /cannot be reached/);
  });

  it("connects by the settings screen, and lists the vendors", async () => {
    const page = await open("options-general.php?page=avow");
    await page.getByLabel("Address of the service").fill(service.url);
    await page.getByLabel("Project identifier").fill(avow.projectId);
    await page.getByLabel("Hold scripts, frames and pictures").check();
    await save(page);
    await follow(page.getByRole("button", { name: "Test the connection" }));
    assert.match(await readMessage(page), /Connected to “.*”, version 1, with 3 vendors/);
    await page.getByLabel("One").selectOption("Statistics");
    await page.getByLabel("Films").selectOption("Marketing");
    await save(page);
    assert.equal(await page.getByLabel("One").inputValue(), "statistics");
    assert.equal(await page.getByLabel("Shop", { exact: true }).count(), 0, "required vendors");
    assert.deepEqual(await findViolations(page, ".wrap"), []);
    await takePicture(page, "settings");
  });

  it("adds the scripts before all others, once", async () => {
    const html = await (await fetch(wordpress.url)).text();
    const head = html.slice(0, html.indexOf("</head>"));
    const [first = "", second = ""] = (head.match(/<script\b[^>]*>/g) ?? []) as string[];
    assert.ok(first.includes(`${service.url}/cdn/${avow.projectId}.block.js`), first);
    assert.ok(second.includes(`${service.url}/widget.js`), second);
    assert.match(second, /data-no-optimize="1"/);
    assert.ok(head.includes(`crossorigin href="${service.url}/cdn/${avow.projectId}.json"`));
    assert.ok(head.indexOf("block.js") < head.indexOf("<style"), "before style sheets");
    assert.equal(html.split("/widget.js").length, 2);
  });

  it("keeps its scripts out of optimisation plugins, and registers with the WP Consent API", async () => {
    const readFacts = async () =>
      (await (await fetch(`${wordpress.url}/?registered=1`)).json()) as Facts;
    const facts = await readFacts();
    const own = new URL(service.url).host;
    assert.ok(facts.rocket.includes("a.js") && facts.rocket.includes(`${own}/widget.js`));
    assert.match(facts.autoptimize, /^a\.js, .*\/widget\.js/);
    assert.deepEqual([facts.w3tc, facts.vary, facts.isRegistered], [false, [], true]);
    const page = await open("options-general.php?page=avow");
    await page.getByLabel("Cache each combination").check();
    await save(page);
    assert.deepEqual((await readFacts()).vary, ["axeptio_authorized_vendors"]);
  });

  it("has blocks that an author fills in by choosing", async () => {
    const page = await open("post-new.php?post_type=page");
    // The guide of a first visit hides the editor from screen readers, and so from locators.
    await page.locator(".editor-post-title__input").waitFor({ state: "attached" });
    await page.evaluate(
      "wp.data.dispatch('core/preferences').set('core/edit-post', 'welcomeGuide', false)",
    );
    await page.getByRole("textbox", { name: "Add title" }).fill("Films");
    const insert = async (name: string) => {
      await page.evaluate(
        `wp.data.dispatch("core/block-editor").insertBlock(wp.blocks.createBlock("avow/${name}"))`,
      );
      return page.locator(`[data-type="avow/${name}"]`);
    };
    const embed = await insert("embed");
    await embed.getByLabel("Service").selectOption("Films");
    await embed.getByLabel("Address of the frame").fill("https://elsewhere.test/embed/");
    assert.match(await embed.innerText(), /This is not an address of Films/);
    await embed.getByLabel("Address of the frame").fill(`${film}/../bowls`);
    assert.match(await embed.innerText(), /This is not an address of Films/);
    await embed.getByLabel("Address of the frame").fill(film);
    await embed.getByLabel("Title").fill("How we make bowls");
    await takePicture(page, "editor-embed");
    assert.doesNotMatch(await embed.innerText(), /This is not an address/);
    const consent = await insert("consent-form");
    await consent.getByLabel("Form").selectOption("Our newsletter");
    const contract = await insert("contract-form");
    await contract.getByLabel("Form").selectOption("Terms of sale");
    await insert("settings-link");
    await takePicture(page, "editor");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page
      .getByLabel("Editor publish")
      .getByRole("button", { name: "Publish", exact: true })
      .click();
    await page.getByText("Films is now live.").waitFor();
  });

  it("asks, holds until acceptance, and follows on the server at the next page", async () => {
    await using visit = await openPage();
    const { page } = visit;
    const third = await openThirdParties(page.context(), wordpress.url, service.url);
    const address = `${wordpress.url}/?pagename=films`;
    const readServer = async () => JSON.parse(await page.locator("#server").innerText());
    const refused = {
      one: false,
      shop: true,
      nobody: false,
      removed: null,
      functional: true,
      statistics: false,
      marketing: false,
    };
    await page.goto(address);
    const banner = page.getByRole("dialog");
    await banner.waitFor();
    await takePicture(page, "visitor-asked");
    assert.deepEqual(third.requested, [], "before an answer");
    const names = (await page.context().cookies()).map((cookie) => cookie.name);
    assert.deepEqual(names, ["wp_consent_functional"]);
    assert.deepEqual(await readServer(), refused);

    await banner.getByRole("button", { name: "Refuse all" }).click();
    await banner.waitFor({ state: "hidden" });
    await page.goto(address);
    await waitUntilTrue(page, "window.avow?.vendors.shop");
    await page.locator("[data-avow='processing:newsletter'] button").first().waitFor();
    await page.locator("[data-avow='contract:terms'] input[type=checkbox]").waitFor();
    await takePicture(page, "visitor-refused");
    assert.deepEqual(third.requested, [], "after the refusal");
    assert.equal(await page.evaluate("wp_has_consent('statistics')"), false);

    await page.getByRole("button", { name: "Cookie settings" }).last().click();
    await page.getByRole("dialog").getByRole("button", { name: "Accept all" }).click();
    await waitUntilTrue(page, "window.ran?.length");
    await waitUntilTrue(page, "document.querySelector('iframe').src");
    assert.equal(third.count(tag), 1);
    assert.equal(third.count(film), 1);
    assert.deepEqual(await page.evaluate("window.changes"), [
      "statistics,allow",
      "marketing,allow",
    ]);

    await page.goto(address);
    assert.deepEqual(await readServer(), {
      ...refused,
      one: true,
      statistics: true,
      marketing: true,
    });
    await waitUntilTrue(page, "window.ran?.length");
    assert.equal(third.count(tag), 2, "once a page");
    assert.equal(await page.evaluate("window.changes"), undefined, "nothing has changed");
    await takePicture(page, "visitor-accepted");
  });

  it("passes what a rule by region lets run before an answer, and its withdrawal", async () => {
    await using visit = await openPage();
    const { page } = visit;
    await page.goto(wordpress.url);
    await page.getByRole("dialog").waitFor();
    const announce = (name: string, vendors: object) =>
      page.evaluate(
        `document.dispatchEvent(new CustomEvent("avow:${name}", { detail: { vendors: ${JSON.stringify(vendors)} } }))`,
      );
    const read = () =>
      page.evaluate("['statistics', 'marketing'].map((one) => wp_has_consent(one))");
    assert.deepEqual(await read(), [false, false]);
    await announce("ready", { one: true, films: false });
    assert.deepEqual(await read(), [true, false]);
    await announce("answered", { one: false, films: true });
    assert.deepEqual(await read(), [false, true]);
    assert.deepEqual(await page.evaluate("window.changes.slice(-3)"), [
      "statistics,allow",
      "statistics,deny",
      "marketing,allow",
    ]);
  });

  it("adopts refusals from other plugins, and no permission", async () => {
    await using visit = await openPage();
    const { page } = visit;
    const answers: unknown[] = [];
    await page.exposeFunction("noteAnswer", (vendors: unknown) => answers.push(vendors));
    await page.addInitScript(
      `document.addEventListener("avow:answered", ({ detail }) => window.noteAnswer(detail.vendors))`,
    );
    await page.goto(wordpress.url);
    await page.getByRole("dialog").getByRole("button", { name: "Accept all" }).click();
    await waitUntilTrue(page, "window.changes?.includes('marketing,allow')");
    const refused = { one: false, films: true, shop: true };
    // The widget loads the page again after a withdrawal.
    await Promise.all([
      page.waitForEvent("load"),
      page.evaluate("wp_set_consent('statistics', 'deny'); wp_set_consent('functional', 'deny')"),
    ]);
    await waitUntilTrue(page, "window.avow?.vendors.films");
    // A denied category without accepted vendors, and an allowed one, are no answer.
    await page.evaluate(
      "wp_set_consent('statistics', 'deny'); wp_set_consent('statistics', 'allow')",
    );
    await page.waitForTimeout(300);
    await page.reload();
    await waitUntilTrue(page, "window.changes?.includes('statistics,deny')");
    assert.deepEqual(await page.evaluate("window.avow.vendors"), refused);
    assert.deepEqual(answers, [{ ...refused, one: true }, refused]);
    assert.equal(await page.getByRole("dialog").count(), 0);
  });

  it("does not ask a signed-in user who has answered on another device", async () => {
    const page = await open("options-general.php?page=avow");
    await page.getByLabel("Remember their answers on all of their devices").check();
    await save(page);
    const openDevice = async () => {
      const device = await openPage();
      await device.page.goto(`${wordpress.url}/wp-login.php`);
      await signIn(device.page, "ann");
      await device.page.goto(wordpress.url);
      return device;
    };
    await using first = await openDevice();
    const saved = first.page.waitForResponse(/\/v1\/app\/consents\//);
    await first.page.getByRole("button", { name: "Accept all" }).click();
    await saved;
    await using second = await openDevice();
    await waitUntilTrue(second.page, "window.avow?.isAccepted('one') === true");
    assert.equal(await second.page.getByRole("dialog").count(), 0);
    const token = "document.querySelector('script[data-project]').dataset.token";
    assert.match(await second.page.evaluate<string>(token), /^wp-[0-9a-f]{64}$/);
    await using visitor = await openPage();
    await visitor.page.goto(wordpress.url);
    assert.equal(await visitor.page.evaluate(`${token} ?? ""`), "");
    await open("options-general.php?page=avow");
    await page.getByLabel("Remember their answers on all of their devices").uncheck();
    await save(page);
  });

  it("holds frames of posts that WordPress does not make lazy, and links held embeds in feeds", async () => {
    const frame = `<iframe src="${film}?first" title="Bowls"></iframe>`;
    const id = await (
      await open("post-new.php")
    ).evaluate(
      `wp.apiFetch({ path: "/wp/v2/posts", method: "POST", data: ${JSON.stringify({
        title: "Frames",
        status: "publish",
        content: `<!-- wp:html -->${frame}<!-- /wp:html --><!-- wp:avow/embed {"vendor":"films","url":"${film}","title":"Bowls"} /-->`,
      })} }).then(({ id }) => id)`,
    );
    await using visit = await openPage();
    const { page } = visit;
    const third = await openThirdParties(page.context(), wordpress.url, service.url);
    await page.goto(`${wordpress.url}/?p=${String(id)}`);
    await page.getByRole("dialog").waitFor();
    await page.getByText("Content from Films").nth(1).waitFor();
    assert.equal(await page.locator("iframe[loading=lazy]").count(), 1);
    assert.deepEqual(third.requested, []);
    const feed = await (await fetch(`${wordpress.url}/?feed=rss2`)).text();
    assert.match(feed, new RegExp(`<a href="${film}"[^>]*>Bowls</a>`));
    assert.doesNotMatch(feed, /data-avow-vendor/);
  });

  it("reads the cookie on the server, and grants nothing for a forged or outdated one", async () => {
    const read = async (cookie: string) => {
      const headers = { cookie: `axeptio_cookies=${cookie}` };
      const html = await (await fetch(wordpress.url, { headers })).text();
      return JSON.parse(/id="server">(.*?)<\/script>/.exec(html)?.[1] ?? "") as {
        one: boolean;
        nobody: boolean;
        removed: boolean | null;
        statistics: boolean;
        marketing: boolean;
      };
    };
    const answer = { $$completed: true, one: true };
    const toCookie = (value: unknown) => encodeURIComponent(JSON.stringify(value));
    const { one: isAccepted, statistics: isAllowed, marketing } = await read(toCookie(answer));
    assert.deepEqual([isAccepted, isAllowed, marketing], [true, true, false]);
    // The cookies of the WP Consent API may be older than the answer.
    const stale = `${toCookie({ ...answer, one: false })}; wp_consent_statistics=allow`;
    assert.equal((await read(stale)).statistics, false);
    const removed = await read(toCookie({ ...answer, nobody: true }));
    assert.deepEqual([removed.nobody, removed.removed], [false, null], "a removed vendor");
    const toDate = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const recent = await read(toCookie({ ...answer, $$date: toDate(199) }));
    assert.deepEqual([recent.one, recent.statistics], [true, true], "the longest lifetime");
    const refusals: Record<string, string> = {
      "an unfinished answer": toCookie({ one: true }),
      "a text": toCookie({ ...answer, one: "true" }),
      "a list": toCookie([answer]),
      "an offer that has changed": toCookie({ ...answer, $$asked: { one: "00000000" } }),
      "an expired answer": toCookie({ ...answer, $$date: toDate(201) }),
      "an expired answer of which a category was passed": `${toCookie({ ...answer, $$date: toDate(201) })}; wp_consent_statistics=allow`,
      "a date that is none": toCookie({ ...answer, $$date: "soon" }),
      "a date that is no text": toCookie({ ...answer, $$date: 1 }),
      "broken JSON": "%7B",
      "a deep object": toCookie({ ...answer, deep: { a: { b: { c: { d: 1 } } } } }),
      "an array of PHP": "1; axeptio_cookies[a]=1",
      "a long text": toCookie({ ...answer, long: "x".repeat(8_192) }),
    };
    for (const [name, cookie] of Object.entries(refusals)) {
      const { one, statistics } = await read(cookie);
      assert.deepEqual([one, statistics], [false, false], name);
    }
  });

  it("renders only addresses of the vendor, and escapes all attributes of blocks", async () => {
    const render = async (name: string, attributes: object) => {
      // The editor's own notation of attributes.
      const json = JSON.stringify(attributes).replaceAll("--", "\\u002d\\u002d");
      const body = new URLSearchParams({ blocks: `<!-- wp:avow/${name} ${json} /-->` });
      return (await fetch(wordpress.url, { method: "POST", body })).text();
    };
    const allowed = { vendor: "films", url: film };
    assert.match(
      await render("embed", allowed),
      /<iframe data-avow-vendor="films" data-src="https/,
    );
    for (const url of [
      "https://films.example.evil.test/embed/",
      "https://evil.test/films.example/embed/",
      "https://films.example@evil.test/embed/",
      "https://ann@films.example/embed/",
      "http://films.example/embed/",
      "https://films.example/other/",
      "https://films.example/embed/../other/",
      "https://films.example/embed/./bowls",
      "https://films.example/embed/..",
      "https://films.example/embed/%2e%2e/other/",
      "https://films.example/embed/.%2E/other/",
      "https://films.example/embed/%2e./other/",
      "https://films.example/embed/%252e%252e/other/",
      "https://films.example/embed/\\../other/",
      "https://films.example/embed/..%5Cother/",
      "https://films.example/embed/..%2fother/",
      "https://films.example/embed/&#46;&#46;/other/",
      "https://films.example/embed/&#x2e;&#x2e;/other/",
      "//films.example/embed/",
      "javascript:alert(1)//films.example/embed/",
      "",
    ])
      assert.doesNotMatch(await render("embed", { ...allowed, url }), /iframe/, url);
    for (const url of [`${film}/..bowls...`, `${film}?from=/../`])
      assert.match(await render("embed", { ...allowed, url }), /<iframe/, url);
    assert.doesNotMatch(await render("embed", { ...allowed, vendor: "one" }), /iframe/);
    const hostile = `"><script>alert(1)</script>`;
    const html = [
      await render("embed", { ...allowed, title: hostile, preview: hostile, ratio: hostile }),
      await render("embed", { ...allowed, vendor: hostile }),
      await render("embed", { ...allowed, preview: "javascript:alert(1)", url: film + hostile }),
      await render("consent-form", { form: hostile }),
      await render("contract-form", { form: `terms${hostile}` }),
      await render("settings-link", { label: hostile }),
    ].join("");
    assert.doesNotMatch(html, /<script|javascript:|="">/);
    assert.match(html, /aspect-ratio:16\/9/);
  });

  it("lets only administrators change settings, and only from its screen", async () => {
    const page = await open("user-new.php");
    await page.locator("#user_login").fill("bob");
    await page.locator("#email").fill("bob@shop.example");
    await page.locator("#pass1").fill(password);
    await page.locator("#role").selectOption("editor");
    await follow(page.getByRole("button", { name: "Add New User" }));
    await using editor = await openPage();
    await editor.page.goto(`${wordpress.url}/wp-login.php`);
    await signIn(editor.page, "bob");
    const screen = await editor.page.goto(
      `${wordpress.url}/wp-admin/options-general.php?page=avow`,
    );
    assert.equal(screen?.status(), 403);
    const post = `${wordpress.url}/wp-admin/admin-post.php`;
    const form = { action: "avow_test" };
    assert.equal((await editor.page.request.post(post, { form })).status(), 403, "an editor");
    assert.equal((await page.request.post(post, { form })).status(), 403, "without a nonce");
    const options = { option_page: "avow", action: "update", "avow_settings[project]": "other" };
    const change = await page.request.post(`${wordpress.url}/wp-admin/options.php`, {
      form: options,
    });
    assert.equal(change.status(), 403, "without a nonce");
    const [settings = ""] = await readOptions("avow_settings");
    assert.ok(settings.includes(avow.projectId));
  });

  it("speaks French on a French site, on the screen and in the editor", async () => {
    await wordpress.query(
      "REPLACE INTO wp_options (option_name, option_value) VALUES ('WPLANG', 'fr_FR')",
    );
    const page = await open("options-general.php?page=avow");
    await page.getByLabel("Adresse du service").waitFor();
    await takePicture(page, "settings-fr");
    await page.goto(`${wordpress.url}/wp-admin/post-new.php?post_type=page`);
    await waitUntilTrue(page, "window.wp?.blocks?.getBlockType('avow/embed')");
    assert.equal(
      await page.evaluate("wp.blocks.getBlockType('avow/embed').title"),
      "Contenu retenu",
    );
    assert.equal(
      await page.evaluate("wp.i18n.__('Choose a form', 'avow')"),
      "Choisir un formulaire",
    );
    await wordpress.query("DELETE FROM wp_options WHERE option_name = 'WPLANG'");
  });

  it("leaves nothing behind when it is deleted", async () => {
    assert.equal((await readOptions("avow%")).length, 2);
    const page = await open("plugins.php");
    await follow(page.locator("[data-slug=avow] .deactivate a"));
    page.on("dialog", (dialog) => void dialog.accept());
    await page.locator("[data-slug=avow] .delete a").click();
    await page
      .locator("#avow-deleted, [data-slug=avow].deleted, .plugin-deleted-tr")
      .first()
      .waitFor();
    assert.deepEqual(await readOptions("avow%"), []);
    const [cron = ""] = await readOptions("cron");
    assert.ok(cron !== "" && !cron.includes("avow"));
  });

  it("logs no error, warning or notice of PHP", async () => {
    const lines = (await wordpress.readLog()).split("\n");
    assert.deepEqual(
      lines.filter((line) => /plugins\/avow|Fatal/.test(line)),
      [],
    );
  });
});

/** Presses a link or a button, and waits until the page that it leads to is loaded. */
async function follow(control: Locator): Promise<void> {
  await Promise.all([control.page().waitForEvent("load"), control.click()]);
}

async function signIn(page: Page, name: string): Promise<void> {
  // WordPress moves the focus to the name 200 ms after the page is loaded, also while the password is typed.
  await waitUntilTrue(page, "document.activeElement?.id === 'user_login'");
  await page.getByLabel("Username or Email Address").fill(name);
  await page.locator("#user_pass").fill(password);
  await follow(page.getByRole("button", { name: "Log In" }));
}

/** Screenshots are only kept on request. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS_DIR"];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
