import { type Child, element, toImage } from "./dom.ts";
import { toNodes } from "./html.ts";
import type { Cookies, Step } from "./site.ts";
import { type Chosen, toVendors } from "./vendors.ts";
import type { Say } from "./words.ts";

/** What the visitor did with the banner: an answer for all that was asked, for each by itself, or none. */
export type Answer =
  | { kind: "all"; accept: boolean }
  | { kind: "some"; vendors: Record<string, boolean> }
  | { kind: "dismissed" };

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
  onAnswer: (answer: Answer) => void;
}

/** Layouts that go away by themselves where a time is given; nothing is answered by that. */
const timed = /^(soft_consent|info)$/;

/**
 * The dialog that asks for cookies. Accepting and refusing look alike, stand side by side on every step
 * that asks, and take one click each; nothing is on that was not accepted before.
 * Answers what closes it: who is told of an answer does so.
 */
export function openBanner(root: ShadowRoot, options: BannerOptions): () => void {
  const { cookies, sayFor, isReopened, isModal, place, iab, onAnswer } = options;
  const steps = toSteps(options);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const dialog = element("dialog", {
    lang: cookies.language,
    "aria-labelledby": "title",
    oncancel: (event) => event.preventDefault(),
    onkeydown: (event) => {
      if ((event as KeyboardEvent).key === "Escape") onAnswer({ kind: "dismissed" });
    },
  });
  const show = (at: number): void => {
    const [step] = steps[at] ?? [];
    if (!step) return;
    clearTimeout(timer);
    dialog.dir = sayFor(step)("dir");
    dialog.className = `${place} ${step.layout ?? ""}`;
    dialog.replaceChildren(...toParts(options, { steps, at, show, end: onAnswer }));
    if (at > 0 || isReopened || isModal) dialog.querySelector("h2")?.focus();
    if (step.timeout && timed.test(step.layout ?? "") && !isReopened)
      timer = setTimeout(() => onAnswer({ kind: "dismissed" }), step.timeout);
  };
  root.append(dialog);
  iab?.onShow(true);
  if (isModal || isReopened) dialog.showModal();
  // `show()` would take the focus from a page that is being used.
  else dialog.open = true;
  show(0);
  return () => {
    clearTimeout(timer);
    // The browser gives the focus back to what had it before.
    dialog.close();
    dialog.remove();
    iab?.onShow(false);
  };
}

/**
 * One screen after another, without those whose vendors have all been answered for; all that can be
 * decided on one screen where the visitor has opened it.
 */
function toSteps({ cookies, isReopened, isAsked }: BannerOptions): Step[][] {
  const steps = (cookies.steps ?? []).filter(
    ({ layout, vendors = [] }) =>
      layout === "iab" ||
      vendors.every(({ required }) => required) ||
      vendors.some(({ name }) => isAsked(name)),
  );
  const deciding = steps.filter(isDeciding);
  return isReopened && deciding.length > 0 ? [deciding] : steps.map((step) => [step]);
}

/** Whether a step has vendors, or what stands for them. */
function isDeciding({ layout, vendors }: Step): boolean {
  return layout === "iab" || Boolean(vendors?.length);
}

interface Screen {
  steps: readonly Step[][];
  at: number;
  show: (at: number) => void;
  end: (answer: Answer) => void;
}

function toParts(options: BannerOptions, screen: Screen): Node[] {
  const { sayFor, isReopened, isOptedOut, iab } = options;
  const steps = screen.steps[screen.at] ?? [];
  const [first] = steps;
  if (!first) return [];
  const say = sayFor(first);
  const toSection = (step: Step): Child[] => [
    toNodes(step.message),
    iab?.toMain(step, sayFor(step), screen.at === 0 && !isReopened) ?? "",
    toVendors(step, { ...options, say: sayFor(step) }),
  ];
  const dismiss = (): void => screen.end({ kind: "dismissed" });
  return [
    isReopened
      ? toHeader({ name: "", title: say("settings") }, toClose(say("close"), dismiss))
      : toHeader(first),
    element(
      "section",
      { tabindex: "0", "aria-labelledby": "title" },
      isOptedOut && element("p", { class: "note" }, say("optedOut")),
      ...steps.flatMap((step) => [
        isReopened && element("h3", {}, step.title || step.name),
        ...toSection(step),
      ]),
    ),
    toFooter(options, screen),
  ];
}

function toHeader({ name, topTitle, title, subTitle, image }: Step, close?: Node): Node {
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

function toClose(label: string, onclick: () => void): Node {
  return element("button", { type: "button", class: "close", "aria-label": label, onclick }, "×");
}

function toFooter(options: BannerOptions, { steps, at, show, end }: Screen): Node {
  const { sayFor, chosen, isAsked } = options;
  const screen = steps[at] ?? [];
  const [step] = screen;
  const button = (name: string, onclick: () => void, className?: string): Node =>
    element("button", { type: "button", class: className, "data-do": name, onclick }, say(name));
  const say = step ? sayFor(step) : String;
  const save = (): void => {
    const asked = [...chosen].filter(([name]) => isAsked(name));
    end({ kind: "some", vendors: Object.fromEntries(asked) });
  };
  const asksNothing = !steps
    .flat()
    .some(({ layout, vendors }) => layout === "iab" || vendors?.some(({ name }) => isAsked(name)));
  if (asksNothing)
    return element(
      "div",
      { class: "foot" },
      button("gotIt", () => end({ kind: "dismissed" })),
    );
  const isLast = at === steps.length - 1;
  return element(
    "div",
    { class: "foot" },
    button("refuseAll", () => end({ kind: "all", accept: false })),
    button("acceptAll", () => end({ kind: "all", accept: true })),
    isLast && button("save", save),
    at > 0 && button("back", () => show(at - 1), "plain"),
    !isLast && button(at === 0 ? "choose" : "next", () => show(at + 1), "plain"),
  );
}
