import { element } from "./dom.ts";

/** Allowed elements of a message; of others only the content is shown. */
const allowed = /^(p|br|div|blockquote|code|h[2-6]|strong|b|em|i|u|s|small|ul|ol|li)$/;
/** The service serializes tags in lower case and values in double quotes, and escapes only `references` (rehype-stringify). */
const token = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+|</g;
const references: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
/** Maximum depth; deeper content is shown at this depth. */
const DEPTH_MAX = 30;

/**
 * Converts a message's HTML to nodes. The service has sanitized it. It is sanitized again by creating only allowed
 * elements. The browser's parser is not used, so a page that enforces Trusted Types needs no policy for it.
 */
export function toNodes(html = ""): Node {
  const root = new DocumentFragment();
  const open: { name: string; node: Node }[] = [];
  for (const [text, slash, name, attributes = ""] of html.matchAll(token)) {
    const into = open.at(-1)?.node ?? root;
    if (!name) into.appendChild(new Text(decode(text)));
    else if (slash) open.splice(open.findLastIndex((one) => one.name === name));
    else {
      const node =
        name === "a"
          ? toLink(decode(/ href="([^"]*)"/.exec(attributes)?.[1] ?? ""))
          : open.length < DEPTH_MAX && allowed.test(name) && document.createElement(name);
      if (node) into.appendChild(node);
      if (name !== "br") open.push({ name, node: node || into });
    }
  }
  return root;
}

/** A link that opens in a new tab; only HTTP and mail addresses are linked. */
export function toLink(href: string, ...children: (Node | string)[]): Node {
  const link = element("a", { href, target: "_blank", rel: "noreferrer" }, ...children);
  return /^(https?|mailto):$/.test(link.protocol) ? link : element("span", {}, ...children);
}

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (all, name: string) => references[name] ?? all);
}
