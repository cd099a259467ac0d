import { emitError, on } from "../page/events.ts";
import type { Boxes, PageContext } from "../banner/features.ts";
import { sayIn } from "../core/words.ts";
import { isVisible } from "./layout.ts";
import { type Placeholder, openPlaceholder } from "./placeholder.ts";

const FRAMES = "iframe[data-avow-vendor][data-src]";

/**
 * Shows a placeholder instead of each frame that waits for its vendors: it can load the frame once, or accept the vendors.
 * Frames that are too small for it get none.
 */
export function openEmbeds(context: PageContext): Boxes {
  const { site, cookies, choices, answer } = context;
  const say = sayIn(site, cookies.language, cookies.strings);
  const shown = new Map<HTMLIFrameElement, Placeholder>();
  // A frame may become visible later, such as in a tab of the page.
  const sizes = new ResizeObserver(() => fill());
  const open = (frame: HTMLIFrameElement): void => {
    const names = frame.dataset["avowVendor"]?.match(/\S+/g) ?? [];
    const close = (): void => {
      shown.get(frame)?.close();
      shown.delete(frame);
    };
    const load = (): void => {
      close();
      // Without a vendor the frame is neither held nor does it count as accepted.
      frame.dataset["avowVendor"] = "";
      frame.src = frame.dataset["src"] ?? "";
      frame.removeAttribute("data-src");
      frame.focus();
    };
    const allow = (): void => {
      answer(Object.fromEntries(names.map((name) => [name, true]))).catch(emitError);
      close();
      frame.focus();
    };
    const onAllow = names.every(choices.isAsked) && allow;
    shown.set(frame, openPlaceholder(context, { frame, names, say, onLoad: load, onAllow }));
  };
  const fill = (): void => {
    for (const [frame, { host, close }] of shown)
      if (!frame.matches(FRAMES) || frame.nextSibling !== host) {
        close();
        shown.delete(frame);
      }
    for (const frame of document.querySelectorAll<HTMLIFrameElement>(FRAMES)) {
      sizes.observe(frame);
      if (!shown.has(frame) && isVisible(frame)) open(frame);
    }
  };
  on("answered", fill);
  const isOn = cookies.settings?.["placeholders"] !== false && say("embedOnce") !== "embedOnce";
  return { fill: () => isOn && fill() };
}
