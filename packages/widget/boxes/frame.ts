import type { Asked } from "./place.ts";
import css from "./style.css";
import { type Child, element, openHost, toSheet } from "../banner/dom.ts";
import ground from "../banner/ground.css";
import { applyTheme } from "../core/theme.ts";

/** What every box stands in: an element with a shadow root, in the language of its configuration. */
export interface Frame {
  host: HTMLElement;
  /** Shows a screen in place of the one before. */
  show(...screen: Child[]): void;
  /** Tells what went wrong; nothing, where the text is empty. */
  tell(text: string): void;
  setBusy(isBusy: boolean): void;
  /** Brings the keyboard, and who is read to, to the screen that is new. */
  focus(): void;
}

/** English, as the words of the widget are where a configuration names no language. */
const LANGUAGE = "en";

let sheet: CSSStyleSheet | undefined;

/** Opens a box at its place; nothing is in it yet. */
export function openFrame({ box, context, place, say }: Asked): Frame {
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
    tell: (text) => (alert.textContent = text),
    setBusy: (isBusy) => section.setAttribute("aria-busy", String(isBusy)),
    focus: () => (section.querySelector<HTMLElement>(".state") ?? section).focus(),
  };
}

/** The language of a configuration. */
export function languageOf({ language = LANGUAGE }: Asked["box"]): string {
  return language;
}

/** The head of a screen: titles, and a picture where its address is a safe one. */
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
