export type Child = Node | string | false | null | undefined;

type Attributes = Record<string, string | boolean | ((event: Event) => void) | null | undefined>;

/**
 * Creates an element with attributes and children. Attributes that begin with `on` are listeners; true and false are
 * present and absent; others are text. Nothing is parsed as HTML.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value || value === "") made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child): child is Node | string => Boolean(child)));
  return made;
}

/** Creates an element with a shadow root and these style sheets. */
export function openHost(...sheets: CSSStyleSheet[]): { host: HTMLElement; root: ShadowRoot } {
  if (!customElements.get(ELEMENT)) customElements.define(ELEMENT, class extends HTMLElement {});
  const host = document.createElement(ELEMENT);
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = sheets;
  return { host, root };
}

const ELEMENT = "avow-widget";

/** A style sheet that a policy on inline styles does not block. */
export function toSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** A square, decorative image; nothing unless the address is HTTP. */
export function toImage(src: string | undefined, size: string): Child {
  return src?.startsWith("http") && element("img", { src, alt: "", width: size, height: size });
}
