import type { Confirmation } from "@avow/contract/configuration";
import type { Box } from "../core/site.ts";
import type { Held } from "./answers.ts";
import type { Asked, Opened } from "./place.ts";
import { toFacts } from "./facts.ts";
import { type Frame, openFrame, toHead } from "./frame.ts";
import { type Given, toChoices } from "./buttons.ts";
import { whenReached, whenSeen } from "./visibility.ts";
import { withPerson } from "./person.ts";
import { openSender } from "./sender.ts";
import { toButton, toButtons, toState } from "./state.ts";
import { type Child, element } from "../banner/dom.ts";
import { toNodes } from "../banner/html.ts";
import { tellError } from "../core/events.ts";

/**
 * A consent box: it asks, saves an answer when it is given, and from then on shows it, with a way to
 * change it and one click to withdraw. Consent is free: no form waits for an answer, and one that could
 * not be saved holds it up once more, not for ever.
 */
export function openConsentBox(asked: Asked): Opened {
  const { answers, box, place } = asked;
  const frame = openFrame(asked);
  const sender = openSender(asked, frame);
  let unsaved: Given | undefined;
  const give = async (given: Given): Promise<boolean> => {
    unsaved = given;
    const isSaved = await sender.send(given);
    if (isSaved) unsaved = undefined;
    return isSaved;
  };
  const onGive = async (given: Given): Promise<void> => {
    if (sender.isSending() || !(await give(given))) return;
    frame.focus();
    sender.noteDisplay();
  };
  const drop = (): void => {
    if (sender.isSending()) return;
    unsaved = undefined;
    frame.tell("");
  };
  place.closest("form")?.addEventListener("reset", drop);
  const ask = (): void => frame.show(...toQuestion(asked, onGive));
  const refresh = (): void => {
    const held = answers.find(box);
    if (held) showAnswer(asked, frame, { held, ask, withdraw: () => onGive({ accept: false }) });
    else ask();
  };
  refresh();
  whenReached(frame.host, sender.noteDisplay);
  // An answer that is only shown again needs no ticket yet, so that it costs the page no request.
  if (!answers.find(box)) whenSeen(frame.host, sender.noteDisplay);
  return {
    host: frame.host,
    place,
    identifier: box.identifier,
    isUnsaved: () => unsaved !== undefined,
    async save() {
      const isSaved = !unsaved || (await give(unsaved));
      // The box has told it: sent once more, the form goes on without this answer.
      unsaved = undefined;
      return isSaved;
    },
    refresh,
  };
}

function toQuestion(asked: Asked, onGive: (given: Given) => Promise<void>): Child[] {
  const { box, say } = asked;
  const choices = toChoices(box, say);
  const { title, subTitle, picture, message, accept: sentence } = box;
  return [
    toHead(title, subTitle, picture),
    element("div", { class: "message" }, toNodes(message)),
    ...toFacts(asked),
    sentence && choices.every(({ text }) => text !== sentence) && element("p", {}, sentence),
    toButtons(...choices.map(({ text, ...given }) => toButton(text, () => void onGive(given)))),
  ];
}

interface Answered {
  held: Held;
  ask: () => void;
  withdraw: () => Promise<void>;
}

function showAnswer(asked: Asked, frame: Frame, { held, ask, withdraw }: Answered): void {
  const { box, say } = asked;
  const { title, message, backButtonText } = findConfirmation(box.confirmations, held) ?? {};
  const change = (): void => {
    ask();
    frame.focus();
  };
  frame.show(
    toHead(title || box.title),
    element("div", { class: "message" }, toNodes(message)),
    toState(asked, held),
    toButtons(
      toButton(backButtonText || say("change"), change, "plain"),
      ...(held.accept ? [toButton(say("withdraw"), () => void withdraw(), "plain")] : []),
      toOwnPage(asked),
    ),
  );
}

/** Goes to the visitor's own page. */
function toOwnPage({ context, say }: Asked): HTMLElement {
  const go = ({ target }: Event): void => {
    withPerson(context, target).catch(tellError);
  };
  return toButton(say("receipts"), go, "plain");
}

const names = {
  accepted: ["accept", "accepted", "yes", "true"],
  refused: ["refuse", "refused", "reject", "no", "false"],
  withdrawn: ["withdraw", "withdrawn"],
};

/** The confirmation screen for an answer: each is named after the answer that it confirms. */
function findConfirmation(
  screens: Box["confirmations"] = {},
  { accept, isWithdrawn }: Held,
): Confirmation | undefined {
  const wanted = accept
    ? names.accepted
    : [...(isWithdrawn ? names.withdrawn : []), ...names.refused];
  return wanted.map((name) => screens[name]).find(Boolean);
}
