import { type Child, element, toImage } from "./dom.ts";
import { toNodes } from "./html.ts";
import type { Cookies, Step } from "../core/site.ts";
import { type Chosen, toVendors } from "./vendors.ts";
import type { Say } from "../core/words.ts";

/** What the visitor did with the banner: an answer for all that was asked, for each vendor by itself, or none. */
export type Answer = boolean | Readonly<Record<string, boolean>> | undefined;

/** What shows the layout `iab`, which another file brings. */
export interface Iab {
  /** Worn beside the widget's own. */
  sheet: CSSStyleSheet;
  /** What a step shows above its own vendors; `isFirst`: it is what a visitor sees first. */
  toMain(step: Step, say: Say, isFirst: boolean): Node;
  /** The banner comes and goes; its answer, if there is one, follows at once. */
  onShow(isShown: boolean): void;
}

export interface BannerOptions {
  cookies: Cookies;
  /** The texts of a step. */
  sayFor: (step: Step) => Say;
  /** By vendor: what was answered before, and for whom the answer is asked for. */
  chosen: Chosen;
  isAsked: (vendor: string) => boolean;
  /** Opened by the visitor, with all that can be decided at once; otherwise it asks step after step. */
  isReopened: boolean;
  /** Whether the page waits behind it. */
  isModal: boolean;
  isOptedOut: boolean;
  place: string;
  iab?: Iab | undefined;
  /** Told the name of the step that it opens with. */
  onOpen: (step: string) => void;
  onAnswer: (answer: Answer) => void;
  /** Goes to the visitor's own page; nothing where there is nothing on it. */
  onPerson?: ((event: Event) => void) | false | "" | undefined;
}

/**
 * The dialog that asks for cookies. Accepting and refusing look alike, stand side by side on every step
 * that asks, and take one click each; nothing is on that was not accepted before.
 * Answers what closes it: who is told of an answer does so.
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
  /** Who is reading is not hurried. */
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
  // `show()` would take the focus from a page that is being used.
  else dialog.open = true;
  show(0);
  options.onOpen(screens[0]?.[0]?.name ?? "");
  return () => {
    clearTimeout(timer);
    // The browser gives the focus back to what had it before.
    dialog.close();
    dialog.remove();
    iab?.onShow(false);
  };
}

/**
 * One screen after another, without steps whose vendors have all been answered for; all that can be
 * decided on one screen where the visitor has opened it.
 */
function toScreens({ cookies, isReopened, isAsked }: BannerOptions): Step[][] {
  const steps = (cookies.steps ?? []).filter(
    (step) => isAsking(step, isAsked) || step.vendors?.every(({ required }) => required) !== false,
  );
  const deciding = steps.filter(({ layout, vendors }) => layout === "iab" || vendors?.[0]);
  return isReopened && deciding[0] ? [deciding] : steps.map((step) => [step]);
}

/** Whether a step asks for a vendor, or for what stands for one. */
function isAsking({ layout, vendors }: Step, isAsked: BannerOptions["isAsked"]): boolean {
  return layout === "iab" || vendors?.some(({ name }) => isAsked(name)) === true;
}

interface Screen {
  screens: readonly Step[][];
  at: number;
  show: (at: number) => void;
  /** What is on the screen, and the first of it. */
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

/** A class beside a button's own. */
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
