import type { Asked } from "./asked.ts";
import css from "./style.css";
import { type Child, element, openHost, textOf, toSheet } from "../dom.ts";
import ground from "../ground.css";
import { applyTheme } from "../theme.ts";

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
export function languageOf({ language }: Asked["box"]): string {
  return textOf(language) ?? LANGUAGE;
}

/** The head of a screen: titles, and a picture where its address is a safe one. */
export function toHead(title: unknown, subTitle?: unknown, picture?: unknown): Node {
  const image = textOf(picture) ?? "";
  const soft = textOf(subTitle);
  return element(
    "header",
    {},
    element(
      "div",
      {},
      element("p", { id: "title", class: "title" }, textOf(title) ?? soft),
      textOf(title) !== undefined && soft !== undefined && element("p", { class: "soft" }, soft),
    ),
    /^https:/i.test(image) && element("img", { src: image, alt: "", width: "56", height: "56" }),
  );
}
