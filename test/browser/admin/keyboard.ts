import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** More presses than any screen has stops; a frame may have stops of its own. */
const PRESSES_MAX = 400;
const FRAME_MS = 150;

/** Names what can be acted on and is to be seen, in the page; of radio buttons of one name the browser stops at one. */
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

/** Has the next Tab begin with the page, wherever the focus was. */
const toBeginning = `{
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}`;

/** Where the focus is, whether it is to be seen, and how much has been met. */
const look = `(() => {
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

/** Into a frame of another process, and out of it, the focus goes a moment after the press: it is nowhere meanwhile. */
async function lookAfterPress(page: Page): Promise<Stop> {
  const stop = await page.evaluate<Stop>(look);
  if (stop.isSettled) return stop;
  await page.waitForTimeout(FRAME_MS);
  return page.evaluate<Stop>(look);
}

/**
 * Goes once through a screen by Tab, from its beginning until the focus leaves the page. Answers how many stops there are.
 * Fails where the focus is not to be seen, cannot get on, or has left something out.
 */
export async function walk(page: Page, place: string): Promise<number> {
  await page.evaluate(toBeginning);
  const count = await page.evaluate<number>(mark);
  let before = "";
  for (let presses = 0; ; presses += 1) {
    assert.ok(presses < PRESSES_MAX, `${place}: the focus does not get out, at ${before}`);
    await page.keyboard.press("Tab");
    const stop = await lookAfterPress(page);
    if (stop.isOut && presses > 0) break;
    assert.ok(stop.isSeen || stop.isFrame, `${place}: the focus is not to be seen on ${stop.html}`);
    before = stop.html;
  }
  const left = await page.evaluate<string[]>(
    // A preview that was drawn anew meanwhile is another frame.
    "stops.filter((one) => one.isConnected && !met.has(one)).map((one) => one.outerHTML.slice(0, 160))",
  );
  assert.deepEqual(left, [], `${place}: what no Tab leads to`);
  return count;
}

/** Presses Tab in a dialog until its first stop comes again, and ends in it: the focus never gets behind it. */
export async function walkDialog(page: Page, place: string): Promise<void> {
  const stops = await page.evaluate<number>(
    "document.querySelectorAll('dialog :is(a, button, input, select, textarea, summary)').length",
  );
  for (let presses = 0; presses < stops + 2; presses += 1) {
    await page.keyboard.press("Tab");
    const isBehind = await page.evaluate<boolean>(
      "document.activeElement !== document.body && !document.activeElement.closest('dialog')",
    );
    assert.equal(isBehind, false, `${place}: the focus got behind the dialog`);
  }
  // At the browser's own bar, where no key of the page counts, it is not left: the next stop is the dialog's first.
  if (await page.evaluate<boolean>("document.activeElement === document.body"))
    await page.keyboard.press("Tab");
}
