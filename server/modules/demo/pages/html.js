/** Elements that a message may bring along; of others only the content is kept. */
const allowed = new Set(
  "P BR DIV SPAN BLOCKQUOTE CODE H2 H3 H4 H5 H6 STRONG B EM I U S SMALL UL OL LI A".split(" "),
);
const dropped = new Set(["SCRIPT", "STYLE", "TEMPLATE", "SVG", "MATH", "IFRAME", "OBJECT"]);

/**
 * An element with attributes and children. Attributes: `on…` are listeners, true and false are
 * present and absent, others are text; children are nodes or text.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== ""));
  return made;
}

/**
 * The nodes of a message's HTML. The service has sanitised it; here it is parsed in a document that
 * runs nothing, and only known elements, text and web addresses are copied over.
 */
export function toNodes(html) {
  const parsed = new DOMParser().parseFromString(html ?? "", "text/html");
  return copyChildren(parsed.body);
}

function copyChildren(parent) {
  return [...parent.childNodes].flatMap(copyNode);
}

function copyNode(node) {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.data)];
  const name = node.nodeName.toUpperCase();
  if (node.nodeType !== Node.ELEMENT_NODE || dropped.has(name)) return [];
  if (!allowed.has(name)) return copyChildren(node);
  const href = name === "A" ? toWebAddress(node.getAttribute("href")) : undefined;
  const attributes = href ? { href, target: "_blank", rel: "noopener noreferrer" } : {};
  return [element(name.toLowerCase(), attributes, copyChildren(node))];
}

/** The address when it is one of the web, undefined otherwise. */
export function toWebAddress(text) {
  const url = URL.parse(text ?? "");
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
