import { type Child, element, toImage } from "./dom.ts";
import { toNodes } from "./html.ts";
import type { Cookies, Step } from "../core/site.ts";
import { type VendorChoices, toVendors } from "./vendors.ts";
import type { Say } from "../core/words.ts";

/** The visitor's answer: for all vendors, for each vendor, or none. */
export type Answer = boolean | Readonly<Record<string, boolean>> | undefined;

/** The layout `iab`, which is in another file. */
export interface Iab {
  /** Added to the widget's style sheet. */
  sheet: CSSStyleSheet;
  /** The content of a step above its vendors; `isFirst` for the first layer. */
  toMain(step: Step, say: Say, isFirst: boolean): Node;
  /** Called when the banner opens and closes. If there is an answer, it follows synchronously. */
  onShow(isShown: boolean): void;
}

export interface BannerOptions {
  cookies: Cookies;
  /** The texts of a step. */
  sayFor: (step: Step) => Say;
  /** Earlier answers by vendor. */
  chosen: VendorChoices;
  isAsked: (vendor: string) => boolean;
  /** Whether the visitor opened it: all choices are on one screen. Otherwise it shows one step after the other. */
  isReopened: boolean;
  /** Whether it blocks the page. */
  isModal: boolean;
  isOptedOut: boolean;
  place: string;
  iab?: Iab | undefined;
  /** Called with the name of the first step. */
  onOpen: (step: string) => void;
  onAnswer: (answer: Answer) => void;
  /** Opens the visitor's own page; missing when there is nothing on it. */
  onPerson?: ((event: Event) => void) | false | "" | undefined;
}

/**
 * Opens the cookie banner. Accept and refuse look alike, are side by side on every step that asks, and take one click
 * each. No switch is on that was not accepted before. Returns a function that closes it; `onAnswer` has to call it.
 */
export function openBanner(root: ShadowRoot, options: BannerOptions): () => void {
  const { cookies, sayFor, isReopened, isModal, place, iab, onAnswer } = options;
  const screens = toScreens(options);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const dismiss = (): void => onAnswer(undefined);
  const dialog = element("dialog", {
    lang: cookies.language,
    "aria-labelledby": "title",
    oncancel: dismiss,
    onkeydown: (event) => {
      if ((event as KeyboardEvent).key === "Escape") dismiss();
    },
  });
  /** Does not close the banner while it is hovered or focused. */
  const wait = (ms: number): void => {
    timer = setTimeout(() => (dialog.matches(":hover,:focus-within") ? wait(ms) : dismiss()), ms);
  };
  const show = (at: number): void => {
    const steps = screens[at] ?? [];
    const [step] = steps;
    if (!step) return;
    clearTimeout(timer);
    dialog.dir = sayFor(step)("dir");
    dialog.className = `${place} ${step.layout ?? ""}`;
    dialog.replaceChildren(...toParts(options, { screens, at, show, steps, first: step }));
    if (at || isReopened || isModal) dialog.querySelector("h2")?.focus();
    if (step.timeout && !isReopened) wait(step.timeout);
  };
  root.append(dialog);
  iab?.onShow(true);
  if (isModal || isReopened) dialog.showModal();
  // `show()` would move the focus away from the page.
  else dialog.open = true;
  show(0);
  options.onOpen(screens[0]?.[0]?.name ?? "");
  return () => {
    clearTimeout(timer);
    // The browser restores the previous focus.
    dialog.close();
    dialog.remove();
    iab?.onShow(false);
  };
}

/**
 * One screen for each step, without steps whose vendors have all been answered. One screen for all steps if the visitor
 * opened it.
 */
function toScreens({ cookies, isReopened, isAsked }: BannerOptions): Step[][] {
  const steps = (cookies.steps ?? []).filter(
    (step) => isAsking(step, isAsked) || step.vendors?.every(({ required }) => required) !== false,
  );
  const deciding = steps.filter(({ layout, vendors }) => layout === "iab" || vendors?.[0]);
  return isReopened && deciding[0] ? [deciding] : steps.map((step) => [step]);
}

/** Whether a step asks for a vendor, or has the layout `iab`. */
function isAsking({ layout, vendors }: Step, isAsked: BannerOptions["isAsked"]): boolean {
  return layout === "iab" || vendors?.some(({ name }) => isAsked(name)) === true;
}

interface Screen {
  screens: readonly Step[][];
  at: number;
  show: (at: number) => void;
  /** The steps on the screen, and the first of them. */
  steps: readonly Step[];
  first: Step;
}

function toParts(options: BannerOptions, screen: Screen): Node[] {
  const { sayFor, isReopened, isOptedOut, iab, onAnswer } = options;
  const { steps, first } = screen;
  const say = sayFor(first);
  const toSection = (step: Step): Child[] => [
    isReopened && element("h3", {}, step.title || step.name),
    toNodes(step.message),
    iab?.toMain(step, sayFor(step), !screen.at && !isReopened),
    toVendors(step, { ...options, say: sayFor(step) }),
  ];
  return [
    isReopened
      ? toHeader(
          { name: say("settings") },
          element(
            "button",
            { class: "x", "aria-label": say("close"), onclick: () => onAnswer(undefined) },
            "×",
          ),
        )
      : toHeader(first),
    element(
      "section",
      { tabindex: "0", "aria-labelledby": "title" },
      isOptedOut && element("p", { class: "note" }, say("optedOut")),
      ...steps.flatMap(toSection),
    ),
    element("div", { class: "foot" }, ...toButtons(say, options, screen)),
  ];
}

/** The class of secondary buttons. */
const PLAIN = " plain";

function toHeader(
  { name, topTitle, title, subTitle, image }: Omit<Step, "layout">,
  close?: Node,
): Node {
  return element(
    "div",
    { class: "head" },
    element(
      "div",
      {},
      topTitle && element("p", { class: "soft" }, topTitle),
      element("h2", { id: "title", tabindex: "-1" }, title || name),
      subTitle && element("p", { class: "soft" }, subTitle),
    ),
    toImage(image, "72"),
    close,
  );
}

function toButtons(say: Say, options: BannerOptions, { screens, at, show }: Screen): Child[] {
  const { chosen, isAsked, onAnswer, onPerson } = options;
  const button = (name: string, onclick: (event: Event) => void, className = ""): Node =>
    element("button", { class: name + className, onclick }, say(name));
  if (!screens.flat().some((step) => isAsking(step, isAsked)))
    return [button("close", () => onAnswer(undefined))];
  const isLast = !screens[at + 1];
  const save = (): void =>
    onAnswer(Object.fromEntries([...chosen].filter(([name]) => isAsked(name))));
  return [
    button("refuseAll", () => onAnswer(false)),
    button("acceptAll", () => onAnswer(true)),
    isLast && button("save", save),
    at > 0 && button("back", () => show(at - 1), PLAIN),
    !isLast && button(at ? "next" : "choose", () => show(at + 1), PLAIN),
    onPerson && button("receipts", onPerson, PLAIN),
  ];
}
