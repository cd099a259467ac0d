import type { Confirmation } from "@avow/contract/configuration";
import { shownTitleOf } from "@avow/contract/published";
import type { Box } from "../core/site.ts";
import type { StoredAnswer } from "../core/form-answers.ts";
import type { BoxContext, OpenBox } from "./box.ts";
import { toFacts } from "./facts.ts";
import { type Frame, openFrame, toHead } from "./frame.ts";
import { type BoxAnswer, toChoices } from "../texts/form-choices.ts";
import { whenReached, whenSeen } from "./visibility.ts";
import { withPerson } from "./person.ts";
import { openSender } from "./sender.ts";
import { toButton, toButtons, toState } from "./state.ts";
import { type Child, element } from "../banner/dom.ts";
import { toNodes } from "../banner/html.ts";
import { emitError } from "../page/events.ts";

/**
 * A consent box: it asks, saves an answer immediately, and then shows it, with a button to change it and one to withdraw.
 * Consent is free: a form can be submitted without an answer, and an answer that could not be saved blocks it at most once.
 */
export function openConsentBox(boxContext: BoxContext): OpenBox {
  const { answers, box, place } = boxContext;
  const frame = openFrame(boxContext);
  const sender = openSender(boxContext, frame);
  let unsaved: BoxAnswer | undefined;
  const give = async (given: BoxAnswer): Promise<boolean> => {
    unsaved = given;
    const isSaved = await sender.send(given);
    if (isSaved) unsaved = undefined;
    return isSaved;
  };
  const onGive = async (given: BoxAnswer): Promise<void> => {
    if (sender.isSending() || !(await give(given))) return;
    frame.focus();
    sender.noteDisplay();
  };
  const drop = (): void => {
    if (sender.isSending()) return;
    unsaved = undefined;
    frame.setError("");
  };
  place.closest("form")?.addEventListener("reset", drop);
  const ask = (): void => frame.show(...toQuestion(boxContext, onGive));
  const refresh = (): void => {
    const held = answers.find(box);
    if (held)
      showAnswer(boxContext, frame, { held, ask, withdraw: () => onGive({ accept: false }) });
    else ask();
  };
  refresh();
  whenReached(frame.host, sender.noteDisplay);
  // A stored answer needs no display ticket, which saves a request.
  if (!answers.find(box)) whenSeen(frame.host, sender.noteDisplay);
  return {
    host: frame.host,
    place,
    identifier: box.identifier,
    isUnsaved: () => unsaved !== undefined,
    async save() {
      const isSaved = !unsaved || (await give(unsaved));
      // The box shows the error. Submitting the form again sends it without this answer.
      unsaved = undefined;
      return isSaved;
    },
    refresh,
  };
}

function toQuestion(boxContext: BoxContext, onGive: (given: BoxAnswer) => Promise<void>): Child[] {
  const { box, say } = boxContext;
  const choices = toChoices(box, say);
  const { subTitle, picture, message, accept: sentence } = box;
  return [
    toHead(shownTitleOf(box), subTitle, picture),
    element("div", { class: "message" }, toNodes(message)),
    ...toFacts(boxContext),
    sentence && choices.every(({ text }) => text !== sentence) && element("p", {}, sentence),
    toButtons(...choices.map(({ text, ...given }) => toButton(text, () => void onGive(given)))),
  ];
}

interface AnswerView {
  held: StoredAnswer;
  ask: () => void;
  withdraw: () => Promise<void>;
}

function showAnswer(
  boxContext: BoxContext,
  frame: Frame,
  { held, ask, withdraw }: AnswerView,
): void {
  const { box, say } = boxContext;
  const { title, message, backButtonText } = findConfirmation(box.confirmations, held) ?? {};
  const change = (): void => {
    ask();
    frame.focus();
  };
  frame.show(
    toHead(title || shownTitleOf(box)),
    element("div", { class: "message" }, toNodes(message)),
    toState(boxContext, held),
    toButtons(
      toButton(backButtonText || say("change"), change, "plain"),
      ...(held.accept ? [toButton(say("withdraw"), () => void withdraw(), "plain")] : []),
      toOwnPage(boxContext),
    ),
  );
}

/** The button that opens the visitor's own page. */
function toOwnPage({ context, say }: BoxContext): HTMLElement {
  const go = ({ target }: Event): void => {
    withPerson(context, target, say).catch(emitError);
  };
  return toButton(say("receipts"), go, "plain");
}

const names = {
  accepted: ["accept", "accepted", "yes", "true"],
  refused: ["refuse", "refused", "reject", "no", "false"],
  withdrawn: ["withdraw", "withdrawn"],
};

/** The confirmation screen for an answer, by its name. */
function findConfirmation(
  screens: Box["confirmations"] = {},
  { accept, isWithdrawn }: StoredAnswer,
): Confirmation | undefined {
  const wanted = accept
    ? names.accepted
    : [...(isWithdrawn ? names.withdrawn : []), ...names.refused];
  return wanted.map((name) => screens[name]).find(Boolean);
}
