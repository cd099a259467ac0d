import { type Child, element, toImage } from "./dom.ts";
import { toNodes } from "./html.ts";
import type { VisitorAnswers } from "../core/answers.ts";
import type { Memory } from "../core/memory.ts";
import type { Cookies, RegionModel, Step } from "../core/site.ts";
import { isAsking, listChoosing } from "../core/steps.ts";
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

/** The preference center, which is in another file. */
export interface Center {
  /** The choices of steps, whose changes are set in `chosen`. Adds its style to the dialog. */
  toContent(dialog: HTMLElement, steps: readonly Step[], options: BannerOptions): Node[];
}

/** How the banner asks in the visitor's region, which is in another file. */
export interface Regional extends RegionModel {
  /**
   * Refuses by `answer` what Global Privacy Control refuses without a click. Returns whether the visitor has to see the
   * banner; undefined in the model opt-in, as by the other members.
   */
  begin(
    choices: VisitorAnswers,
    answer: (given: Readonly<Record<string, boolean>>) => Promise<void>,
  ): boolean | undefined;
  /** The name of the text that confirms an opt-out. */
  toNote(): string | undefined;
  /** The buttons instead of accept and refuse. */
  toButtons(
    button: ToButton,
    onAnswer: BannerOptions["onAnswer"],
    isCenter: boolean,
  ): Child[] | undefined;
}

type ToButton = (name: string, onclick: (event: Event) => void, className?: string) => Node;

export interface BannerOptions {
  cookies: Cookies;
  /** The steps to show, at least one (`listSteps`). */
  steps: readonly Step[];
  /** The texts of a step. */
  sayFor: (step: Step) => Say;
  /** Earlier answers by vendor. */
  chosen: Map<string, boolean>;
  isAsked: (vendor: string) => boolean;
  /** The answers that another consent tool had stored. */
  imported: Memory["$$imported"];
  /** Whether the visitor opened it: then it shows the preference center. */
  isReopened: boolean;
  /** Whether it blocks the page. */
  isModal: boolean;
  /** The name of a text above the message. */
  note: string | false;
  regional?: Regional | undefined;
  place: string;
  iab?: Iab | undefined;
  /** The preference center, if it is shown at once. */
  center?: Center | undefined;
  loadCenter: () => Promise<Center | undefined>;
  /** Called with the name of the first step. */
  onOpen: (step: string) => void;
  onAnswer: (answer: Answer) => void;
  /** Opens the visitor's own page; missing when there is nothing on it. */
  onPerson?: ((event: Event) => void) | false | "" | undefined;
}

/**
 * Opens the cookie banner: a first layer, or the preference center with all choices on one screen. Accept and refuse look
 * alike, are side by side on both, and take one click each. No switch is on that was not accepted before. Returns a function
 * that closes it; `onAnswer` has to call it.
 */
export function openBanner(root: ShadowRoot, options: BannerOptions): () => void {
  const { cookies, steps, isReopened, isModal, iab, onAnswer } = options;
  const [first] = steps;
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
  const show = (center: Center | undefined): void => {
    clearTimeout(timer);
    showScreen(dialog, options, center, async () => {
      const loaded = await options.loadCenter();
      if (!loaded || !dialog.isConnected) return;
      dialog.close();
      dialog.showModal();
      show(loaded);
      dialog.querySelector("h2")?.focus();
    });
  };
  root.append(dialog);
  iab?.onShow(true);
  show(options.center);
  if (isModal || isReopened) {
    dialog.showModal();
    dialog.querySelector("h2")?.focus();
  }
  // `show()` would move the focus away from the page.
  else dialog.open = true;
  if (first?.timeout && !isReopened) wait(first.timeout);
  options.onOpen(first?.name ?? "");
  return () => {
    clearTimeout(timer);
    // The browser restores the previous focus.
    dialog.close();
    dialog.remove();
    iab?.onShow(false);
  };
}

/** Shows the preference center if it is given, otherwise the first layer; `onChoose` opens the preference center. */
function showScreen(
  dialog: HTMLDialogElement,
  options: BannerOptions,
  center: Center | undefined,
  onChoose: () => Promise<void>,
): void {
  const { steps, sayFor, chosen, isAsked, isReopened, place, iab, regional } = options;
  const { onAnswer, onPerson } = options;
  const [first] = steps as [Step];
  const listed = listChoosing(steps);
  const say = sayFor(first);
  const button: ToButton = (name, onclick, className = "") =>
    element("button", { class: name + className, onclick }, say(name));
  const save = (): void =>
    onAnswer(Object.fromEntries([...chosen].filter(([name]) => isAsked(name))));
  dialog.dir = say("dir");
  dialog.className = `${place} ${first.layout}`;
  dialog.replaceChildren(
    ...(center?.toContent(dialog, listed, options) ?? [
      toHeader(first),
      toSection(options, toNodes(first.message), iab?.toMain(first, say, !isReopened)),
    ]),
    element(
      "div",
      { class: "foot" },
      ...(steps.some((step) => isAsking(step, isAsked))
        ? [
            ...(regional?.toButtons(button, onAnswer, Boolean(center)) ?? [
              button("refuseAll", () => onAnswer(false)),
              button("acceptAll", () => onAnswer(true)),
            ]),
            center && button("save", save),
            !center && listed[0] && button("choose", () => void onChoose(), PLAIN),
            onPerson && button("receipts", onPerson, PLAIN),
          ]
        : [button("close", () => onAnswer(undefined))]),
    ),
  );
}

/** The class of secondary buttons. */
const PLAIN = " plain";

/** The text of a screen, which can be scrolled by keyboard. */
export function toSection({ note, sayFor, steps }: BannerOptions, ...parts: Child[]): Node {
  const [first] = steps as [Step];
  return element(
    "section",
    { tabindex: "0", "aria-labelledby": "title" },
    note && element("p", { class: "note", role: "status" }, sayFor(first)(note)),
    ...parts,
  );
}

export function toHeader(
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
