/** An element of a message: a text, or an allowed element with its content. */
export type MessageNode = string | MessageElement;

export interface MessageElement {
  name: string;
  /** The address of a link, name `a`. */
  href: string;
  children: MessageNode[];
}

/** Allowed elements of a message; of others only the content is shown. */
const allowed = /^(a|p|br|div|blockquote|code|h[2-6]|strong|b|em|i|u|s|small|ul|ol|li)$/;
/** The service serializes tags in lower case and values in double quotes, and escapes only `references` (rehype-stringify). */
const token = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+|</g;
const references: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
/** Maximum depth; deeper content is shown at this depth. */
const DEPTH_MAX = 30;

/**
 * Reads a message's HTML. The service has sanitized it. It is sanitized again: `add` is called with allowed elements only,
 * and of their attributes only with the address of a link, which it has to check.
 * @param add adds to `into` a text, or an element with its name and its address, and returns the element
 */
export function readMessage<T>(
  html = "",
  root: T,
  add: (into: T, text: string, name?: string) => T,
): T {
  const open: { name: string; node: T }[] = [];
  for (const [text, slash, name, attributes = ""] of html.matchAll(token)) {
    const into = open.at(-1)?.node ?? root;
    if (!name) add(into, decode(text));
    else if (slash) open.splice(open.findLastIndex((one) => one.name === name));
    else {
      const node =
        open.length < DEPTH_MAX && allowed.test(name)
          ? add(into, decode(/ href="([^"]*)"/.exec(attributes)?.[1] ?? ""), name)
          : into;
      if (name !== "br") open.push({ name, node });
    }
  }
  return root;
}

/** Parses a message's HTML to a tree of allowed elements. Check the address of a link by `isLinkable`. */
export function parseMessage(html: string | undefined): MessageNode[] {
  const root: MessageElement = { name: "", href: "", children: [] };
  return readMessage(html, root, (into, text, name) => {
    const made = { name: name ?? "", href: text, children: [] };
    into.children.push(name === undefined ? text : made);
    return made;
  }).children;
}

/** Whether an address may be linked: HTTP, mail, or a path of the site. */
export function isLinkable(href: string): boolean {
  return /^(https?|mailto):/i.test(href) || !/^[^/?#]*:/.test(href);
}

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (all, name: string) => references[name] ?? all);
}
