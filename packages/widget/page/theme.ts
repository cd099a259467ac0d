import type { Site } from "../core/site.ts";

/** Sets the published theme as custom properties of an element. */
export function applyTheme(host: HTMLElement, { widget }: Site): void {
  for (const [name, value] of Object.entries(widget?.theme ?? {}))
    host.style.setProperty(`--${name}`, value);
}

/** The position of the banner as classes: `bottom-left` becomes `bottom left`. */
export function toPlace(widgetStyle: NonNullable<Site["client"]>["widgetStyle"]): string {
  return (widgetStyle?.position ?? "bottom-left").replace("-", " ");
}
