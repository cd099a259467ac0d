import { element } from "./dom.ts";

interface Launcher {
  title: string;
  lang: string | undefined;
  /** Where it stands, as classes. */
  place: string;
  onclick: () => void;
}

/** The small button by which the visitor comes back to their choices, at any time; its drawing is in the style. */
export function toLauncher({ place, ...attributes }: Launcher): HTMLElement {
  return element("button", {
    class: `icon ${place}`,
    "aria-label": attributes.title,
    ...attributes,
  });
}
