import { readMessage } from "../texts/message.ts";
import { element } from "./dom.ts";

/**
 * Converts a message's HTML to nodes. The browser's parser is not used, so a page that enforces Trusted Types needs no
 * policy for it.
 */
export function toNodes(html?: string): Node {
  return readMessage<Node>(html, new DocumentFragment(), (into, text, name) =>
    into.appendChild(
      name ? (name === "a" ? toLink(text) : document.createElement(name)) : new Text(text),
    ),
  );
}

/** A link that opens in a new tab; only HTTP and mail addresses are linked. */
export function toLink(href: string, ...children: (Node | string)[]): Node {
  const link = element("a", { href, target: "_blank", rel: "noreferrer" }, ...children);
  return /^(https?|mailto):$/.test(link.protocol) ? link : element("span", {}, ...children);
}
