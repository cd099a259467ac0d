import { texts } from "./shop.ts";

/** Measurements of a banner by its page. */
export interface BannerMeasures {
  /** Time from the start of the navigation until it was visible; 0 until then. */
  shownMs: number;
  /** Cumulative layout shift. */
  shift: number;
  /** The longest task of the main thread over 50 ms. */
  longestMs: number;
  /** Violations of the page's policy, such as `style-src-attr inline`. */
  violations: string[];
}

const WIDTH_MIN = 100;
const HEIGHT_MIN = 50;
const OPACITY_MIN = 0.5;
const STEPS = 8;

/**
 * Runs in the page before any other script, and is the same for all banners. On each frame it tests a grid
 * of points, through shadow roots, for an element that is not of the shop, contains the banner's text, is
 * larger than 100 by 50 pixels and at least half opaque.
 */
export const watch = `(() => {
  const seen = { shownMs: 0, shift: 0, longestMs: 0, violations: [] };
  Object.defineProperty(window, "seenBanner", { value: seen });
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe("layout-shift", ({ value }) => (seen.shift += value));
  observe("longtask", ({ duration }) => (seen.longestMs = Math.max(seen.longestMs, duration)));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    seen.violations.push(effectiveDirective + " " + blockedURI));
  const parentOf = (node) => node.parentElement ?? node.getRootNode().host;
  const hit = (x, y) => {
    let found = document.elementFromPoint(x, y);
    for (;;) {
      const inner = found?.shadowRoot?.elementFromPoint(x, y);
      if (!inner || inner === found) return found;
      found = inner;
    }
  };
  const isBanner = (found) => {
    let opacity = 1;
    let says = false;
    for (let node = found; node && node !== document.body; node = parentOf(node)) {
      if (node === document.documentElement) return false;
      opacity *= Number(getComputedStyle(node).opacity);
      const { width, height } = node.getBoundingClientRect();
      says ||= width > ${WIDTH_MIN} && height > ${HEIGHT_MIN} &&
        node.textContent.includes(${JSON.stringify(texts.message)});
    }
    return says && opacity >= ${OPACITY_MIN};
  };
  const look = () => {
    for (let row = 0; row < ${STEPS}; row++)
      for (let column = 0; column < ${STEPS}; column++) {
        const found = hit((innerWidth * (column + 0.5)) / ${STEPS}, (innerHeight * (row + 0.5)) / ${STEPS});
        if (found && !found.closest("#shop") && isBanner(found)) return void (seen.shownMs = performance.now());
      }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;
