import type { ConsentAppearance } from "@avow/widget/headless";
import { onMounted } from "vue";

/** The published theme as custom properties of the style sheet. */
export function toStyle({ theme }: ConsentAppearance): Record<string, string> {
  return Object.fromEntries(
    Object.entries(theme).map(([name, value]) => [`--avow-${name}`, value]),
  );
}

/** Sets the theme again in the browser: a policy may forbid the style attributes of a server's page. */
export function useTheme(
  find: () => HTMLElement | null,
  appearance: () => ConsentAppearance,
): void {
  onMounted(() => {
    for (const [name, value] of Object.entries(toStyle(appearance())))
      find()?.style.setProperty(name, value);
  });
}

/** The classes of a position: `bottom-left` is both `avow-bottom` and `avow-left`. */
export function toPlace(position: string): string[] {
  return position.split("-").map((side) => `avow-${side}`);
}
