import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseXml } from "@rgrove/parse-xml";
import * as fc from "fast-check";
import { allowedElements } from "./allowed.ts";
import { sanitizeSvg } from "./sanitize.ts";
import { isHarmless } from "./values.ts";

const start = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">';
const clean = (inner: string) => sanitizeSvg(Buffer.from(`${start}${inner}</svg>`));
/** The content of the root element. */
const innerOf = (inner: string) =>
  clean(inner)
    .text.trim()
    .replace(start, "")
    .replace(start.replace(">", "/>"), "")
    .replace("</svg>", "");

describe("a sanitized SVG", () => {
  const taken: Record<string, [given: string, kept: string]> = {
    "a script": ["<script>alert(1)</script><path/>", "<path/>"],
    "a script in another spelling": ["<SCRIPT>1</SCRIPT><svg:script/><path/>", "<path/>"],
    "a foreign language": ['<foreignObject><body xmlns="x"/></foreignObject><g/>', "<g/>"],
    "a foreign namespace": ['<g xmlns="http://www.w3.org/1999/xhtml"><script/></g>', "<g/>"],
    handlers: ['<path onload="a()" onclick="b()" ONFOCUS="c()" d="M0 0"/>', '<path d="M0 0"/>'],
    "a link": ['<a href="javascript:alert(1)"><path/></a>', "<a><path/></a>"],
    "a link with a namespace": ['<a xlink:href="https://e.example"><g/></a>', "<a><g/></a>"],
    "a picture": ['<image href="https://e.example/a.png"/><g/>', "<g/>"],
    "a picture in data": ['<image href="data:image/svg+xml;base64,AAAA"/><g/>', "<g/>"],
    "a copy from elsewhere": ['<use href="https://e.example/a.svg#a"/>', "<use/>"],
    "a copy in data": ['<use href="data:image/svg+xml,x#a"/>', "<use/>"],
    "an address in a style": ['<g style="fill:url(https://e.example)"/>', "<g/>"],
    "an address in quotes": [`<g fill="url('//e.example/#a')"/>`, "<g/>"],
    "an escaped address": [String.raw`<g style="fill:u\72l(https://e.example)"/>`, "<g/>"],
    "an address that does not end": ['<g fill="url(#a"/>', "<g/>"],
    "a set of pictures": [`<g style="mask:image-set('https://e.example' 1x)"/>`, "<g/>"],
    "an import": ['<style>@import "https://e.example";</style><g/>', "<g/>"],
    "a font": ["<style>@font-face{src:url(https://e.example)}</style><g/>", "<g/>"],
    "a style in parts": ["<style>@imp<!-- -->ort url(//e.example)</style><g/>", "<g/>"],
    "a style in CDATA": ["<style><![CDATA[@import '//e.example';]]></style><g/>", "<g/>"],
    "an animation of an address": [
      '<a><set attributeName="href" to="javascript:alert(1)"/><g/></a>',
      "<a><g/></a>",
    ],
    "an animation of a handler": ['<animate attributeName="onclick" to="a()"/><g/>', "<g/>"],
    "an instruction": ['<?xml-stylesheet href="https://e.example"?><g/>', "<g/>"],
    "what editors leave": ['<metadata><x/></metadata><g inkscape:label="a"/>', "<g/>"],
  };
  for (const [name, [given, kept]] of Object.entries(taken))
    it(`does not contain ${name}, and has a warning`, () => {
      assert.equal(innerOf(given), kept);
      const { warnings } = clean(given);
      const isSilent = given.startsWith("<?") || given.includes('xmlns="');
      assert.ok(isSilent || warnings.length > 0);
      for (const { path, message } of warnings) {
        assert.match(path, /^\/svg/);
        assert.match(message, /was removed\.$/);
      }
    });

  it("keeps drawing elements, without warnings", () => {
    const drawn = [
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#f00"/></linearGradient></defs>',
      "<style>.b{fill:url(#a);transform:rotate(3deg)}@media print{.b{fill:#000}}</style>",
      '<g clip-path="url(#c)" style="fill:rgb(1,2,3)"><use href="#d" xlink:href="#d"/></g>',
      '<animate attributeName="cx" values="1;2" dur="2s"/><text>a &amp; b &lt; c</text>',
    ].join("");
    assert.equal(innerOf(drawn), drawn);
    assert.deepEqual(clean(drawn).warnings, []);
  });

  it("is unchanged when it is sanitized again", () => {
    const texts = fc.string({
      unit: fc.constantFrom("<", ">", '"', "&", "]", "a", "\n", "\r", "☕"),
    });
    fc.assert(
      fc.property(texts, texts, (text, value) => {
        const escape = (raw: string) =>
          raw
            .replaceAll("&", "&amp;")
            .replaceAll("<", "&lt;")
            .replaceAll(">", "&gt;")
            .replaceAll('"', "&quot;");
        const once = clean(`<g id="${escape(value)}"><text>${escape(text)}</text></g>`).text;
        assert.equal(sanitizeSvg(Buffer.from(once)).text, once);
        assert.ok(parseXml(once).root);
      }),
    );
  });
});

it("treats no value that could load something as harmless, in any spelling", () => {
  const loads = fc.constantFrom("url(http://e)", "URL( '//e' )", "src(//e)", 'image-set("a" 1x)');
  const around = fc.string({
    unit: fc.constantFrom(" ", ";", "a", ":", "(", ")", "/*", "*/", ",", "'"),
  });
  fc.assert(
    fc.property(around, loads, around, (before, load, after) => {
      // Preceding characters can extend the function's name, but the result is not on the list either.
      assert.equal(isHarmless(`${before}${load}${after}`), false);
    }),
  );
  for (const name of ["script", "foreignObject", "image", "feImage", "iframe", "audio", "handler"])
    assert.equal(allowedElements.has(name), false);
});
