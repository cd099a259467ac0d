import type { Site } from "./site.ts";

/** The design of a project on an element of the widget: custom properties as they were published. */
export function applyTheme(host: HTMLElement, { widget }: Site): void {
  for (const [name, value] of Object.entries(widget?.theme ?? {}))
    host.style.setProperty(`--${name}`, value);
}

/** Where the banner stands, as classes: `bottom-left` is the two of its parts. */
export function toPlace(widgetStyle: NonNullable<Site["client"]>["widgetStyle"]): string {
  return (widgetStyle?.position ?? "bottom-left").replace("-", " ");
}
