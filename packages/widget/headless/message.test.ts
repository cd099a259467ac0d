import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMessage } from "./message.ts";

test("parses allowed elements, and shows only the content of others", () => {
  assert.deepEqual(
    parseMessage('<p class="x" onclick="boom()">A &amp; <b>b</b><br>c</p><img src="x">d'),
    [
      {
        name: "p",
        children: ["A & ", { name: "b", children: ["b"] }, { name: "br", children: [] }, "c"],
      },
      "d",
    ],
  );
  assert.deepEqual(parseMessage("<script>boom()</script>"), ["boom()"]);
  assert.deepEqual(parseMessage(undefined), []);
});

test("links only relative, HTTP and mail addresses", () => {
  const nameOf = (href: string) => {
    const [node] = parseMessage(`<a href="${href}">x</a>`);
    return typeof node === "string" ? node : node?.name;
  };
  for (const href of [
    "https://a.example/?b=1&amp;c=2",
    "mailto:a@b.example",
    "/policy",
    "#a:b",
    "?a:b",
  ])
    assert.equal(nameOf(href), "a", href);
  for (const href of [
    "javascript:boom()",
    " java\nscript:boom()",
    "JAVASCRIPT:boom()",
    "data:text/html,x",
    "",
  ])
    assert.equal(nameOf(href), "span", href);
});

test("limits the depth of a message", () => {
  let depth = 0;
  let [node] = parseMessage("<div>".repeat(1000));
  for (; typeof node === "object"; [node] = node.children) depth += 1;
  assert.equal(depth, 30);
});
