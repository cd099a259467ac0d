import { element } from "./dom.ts";

/** The small button by which the visitor comes back to their choices, at any time; its drawing is in the style. */
export function toLauncher(label: string, place: string, onclick: () => void): HTMLElement {
  const className = `icon ${place}`;
  return element("button", {
    type: "button",
    class: className,
    title: label,
    "aria-label": label,
    onclick,
  });
}
