/** Allowed elements of a message; of others only the content is shown. */
const allowed = /^(a|p|br|div|blockquote|code|h[2-6]|strong|b|em|i|u|s|small|ul|ol|li)$/;
/** The service serializes tags in lower case and values in double quotes, and escapes only `references` (rehype-stringify). */
const token = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+|</g;
const references: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
/** Maximum depth; deeper content is shown at this depth. */
const DEPTH_MAX = 30;

/**
 * Reads a message's HTML. The service has sanitized it. It is sanitized again by creating only allowed elements. `append`
 * adds a text, or an element by its name with the address in `text` if it is a link (`a`), and returns what was added.
 */
export function readMessage<Node>(
  html = "",
  root: Node,
  append: (into: Node, text: string, name?: string) => Node,
): Node {
  const open: { name: string; node: Node }[] = [];
  for (const [text, slash, name, attributes = ""] of html.matchAll(token)) {
    const into = open.at(-1)?.node ?? root;
    if (!name) append(into, decode(text));
    else if (slash) open.splice(open.findLastIndex((one) => one.name === name));
    else {
      const node =
        open.length < DEPTH_MAX &&
        allowed.test(name) &&
        append(into, decode(/ href="([^"]*)"/.exec(attributes)?.[1] ?? ""), name);
      if (name !== "br") open.push({ name, node: node || into });
    }
  }
  return root;
}

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (all, name: string) => references[name] ?? all);
}
