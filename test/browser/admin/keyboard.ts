import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** More presses than any screen has tab stops; a frame may have its own. */
const PRESSES_MAX = 400;
const FRAME_MS = 150;

/**
 * Collects the visible interactive elements in the page; of radio buttons with one name the browser stops at
 * one.
 */
const mark = `{
  const wanted = 'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';
  const named = new Set();
  window.stops = [...document.querySelectorAll(wanted)].filter((one) => {
    if (one.tabIndex < 0 || !one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
    if (one.closest(".hidden, .skip") || one.type !== "radio") return !one.closest(".hidden");
    const group = one.name + (one.form ? [...document.forms].indexOf(one.form) : "");
    return !named.has(group) && named.add(group);
  });
  window.met = new Set();
  window.lookedAt = null;
  window.stops.length;
}`;

/** Makes the next Tab start at the beginning of the page. */
const resetFocus = `{
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}`;

/** The focused element, whether the focus is visible, and whether it has moved. */
const readStop = `(() => {
  const at = document.activeElement;
  const group = at.type === "radio" ? stops.find((one) => one.type === "radio" && one.name === at.name && one.form === at.form) : at;
  met.add(group);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const isMoved = at !== window.lookedAt;
  window.lookedAt = at;
  return {
    isSettled: frames.length === 0 || (isMoved && at !== document.body && !(at instanceof HTMLIFrameElement)),
    isOut: at === document.body,
    isFrame: at instanceof HTMLIFrameElement,
    isSeen: outlineStyle !== "none" && parseFloat(outlineWidth) > 0,
    html: at.outerHTML.slice(0, 160),
  };
})()`;

interface Stop {
  isSettled: boolean;
  isOut: boolean;
  isFrame: boolean;
  isSeen: boolean;
  html: string;
}

/**
 * The focus enters and leaves a frame of another process shortly after the key press, and is nowhere in
 * between.
 */
async function readStopAfterPress(page: Page): Promise<Stop> {
  const stop = await page.evaluate<Stop>(readStop);
  if (stop.isSettled) return stop;
  await page.waitForTimeout(FRAME_MS);
  return page.evaluate<Stop>(readStop);
}

/**
 * Walks once through a screen by Tab, from its beginning until the focus leaves the page. Returns the number
 * of tab stops. Fails when the focus is invisible, is trapped, or has skipped an element.
 */
export async function walk(page: Page, place: string): Promise<number> {
  await page.evaluate(resetFocus);
  const count = await page.evaluate<number>(mark);
  let before = "";
  for (let presses = 0; ; presses += 1) {
    assert.ok(presses < PRESSES_MAX, `${place}: the focus is trapped after ${before}`);
    await page.keyboard.press("Tab");
    const stop = await readStopAfterPress(page);
    if (stop.isOut && presses > 0) break;
    assert.ok(stop.isSeen || stop.isFrame, `${place}: the focus is invisible on ${stop.html}`);
    before = stop.html;
  }
  const left = await page.evaluate<string[]>(
    // A preview that was redrawn is another frame.
    "stops.filter((one) => one.isConnected && !met.has(one)).map((one) => one.outerHTML.slice(0, 160))",
  );
  assert.deepEqual(left, [], `${place}: elements that Tab does not reach`);
  return count;
}

/**
 * Presses Tab in a dialog until its first stop comes again, and ends there. Fails when the focus reaches the
 * page behind.
 */
export async function walkDialog(page: Page, place: string): Promise<void> {
  const stops = await page.evaluate<number>(
    "document.querySelectorAll('dialog :is(a, button, input, select, textarea, summary)').length",
  );
  for (let presses = 0; presses < stops + 2; presses += 1) {
    await page.keyboard.press("Tab");
    const isBehind = await page.evaluate<boolean>(
      "document.activeElement !== document.body && !document.activeElement.closest('dialog')",
    );
    assert.equal(isBehind, false, `${place}: the focus reached the page behind the dialog`);
  }
  // In the browser's own toolbar no key of the page applies; the next stop is the dialog's first.
  if (await page.evaluate<boolean>("document.activeElement === document.body"))
    await page.keyboard.press("Tab");
}
