import assert from "node:assert/strict";
import { it } from "node:test";
import { isLinkable, parseMessage } from "./message.ts";

it("parses allowed elements, and of others only the content", () => {
  const html = '<p>May <b>we</b>?<br><script>x()</script> <a href="/a?b=1&amp;c">More</a></p>';
  assert.deepEqual(parseMessage(html), [
    {
      name: "p",
      href: "",
      children: [
        "May ",
        { name: "b", href: "", children: ["we"] },
        "?",
        { name: "br", href: "", children: [] },
        "x()",
        " ",
        { name: "a", href: "/a?b=1&c", children: ["More"] },
      ],
    },
  ]);
  assert.deepEqual(parseMessage(undefined), []);
});

it("limits the depth", () => {
  const depthOf = (nodes: ReturnType<typeof parseMessage>): number =>
    Math.max(0, ...nodes.map((one) => (typeof one === "string" ? 0 : 1 + depthOf(one.children))));
  assert.equal(depthOf(parseMessage("<div>".repeat(1000))), 30);
});

it("links HTTP, mail and paths only", () => {
  for (const href of ["https://a.example/", "mailto:a@a.example", "/a", "a", "?a:b"])
    assert.equal(isLinkable(href), true, href);
  for (const href of ["javascript:a()", "java\tscript:a()", " javascript:a()", "data:text/html,a"])
    assert.equal(isLinkable(href), false, href);
});
