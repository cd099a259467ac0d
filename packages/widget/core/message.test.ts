import assert from "node:assert/strict";
import { test } from "node:test";
import { isLinkable, parseMessage } from "./message.ts";

test("parses allowed elements, and shows only the content of others", () => {
  const html =
    '<p class="x" onclick="boom()">A &amp; <a href="/b?c=1&amp;d">b</a><br>c</p><img src="x">d';
  assert.deepEqual(parseMessage(html), [
    {
      name: "p",
      href: "",
      children: [
        "A & ",
        { name: "a", href: "/b?c=1&d", children: ["b"] },
        { name: "br", href: "", children: [] },
        "c",
      ],
    },
    "d",
  ]);
  assert.deepEqual(parseMessage("<script>boom()</script>"), ["boom()"]);
  assert.deepEqual(parseMessage(undefined), []);
});

test("links only relative, HTTP and mail addresses", () => {
  for (const href of ["https://a.example/?b=1", "mailto:a@b.example", "/policy", "#a:b", "?a:b"])
    assert.equal(isLinkable(href), true, href);
  for (const href of [
    "javascript:boom()",
    " java\nscript:boom()",
    "JAVASCRIPT:boom()",
    "data:text/html,x",
  ])
    assert.equal(isLinkable(href), false, href);
});

test("limits the depth of a message", () => {
  let depth = 0;
  let [node] = parseMessage("<div>".repeat(1000));
  for (; typeof node === "object"; [node] = node.children) depth += 1;
  assert.equal(depth, 30);
});
