import type { BoxContext } from "./box.ts";
import css from "./style.css";
import { type Child, element, openHost, toSheet } from "../banner/dom.ts";
import ground from "../banner/ground.css";
import { applyTheme } from "../page/theme.ts";

/** The host element of a box, with a shadow root and the language of its configuration. */
export interface Frame {
  host: HTMLElement;
  /** Replaces the current screen. */
  show(...screen: Child[]): void;
  /** Shows an error; an empty text removes it. */
  setError(text: string): void;
  setBusy(isBusy: boolean): void;
  /** Focuses the new screen, for keyboards and screen readers. */
  focus(): void;
}

/** The default language of a configuration, which is that of the widget's texts. */
const LANGUAGE = "en";

let sheet: CSSStyleSheet | undefined;

/** Opens an empty frame in the box's element of the page. */
export function openFrame({ box, context, place, say }: BoxContext): Frame {
  const { host, root } = openHost((sheet ??= toSheet(ground + css)));
  host.lang = languageOf(box);
  host.dir = say("dir");
  applyTheme(host, context.site);
  const alert = element("p", { role: "alert", class: "alert" });
  const section = element("section", { role: "group", "aria-labelledby": "title", tabindex: "-1" });
  root.append(section);
  place.append(host);
  return {
    host,
    show: (...screen) =>
      section.replaceChildren(...screen.filter((one) => one instanceof Node), alert),
    setError: (text) => (alert.textContent = text),
    setBusy: (isBusy) => section.setAttribute("aria-busy", String(isBusy)),
    focus: () => (section.querySelector<HTMLElement>(".state") ?? section).focus(),
  };
}

export function languageOf({ language = LANGUAGE }: BoxContext["box"]): string {
  return language;
}

/** The head of a screen: titles, and a picture if its address is HTTPS. */
export function toHead(title?: string, subTitle?: string, picture = ""): Node {
  return element(
    "header",
    {},
    element(
      "div",
      {},
      element("p", { id: "title", class: "title" }, title || subTitle),
      title && subTitle && element("p", { class: "soft" }, subTitle),
    ),
    /^https:/i.test(picture) &&
      element("img", { src: picture, alt: "", width: "56", height: "56" }),
  );
}
