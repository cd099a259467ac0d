import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skip } from "./browser.ts";
import { newLiveSite, shopCookies } from "./site.ts";
import { openVisit } from "./visits.ts";

const site = await newLiveSite({ cookies: [shopCookies] });
const hostile = [
  '<p>A <b>bold</b> <a href="https://shop.example/policy?a=1&amp;b=2" onclick="boom()">word</a>.</p>',
  "<script>boom()</script>",
  '<img src="x" onerror="boom()">',
  '<p onmouseover="boom()" style="position:fixed;inset:0" class="plain" id="title">styled</p>',
  '<a href="javascript:boom()">one</a>',
  '<a href="java&amp;script:boom()">two</a>',
  '<a href=" javascript:boom()">three</a>',
  '<a href="data:text/html,<script>boom()</script>">four</a>',
  '<svg onload="boom()"><a href="https://evil.example">five</a></svg>',
  '<iframe src="https://evil.example" srcdoc="<script>boom()</script>">six</iframe>',
  '<form action="https://evil.example"><input autofocus onfocus="boom()"><button>seven</button></form>',
  '<style>dialog { display: none }</style><link rel="stylesheet" href="https://evil.example">',
  '<math><mtext><table><mglyph><style><img src="x" onerror="boom()">',
  "<SCRIPT>boom()</SCRIPT><p <script>boom()//</p>",
  "<!--><img src=x onerror=boom()>-->",
  "<p>1 < 2 &amp; 3 > 2 &lt;b&gt; &unknown;</p></b></p></dialog>",
].join("\n");

describe("a message in a manipulated published file", { skip }, () => {
  it("is shown as text with allowed markup only: nothing in it runs or loads", async () => {
    await using visit = await openVisit(site, {
      policy: "",
      prepare: async (page) => {
        await page.addInitScript("window.boom = () => { document.title = 'boom' }");
        await page.route(/\/cdn\/.*\.json$/, async (route) => {
          const answer = await route.fetch();
          const json = await answer.json();
          Object.assign(json.cookies[0].steps[0], {
            message: hostile,
            title: '<img src="x" onerror="boom()">',
            image: "javascript:boom()",
          });
          await route.fulfill({ response: answer, json });
        });
      },
    });
    const { page, dialog, faults, requests, shop } = visit;
    await dialog.getByRole("heading", { name: '<img src="x" onerror="boom()">' }).waitFor();
    await dialog.getByText("1 < 2 & 3 > 2 <b> &unknown;").waitFor();
    for (const name of ["one", "two", "three", "four", "five"])
      await dialog.getByText(name).first().click();
    const inside = "document.querySelector('avow-widget').shadowRoot.querySelector('section')";
    const read = (what: string): Promise<string[]> =>
      page.evaluate(`[...${inside}.querySelectorAll("*")].flatMap((one) => ${what})`);
    const names = new Set(await read("one.localName"));
    assert.deepEqual([...names].toSorted(), ["a", "b", "p", "span"]);
    const attributes = new Set(await read("one.getAttributeNames()"));
    assert.deepEqual([...attributes].toSorted(), ["href", "rel", "target"]);
    assert.deepEqual(await read("one.href ?? []"), [
      "https://shop.example/policy?a=1&b=2",
      // An href that is not a valid URL of its own resolves against the site.
      `${shop.url}/java&script:boom()`,
      "https://evil.example/",
    ]);
    assert.equal(await page.title(), "Shop");
    assert.deepEqual(faults, []);
    const known = requests.filter((one) => one.includes("evil") || one.endsWith("/x"));
    assert.deepEqual(known, [], shop.url);
  });

  it("does not break the banner when it is very deep or very long", async () => {
    const deep = `${"<div>".repeat(9_000)}deep ${"<a ".repeat(9_000)}${"&#x".repeat(9_000)}`;
    await using visit = await openVisit(site, {
      prepare: (page) =>
        page.route(/\/cdn\/.*\.json$/, async (route) => {
          const answer = await route.fetch();
          const json = await answer.json();
          json.cookies[0].steps[0].message = deep;
          await route.fulfill({ response: answer, json });
        }),
    });
    await visit.dialog.getByText(/^deep/).waitFor();
    await visit.dialog.getByRole("button", { name: "Refuse all" }).click();
    await visit.launcher.waitFor();
    assert.deepEqual(visit.faults, []);
  });
});
