import { signal } from "@preact/signals";

/** `all`: projects, screens and actions; `projects`: projects only. */
export type PaletteKind = "all" | "projects";

/** The open command palette; undefined: closed. */
export const palette = signal<PaletteKind | undefined>(undefined);

/** Opens the command palette, unless another dialog is open: it would cover that one's input. */
export function openPalette(kind: PaletteKind = "all"): void {
  if (palette.peek() || document.querySelector("dialog[open]")) return;
  // The navigation of a phone is in front of everything: it is closed first.
  document.querySelector<HTMLElement>("[popover].side:popover-open")?.hidePopover();
  palette.value = kind;
}

/** Opens the palette on Ctrl+K, or on Cmd+K on a Mac. */
export function followShortcut(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
  if (event.shiftKey || event.altKey) return;
  event.preventDefault();
  openPalette();
}

/** The shortcut as this system writes it. */
export const shortcut = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";
