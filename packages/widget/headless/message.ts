import { readMessage } from "../core/html.ts";

/** A part of a message: a text or an element. */
export type MessageNode = string | MessageElement;

export interface MessageElement {
  /** Such as `p`; the service's pages list the allowed ones. A link without a usable address is a `span`. */
  name: string;
  /** The address of a link (`a`): relative, or of HTTP or mail. */
  href?: string;
  children: MessageNode[];
}

/** Parses a message's HTML to a tree of allowed elements, without attributes but the address of a link. */
export function parseMessage(html: string | undefined): readonly MessageNode[] {
  const root: MessageElement = { name: "", children: [] };
  return readMessage<MessageElement>(html, root, (into, text, name) => {
    const added = toElement(text, name);
    into.children.push(name ? added : text);
    return added;
  }).children;
}

function toElement(text: string, name = ""): MessageElement {
  if (name !== "a") return { name, children: [] };
  return isLinkable(text) ? { name, href: text, children: [] } : { name: "span", children: [] };
}

/** Whether an address is relative, or of HTTP or mail. Browsers ignore spaces and control characters in a scheme. */
export function isLinkable(href: string): boolean {
  const [, scheme] = /^([^/?#]*?):/.exec(href.replaceAll(/[\0- ]/g, "")) ?? [];
  return scheme === undefined ? href !== "" : /^(https?|mailto)$/i.test(scheme);
}
