import type { Fields, Site } from "./site.ts";

/**
 * The design of a project on an element of the widget: custom properties as they were published, those
 * of `dark` where the project or the visitor wants it dark.
 */
export function applyTheme(host: HTMLElement, { widget, client }: Site): void {
  const scheme = client?.widgetStyle?.["colorScheme"];
  const isDark =
    scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme:dark)").matches);
  const theme = widget?.theme;
  host.toggleAttribute("data-dark", isDark);
  for (const [name, value] of Object.entries({ ...theme?.all, ...(isDark ? {} : theme?.light) }))
    host.style.setProperty(`--${name}`, value);
}

/** Where the banner stands, as classes: `bottom-left` is the two of its parts. */
export function toPlace(widgetStyle: Fields | undefined): string {
  return ((widgetStyle?.["position"] as string | undefined) ?? "bottom-left").replace("-", " ");
}
