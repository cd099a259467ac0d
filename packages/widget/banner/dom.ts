export type Child = Node | string | false | null | undefined;

type Attributes = Record<string, string | boolean | ((event: Event) => void) | null | undefined>;

/**
 * An element with attributes and children. Attributes whose name begins with `on` are listeners; true
 * and false are present and absent; others are text. Nothing is ever parsed as HTML or run.
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

/** An element with a shadow root of its own, which wears these style sheets. */
export function openHost(...sheets: CSSStyleSheet[]): { host: HTMLElement; root: ShadowRoot } {
  if (!customElements.get(ELEMENT)) customElements.define(ELEMENT, class extends HTMLElement {});
  const host = document.createElement(ELEMENT);
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = sheets;
  return { host, root };
}

const ELEMENT = "avow-widget";

/** A style sheet that no policy on inline styles concerns. */
export function toSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** A picture that adds nothing to what is said, square; nothing for what is no address of the web. */
export function toImage(src: string | undefined, size: string): Child {
  return src?.startsWith("http") && element("img", { src, alt: "", width: size, height: size });
}
