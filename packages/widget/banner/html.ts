import { element } from "./dom.ts";

/** Elements that a message may bring along; of others only what is in them is shown. */
const allowed = /^(p|br|div|blockquote|code|h[2-6]|strong|b|em|i|u|s|small|ul|ol|li)$/;
/** The service writes tags in small letters, values in double quotes, and escapes no more than these (rehype-stringify). */
const token = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+|</g;
const references: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
/** What is deeper is shown all the same, as if it stood there. */
const DEPTH_MAX = 30;

/**
 * A message's HTML as nodes. The service has sanitised it; here it is sanitised again by building only
 * what is known, out of text: no parser of the browser sees it, so that a page that enforces Trusted
 * Types needs no policy for it.
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

/** A link that opens beside the page; nothing else than the web and mail is linked. */
export function toLink(href: string, ...children: (Node | string)[]): Node {
  const link = element("a", { href, target: "_blank", rel: "noreferrer" }, ...children);
  return /^(https?|mailto):$/.test(link.protocol) ? link : element("span", {}, ...children);
}

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (all, name: string) => references[name] ?? all);
}
