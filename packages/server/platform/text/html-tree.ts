import type { Element, ElementContent, Properties, Root } from "hast";
import { sanitize } from "hast-util-sanitize";
import { defaultTreeAdapter, parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes, ParserError } from "parse5";
import { messageSchema } from "./html-schema.ts";

const depthMax = 64;
const elementsMax = 20_000;
const removedMax = 50;
const htmlNamespace = "http://www.w3.org/1999/xhtml" as Parameters<
  typeof defaultTreeAdapter.createElement
>[1];

/** The markup has more elements than the limit. */
export class HtmlTooComplexError extends Error {
  override readonly name = "HtmlTooComplexError";

  constructor() {
    super(`everything: the markup has more than ${elementsMax} elements`);
  }
}

/** Content that the parser drops without a trace in the tree, by its error code. */
const droppedByParser: Record<string, string> = {
  "duplicate-attribute": "a repeated attribute",
  "eof-in-tag": "an unfinished tag at the end",
  "unexpected-null-character": "a NUL character",
};
const ignoredTags =
  /<(html|head|body|frame|caption|colgroup|col|tbody|thead|tfoot|tr|td|th)[\s/>]/gi;

interface Frame {
  nodes: Iterator<DefaultTreeAdapterTypes.ChildNode>;
  into: ElementContent[];
  depth: number;
}

/**
 * Parses HTML as a browser does for the content of a `div`, keeps what `messageSchema` allows, and adds what it
 * removed to `removed`. Elements nested deeper than 64 levels are replaced by their content. Throws
 * `HtmlTooComplexError`.
 *
 * parse5 is called directly and its tree is walked iteratively, since rehype-parse and hast-util-sanitize recurse
 * and overflow on a few thousand nested elements. hast-util-sanitize checks each element alone.
 */
export function parseSafeHtml(html: string, removed: Set<string>): Root {
  const report = (what: string): void => {
    if (removed.size < removedMax) removed.add(what);
  };
  for (const [, name = ""] of html.matchAll(ignoredTags)) report(`<${name.toLowerCase()}>`);
  const root: Root = { type: "root", children: [] };
  const into = root.children as ElementContent[];
  const frames: Frame[] = [{ nodes: parseBounded(html, report), into, depth: 0 }];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { value: node, done } = frame.nodes.next();
    if (done) frames.pop();
    else if ("tagName" in node) {
      const child = toChildFrame(node, frame, report);
      if (child) frames.push(child);
    } else if (node.nodeName === "#text" && "value" in node) {
      // A carriage return would be parsed as a line feed next time, so sanitizing would not be idempotent.
      frame.into.push({ type: "text", value: toLineFeeds(node.value) });
    } else report("a comment");
  }
  return root;
}

function parseBounded(html: string, report: (what: string) => void) {
  let elements = 0;
  const count = (): void => {
    elements += 1;
    // The parser repeats unclosed formatting elements in every later block, which grows quadratically.
    if (elements > elementsMax) throw new HtmlTooComplexError();
  };
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...parts) {
      count();
      return defaultTreeAdapter.createElement(...parts);
    },
    createCommentNode(data) {
      count();
      return defaultTreeAdapter.createCommentNode(data);
    },
  };
  const context = defaultTreeAdapter.createElement("div", htmlNamespace, []);
  const onParseError = ({ code }: ParserError): void => {
    const dropped = droppedByParser[code];
    if (dropped !== undefined) report(dropped);
  };
  return parseFragment(context, html, { treeAdapter, onParseError }).childNodes.values();
}

/** Adds the element to its parent if it is allowed. Returns the frame of its children. */
function toChildFrame(
  node: DefaultTreeAdapterTypes.Element,
  parent: Frame,
  report: (what: string) => void,
): Frame | undefined {
  const tag = `<${node.tagName.slice(0, 40)}>`;
  const isHtml = node.namespaceURI === htmlNamespace;
  if (!isHtml || messageSchema.strip?.includes(node.tagName)) {
    report(tag);
    return undefined;
  }
  const nodes = node.childNodes.values();
  const safe = toSafeElement(node, report);
  if (safe && parent.depth < depthMax) {
    parent.into.push(safe);
    return { nodes, into: safe.children, depth: parent.depth + 1 };
  }
  report(safe ? `elements nested deeper than ${depthMax} levels` : tag);
  return { nodes, into: parent.into, depth: parent.depth };
}

function toSafeElement(
  { tagName, attrs }: DefaultTreeAdapterTypes.Element,
  report: (what: string) => void,
): Element | undefined {
  const properties: Properties = {};
  for (const { name, value } of attrs) {
    const list = name === "class" || name === "rel";
    const words = value.split(/\s+/).filter((word) => word !== "");
    properties[name === "class" ? "className" : name] = list ? words : toLineFeeds(value);
  }
  const safe = sanitize({ type: "element", tagName, properties, children: [] }, messageSchema);
  if (safe.type !== "element") return undefined;
  for (const [name, value] of Object.entries(properties)) {
    const kept = safe.properties[name];
    if (kept === undefined || (Array.isArray(value) && value.length !== toLength(kept))) {
      report(toAttributeRemoved(tagName, name, String(value)));
    }
  }
  addNoopener(safe.properties);
  return safe;
}

/** Denies the linked page access to `window.opener`. */
function addNoopener(properties: Properties): void {
  if (properties["target"] === undefined) return;
  const rel = [properties["rel"] ?? []].flat().filter((word) => typeof word === "string");
  if (rel.some((word) => /^(?:noopener|noreferrer)$/i.test(word))) return;
  properties["rel"] = [...rel, "noopener"];
}

function toAttributeRemoved(tagName: string, name: string, value: string): string {
  if (name !== "href")
    return `${name === "className" ? "class" : name.slice(0, 40)} on <${tagName}>`;
  const [, scheme = "unknown"] =
    /^([a-z][a-z0-9+.-]*):/i.exec(value.replace(/[\0-\x20]/g, "")) ?? [];
  return `${scheme.slice(0, 40).toLowerCase()}: address on <${tagName}>`;
}

function toLength(value: Properties[string]): number {
  return Array.isArray(value) ? value.length : 1;
}

function toLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
