import type { StoredAnswer } from "../core/form-answers.ts";
import type { BoxContext } from "./box.ts";
import { languageOf } from "./frame.ts";
import { toDay } from "../texts/language.ts";
import { element } from "../banner/dom.ts";

/** The visitor's current answer and its date. */
export function toState(
  { box, say }: BoxContext,
  { accept, isWithdrawn, date }: StoredAnswer,
): Node {
  const state = accept ? "accepted" : isWithdrawn ? "withdrawn" : "refused";
  return element(
    "p",
    { class: `state ${state}`, tabindex: "-1" },
    element("strong", {}, say(state)),
    " ",
    element("time", { datetime: date, class: "soft" }, toDay(date, languageOf(box))),
  );
}

export function toButton(
  text: string,
  onclick: (event: Event) => void,
  className?: string,
): HTMLElement {
  return element("button", { type: "button", class: className, onclick }, text);
}

/** Buttons of equal size: in a row if each text fits on one line, otherwise stacked. */
export function toButtons(...buttons: HTMLElement[]): Node {
  const footer = element("footer", {}, ...buttons);
  const longest = Math.max(...buttons.map(({ textContent }) => textContent.length));
  footer.style.setProperty("--longest", String(longest));
  return footer;
}
