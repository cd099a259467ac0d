import type { Holding } from "./holding.ts";

type SourceElement = HTMLScriptElement | HTMLIFrameElement | HTMLImageElement;
const types = [HTMLScriptElement, HTMLIFrameElement, HTMLImageElement];
const SELECTOR = "script,iframe[src],img[src]";

/**
 * Holds scripts, frames and images. Elements of the document get the markup that a page may also write by itself
 * (`data-avow-vendor` with `data-src`, or `type="text/plain"` of a script), so that the widget releases all in the order of
 * the document. Scripts that other scripts create keep their identity and their listeners: they get their address once
 * they may run.
 */
export function holdElements(holding: Holding): void {
  const { findVendors, isHeld, wait } = holding;
  /** The addresses of held elements, as they were set. */
  const held = new WeakMap<SourceElement, unknown>();
  /** Elements whose vendors are named by the list and not by the page. */
  const marked = new WeakSet<SourceElement>();
  // oxlint-disable-next-line typescript/unbound-method -- Called with its element.
  const { setAttribute } = Element.prototype;

  const vendorsOf = (element: SourceElement, address: unknown): readonly string[] | undefined => {
    const vendors = findVendors(address);
    const { avowVendor } = element.dataset;
    // An empty name excepts an element.
    return vendors && avowVendor !== undefined && (avowVendor === "" || !marked.has(element))
      ? (avowVendor.match(/\S+/g) ?? [])
      : vendors;
  };
  const mark = (element: SourceElement, vendors: readonly string[]): void => {
    if (element.dataset["avowVendor"] !== undefined && !marked.has(element)) return;
    marked.add(element);
    element.dataset["avowVendor"] = vendors.join(" ");
  };
  const moveSource = (element: SourceElement, address: unknown): void => {
    held.set(element, address);
    element.dataset["src"] = String(address);
  };
  /** Handles a new address of an element. Returns whether it is held; then `set` is called later. */
  const hold = (element: SourceElement, address: unknown, set: () => void): boolean => {
    const isScript = element instanceof HTMLScriptElement;
    if (held.delete(element) && !isScript) element.removeAttribute("data-src");
    const vendors = vendorsOf(element, address);
    if (!vendors || !isHeld(vendors) || (isScript && !isRunnable(element))) return false;
    if (isScript) held.set(element, address);
    else {
      mark(element, vendors);
      moveSource(element, address);
    }
    wait(vendors, () => {
      if (held.get(element) !== address) return;
      held.delete(element);
      if (isScript) mark(element, vendors);
      else element.removeAttribute("data-src");
      set();
    });
    return true;
  };

  for (const { prototype } of types) {
    const own = Object.getOwnPropertyDescriptor(prototype, "src");
    Object.defineProperty(prototype, "src", {
      ...own,
      get(this: SourceElement) {
        return held.has(this) ? toAbsolute(held.get(this)) : own?.get?.call(this);
      },
      set(this: SourceElement, address: unknown) {
        const set = (): void => own?.set?.call(this, address);
        if (!hold(this, address, set)) set();
      },
    });
  }
  Element.prototype.setAttribute = function (name, value) {
    const set = (): void => setAttribute.call(this, name, value);
    if (!/^src$/i.test(name) || !isKnown(this) || !hold(this, value, set)) set();
  };

  /** Handles an element that the parser or a script has added. */
  const check = (element: SourceElement): void => {
    checkSource(element);
    if (!element.hasAttribute(LAZY)) return;
    element.removeAttribute("loading");
    element.removeAttribute(LAZY);
  };
  const checkSource = (element: SourceElement): void => {
    const address = element.getAttribute("src");
    const isScript = element instanceof HTMLScriptElement;
    if (address === null) {
      if (isScript) checkInline(element);
      return;
    }
    const vendors = vendorsOf(element, address);
    if (!vendors?.[0] || (isScript && !isRunnable(element))) return;
    if (!isHeld(vendors)) return mark(element, vendors);
    if (!isScript) {
      mark(element, vendors);
      moveSource(element, address);
      element.removeAttribute("src");
    } else if (isLoading()) stop(element, vendors);
  };
  const checkInline = (script: HTMLScriptElement): void => {
    const isInert = !isRunnable(script);
    if (held.has(script)) {
      // The page made it inert after it was held.
      if (isInert) setAttribute.call(script, "src", held.get(script) as string);
      if (isInert) held.delete(script);
      return;
    }
    // An inline script directly after a blocking one that is held belongs to it.
    const before = script.previousElementSibling;
    if (isInert || !isLoading() || script.dataset["avowVendor"] !== undefined) return;
    if (before instanceof HTMLScriptElement && stopped.has(before) && isBlocking(before))
      stop(script, before.dataset["avowVendor"]?.split(" ") ?? []);
  };
  const stopped = new WeakSet<HTMLScriptElement>();
  /** Stops a script of the parser before it runs. */
  const stop = (script: HTMLScriptElement, vendors: readonly string[]): void => {
    mark(script, vendors);
    stopped.add(script);
    if (script.type) script.dataset["type"] = script.type;
    script.type = "text/plain";
  };

  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      if (isKnown(node)) check(node);
      for (const inner of node.querySelectorAll<SourceElement>(SELECTOR)) check(inner);
    }
  }).observe(document, { childList: true, subtree: true });
  delayInserted(holding);
}

/** Marks elements in inserted HTML that load only once they were checked. */
const LAZY = "data-avow-lazy";
const eager = /<(iframe|img)(?=[\s/])(?![^>]*\sloading=)/gi;
const unmarked = /<script(?=[\s>])(?![^>]*\sdata-avow-vendor)/gi;

/**
 * Frames and images in HTML that a script inserts would load before they are checked. They are made lazy until then, if
 * the HTML contains a host of the list. Scripts in such HTML never run, so they are excepted.
 */
function delayInserted({ isMentioned }: Holding): void {
  const { prototype } = Element;
  const delay = (html: string): string =>
    // Trusted HTML is an object.
    typeof html === "string" && isMentioned(html)
      ? html
          .replace(eager, `<$1 loading="lazy" ${LAZY}`)
          .replace(unmarked, `<script data-avow-vendor=""`)
      : html;
  for (const name of ["innerHTML", "outerHTML"] as const) {
    const own = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, {
      ...own,
      set(html: string) {
        own?.set?.call(this, delay(html));
      },
    });
  }
  // oxlint-disable-next-line typescript/unbound-method -- Called with its element.
  const { insertAdjacentHTML } = prototype;
  prototype.insertAdjacentHTML = function (position, html) {
    insertAdjacentHTML.call(this, position, delay(html));
  };
}

/** Only scripts of the parser can still be stopped when they are in the document. */
function isLoading(): boolean {
  return document.readyState === "loading";
}

function isKnown(element: Element): element is SourceElement {
  return types.some((type) => element instanceof type);
}

/** Whether the parser waits for a script that is stopped. */
function isBlocking(script: HTMLScriptElement): boolean {
  // The property `async` is true for a script that the parser did not run.
  const isAsync = script.hasAttribute("async") || script.defer;
  return Boolean(script.src && !isAsync && script.dataset["type"] !== "module");
}

function isRunnable({ type }: HTMLScriptElement): boolean {
  return !type || /script|module/i.test(type);
}

function toAbsolute(address: unknown): string {
  return new URL(String(address), document.baseURI).href;
}
