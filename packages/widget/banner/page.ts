import { emitError } from "../page/events.ts";
import type { Boxes, PageContext } from "./features.ts";
import type { Parts } from "./parts.ts";

const SCAN_MS = 50;
/** Elements of a site that open the choices. */
const OPENER = "[data-avow-open]";
const BOXES = "[data-avow]";
/** Held frames, which get placeholders. */
const FRAMES = ",iframe[data-avow-vendor][data-src]";

/** Watches the page for added boxes and tags, and for clicks on its own links to the choices. */
export function watchPage(
  parts: Parts & PageContext,
  { open, run }: { open: () => Promise<void>; run: () => void },
): void {
  let boxes: Promise<Boxes> | undefined;
  const scan = (): void => {
    run();
    if (!document.querySelector(BOXES + (parts.site.widget?.embeds ? FRAMES : ""))) return;
    boxes ??= parts.load("boxes").then(({ openBoxes }) => openBoxes(parts));
    boxes.then(({ fill }) => fill()).catch(emitError);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  new MutationObserver(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      scan();
    }, SCAN_MS);
  }).observe(document, { childList: true, subtree: true });
  document.addEventListener("click", (event) => {
    // Not every target is an element.
    if (!(event.target as Partial<Element>).closest?.(OPENER)) return;
    event.preventDefault();
    void open();
  });
  scan();
}
