import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { defaultTreeAdapter, parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { sanitizeHtml, writeHtml } from "./html.ts";

const allowed = new Set(
  "p br strong b em i u s small ul ol li a h2 h3 h4 h5 h6 span div blockquote code".split(" "),
);
const onAll = ["class", "lang", "dir"];
const onLinks = [...onAll, "href", "target", "rel", "title"];
const unchanged = [
  "",
  "Plain text, no markup.",
  'A & B; don\'t "quote" > me',
  "<p>We’re “companions” of our visitors… à Noël, ça &amp; là</p>",
  "<p>It's &rsquo;fine&rsquo;&nbsp;&quot;here&quot; &lt;now&gt; &#233;&#xE9;</p>",
  '<a href="https://example.com/?a=1&amp;b=2#c" title="l\'été">more</a>',
  '<a href="/legal" target="_blank" rel="noopener">legal</a> <a href="mailto:a@b.example">mail</a>',
  '<a href="tel:+33123456789">call</a><a href="HTTPS://EXAMPLE.COM">x</a><a href="page?x=1:2">y</a>',
  '<h2 class="big title" lang="fr-FR" dir="ltr">Titre</h2><ul><li>un</li><li>deux</li></ul>',
  "line<br>line<br/>line<br />line\r\nline\n",
  "<div><blockquote><p><code>x</code><small>y</small></p></blockquote></div>",
];

for (const html of unchanged) {
  test(`returns allowed markup byte for byte: ${JSON.stringify(html)}`, () => {
    assert.deepEqual(sanitizeHtml(html), { html, removed: [] });
  });
}

const removals: [string, string, string[]][] = [
  ["<p>a<script>alert(1)</script>b</p>", "<p>ab</p>", ["<script>"]],
  ['<a href="/" onclick="x()">a</a>', '<a href="/">a</a>', ["onclick on <a>"]],
  ['<a href="javascript:x()">a</a>', "<a>a</a>", ["javascript: address on <a>"]],
  ["<a href='&#1;java&#x09;script&colon;x()'>a</a>", "<a>a</a>", ["javascript: address on <a>"]],
  ['<a href="data:text/html,x">a</a>', "<a>a</a>", ["data: address on <a>"]],
  ['<p style="color:red" id="x">a</p>', "<p>a</p>", ["style on <p>", "id on <p>"]],
  ["a<!-- secret -->b", "ab", ["a comment"]],
  ['<img src="https://x.example/p.gif">a', "a", ["<img>"]],
  ["<section><p>a</p></section>", "<p>a</p>", ["<section>"]],
  ["<body onload=x()>a", "a", ["<body>"]],
  ['a<a href="', "a", ["an unfinished tag at the end"]],
  ["a\0b", "ab", ["a NUL character"]],
  ["<svg><p><style><a title='</style><img src=x>'>", "<p>'></p>", ["<svg>", "<style>", "<img>"]],
];

for (const [html, safe, removed] of removals) {
  test(`removes ${removed.join(" and ")} from ${JSON.stringify(html)} and reports it`, () => {
    assert.deepEqual(sanitizeHtml(html), { html: safe, removed });
  });
}

test("adds rel=noopener once to a link that opens another window", () => {
  assert.equal(
    sanitizeHtml('<a href="/" target="_blank" rel="nofollow">a</a>').html,
    '<a href="/" target="_blank" rel="nofollow noopener">a</a>',
  );
  const already = '<a href="/" target="_blank" rel="noreferrer">a</a>';
  assert.equal(sanitizeHtml(already).html, already);
});

const hostile = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//x.example/x.js></sCrIpT>",
  "<script/xss src=x></script>",
  "<<script>alert(1);//<</script>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  '<img src=x onerror="alert(1)">',
  "<img src=`javascript:alert(1)`>",
  '<img """><script>alert(1)</script>">',
  "<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>",
  "<a href=&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058alert(1)>x</a>",
  "<a href='jAvAsCrIpT:alert(1)'>x</a>",
  "<a href='java\nscript:alert(1)'>x</a>",
  "<a href='java\0script:alert(1)'>x</a>",
  "<a href=' &#14; javascript:alert(1)'>x</a>",
  "<a href='vbscript:msgbox(1)'>x</a>",
  "<a href='javascript&colon;alert(1)'>x</a>",
  "<a href='&#x6A&#x61&#x76&#x61script:alert(1)'>x</a>",
  "<a href='feed:javascript:alert(1)'>x</a>",
  "<a xlink:href='javascript:alert(1)'>x</a>",
  "<a href='/' onmouseover=alert(1) OnClick='x'/onfocus=x autofocus>x</a>",
  "<p/onclick=alert(1)>x",
  "<body onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<object data=x><param name=a></object><embed src=x>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'><base href='javascript:/'>",
  "<link rel=stylesheet href=javascript:alert(1)><style>@import 'javascript:alert(1)';</style>",
  "<div style='background:url(javascript:alert(1))'>x</div>",
  "<form action=javascript:alert(1)><button formaction=javascript:x>x</button><input onfocus=x></form>",
  "<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x></svg>",
  "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
  "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "<template><script>alert(1)</script></template><template shadowrootmode=open><img onerror=x src=x></template>",
  "<style><style/><img src=x onerror=alert(1)>",
  "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
  "<title><p title='</title><img src=x onerror=alert(1)>'>",
  "<xmp><p title='</xmp><script>alert(1)</script>'></xmp><plaintext><script>x</script>",
  "<select><style></select><img src=x onerror=alert(1)>",
  "<option><style></option></select><b><img src=x onerror=alert(1)></style></option>",
  "<table><a href=javascript:x><tr><td><a href=javascript:y>z",
  "<!--><img src=x onerror=alert(1)>--><!--!><script>x</script><![CDATA[<script>x</script>]]>",
  "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY x 'y'>]><html onclick=x>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<p title='&quot; onclick=&quot;alert(1)'>x</p>",
  "<a title='`&quot;>&lt;script>alert(1)</script>' href=/>x</a>",
  "<b is=x-custom slot=a part=b name=c data-x=1 contenteditable>x</b>",
  "<x-custom onclick=x><slot name=a></slot></x-custom>",
  "<a id=x name=x class=x href=/ ping=//evil.example download>x</a>",
  "\u2028<script>\u2029</script>\uFEFF<\u0000script>x</script>",
];

