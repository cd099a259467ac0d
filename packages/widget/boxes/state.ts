import type { Held } from "./answers.ts";
import type { Asked } from "./place.ts";
import { languageOf } from "./frame.ts";
import { toDay } from "../core/language.ts";
import { element } from "../banner/dom.ts";

/** The visitor's answer as it stands, and since when. */
export function toState({ box, say }: Asked, { accept, isWithdrawn, date }: Held): Node {
  const state = accept ? "accepted" : isWithdrawn ? "withdrawn" : "refused";
  return element(
    "p",
    { class: `state ${state}`, tabindex: "-1" },
    element("strong", {}, say(state)),
    " ",
    element("time", { datetime: date, class: "soft" }, toDay(date, languageOf(box))),
  );
}

/** A button of a box. */
export function toButton(
  text: string,
  onclick: (event: Event) => void,
  className?: string,
): HTMLElement {
  return element("button", { type: "button", class: className, onclick }, text);
}

/** Buttons of one size, beside each other where each has its text in one line, else below each other. */
export function toButtons(...buttons: HTMLElement[]): Node {
  const footer = element("footer", {}, ...buttons);
  const longest = Math.max(...buttons.map(({ textContent }) => textContent.length));
  footer.style.setProperty("--longest", String(longest));
  return footer;
}