for (const html of hostile) {
  test(`removes everything hostile from ${JSON.stringify(html).slice(0, 90)}`, () => {
    assertHarmless(sanitizeHtml(html).html);
    assert.equal(sanitizeHtml(sanitizeHtml(html).html).html, sanitizeHtml(html).html);
  });
}

const pieces = fc.oneof(
  fc.constantFrom(...hostile, ...unchanged),
  fc.constantFrom(
    "<p>",
    "</p>",
    "<a href=x>",
    "</a>",
    "<table>",
    "<td>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
  ),
  fc.constantFrom(
    "<li>",
    "<h2>",
    "<svg>",
    "</svg>",
    "<math>",
    "<!--",
    "-->",
    "<style>",
    "</style>",
    "<br",
  ),
  fc.constantFrom(
    "&",
    "&#13;",
    "&amp",
    "\r",
    "\0",
    "<",
    ">",
    '"',
    "'",
    "&lt;",
    "\uD800",
    "<form>",
    "<code>",
  ),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
);

test("is safe and idempotent for random combinations", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const { html } = sanitizeHtml(parts.join(""));
      assertHarmless(html);
      assert.equal(sanitizeHtml(html).html, html);
    }),
    { numRuns: 1500 },
  );
});

const bombs: [string, string][] = [
  ["nested <b>", "<b>".repeat(10_000)],
  ["nested <div>", `${"<div>".repeat(10_000)}x`],
  ["nested unknown elements", "<x>".repeat(10_000)],
  ["nested <svg>", "<svg><g>".repeat(5000)],
  ["misnested links in tables", "<table><a>".repeat(5000)],
  ["unclosed elements that every paragraph repeats", toRepeated()],
  [
    "distinct character references",
    Array.from({ length: 9000 }, (_, n) => `&#${n + 60};`).join(""),
  ],
  ["attributes", `<b ${Array.from({ length: 9000 }, (_, n) => `a${n}`).join(" ")}>`],
];

for (const [name, html] of bombs) {
  test(`sanitizes thousands of ${name} in limited time, without a stack overflow`, () => {
    const start = performance.now();
    const safe = sanitizeHtml(html);
    assert.ok(performance.now() - start < 2000);
    assert.ok(safe.removed.length <= 50);
    assertHarmless(safe.html);
    assert.equal(sanitizeHtml(safe.html).html, safe.html);
  });
}

test("reports elements nested too deep and too many elements", () => {
  const deep = sanitizeHtml(`${"<div>".repeat(100)}x`);
  assert.equal(deep.html, `${"<div>".repeat(64)}x${"</div>".repeat(64)}`);
  assert.deepEqual(deep.removed, ["elements nested deeper than 64 levels"]);
  const { html, removed } = sanitizeHtml(toRepeated());
  assert.deepEqual([html, removed], ["", ["everything: the markup has more than 20000 elements"]]);
});

function toRepeated(): string {
  const open = Array.from({ length: 2000 }, (_, n) => `<b class=${n}>`).join("");
  return `<p>${open}</p>${"<p>x</p>".repeat(500)}`;
}

/** Reads the answer as a browser would and looks at every element, without the sanitiser's code. */
function assertHarmless(html: string): void {
  const nodes: DefaultTreeAdapterTypes.Node[] = [parseFragment(html)];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    assert.notEqual(node.nodeName, "#comment");
    if ("childNodes" in node) nodes.push(...node.childNodes);
    if (!defaultTreeAdapter.isElementNode(node)) continue;
    assert.ok(allowed.has(node.tagName), `<${node.tagName}> is left in ${html}`);
    assert.equal(node.namespaceURI, "http://www.w3.org/1999/xhtml");
    for (const { name, value } of node.attrs) {
      const names: string[] = node.tagName === "a" ? onLinks : onAll;
      assert.ok(names.includes(name), `${name} is left in ${html}`);
      if (name !== "href") continue;
      const { protocol } = URL.parse(value, "https://site.example/") ?? { protocol: "https:" };
      assert.match(protocol, /^(?:https?|mailto|tel):$/, `${value} is left in ${html}`);
    }
  }
}

test("serializes published HTML in one canonical form", () => {
  const written = writeHtml(
    sanitizeHtml(
      `<P>a &eacute;&#8217;&nbsp;&gt; &lt;b&gt;<BR/><a href='https://x.example/?a=1&b=2"'>x</a>`,
    ).html,
  );
  assert.equal(
    written,
    `<p>a é’\u00a0> &lt;b><br><a href="https://x.example/?a=1&amp;b=2&quot;">x</a></p>`,
  );
});
