import type { Answer } from "./banner.ts";
import { emit, emitError } from "../page/events.ts";
import { CLEAN_MS, toList } from "../core/memory.ts";
import { pushEvent, updateConsentMode } from "../page/consent-mode.ts";
import { reloadSoon } from "../page/reload.ts";
import type { Ticket } from "../core/sending/service.ts";
import { runTags } from "./tags.ts";
import type { Parts } from "./parts.ts";

/** Notifies other pages of the site of an answer. */
const CHANNEL = "avow";

/** Applies answers: saves them, runs tags and updates consent modes. */
export interface Answering {
  /** Runs the tags of accepted vendors. */
  run: () => void;
  /** Runs tags and updates consent modes. */
  settle: () => void;
  /**
   * Applies an answer for the vendors that were asked, with the display ticket.
   * @throws Error when it can be neither sent nor kept
   */
  answer: (given: Answer, isAsked?: (vendor: string) => boolean, ticket?: Ticket) => Promise<void>;
}

/** `onElsewhere` is called when another page of the site was answered. */
export function openAnswering(parts: Parts, onElsewhere: () => void): Answering {
  const { wanted, cookies, choices, tcf, load } = parts;
  const listNames = (): string[] => Object.keys(choices.vendors);
  const ran = new Set<string>();
  const run = (): void => runTags(choices.isAccepted, ran, wanted.nonce);
  const settle = (): void => {
    if (cookies.googleConsentMode ?? wanted.consentMode) updateConsentMode(choices.toGrants());
    run();
    if (choices.memory.$$clean)
      void load("device")
        .then(({ cleanDevice }) => cleanDevice(parts))
        .catch(emitError);
  };
  /** Whether a refused vendor declares data that it stores. */
  const hasRefused = (): boolean | undefined =>
    cookies.steps?.some(({ vendors }) =>
      vendors?.some(({ name, storage }) => storage && choices.memory[name] === false),
    );
  /** Reloads the page after a withdrawal, because a running tag cannot be stopped. The answer is already kept. */
  const applyAnswers = (): void => {
    if (hasRefused()) choices.keep({ $$clean: Date.now() + CLEAN_MS });
    settle();
    const { vendors, token } = choices;
    emit("answered", { vendors, token });
    const accepted = toList(listNames().filter(choices.isAccepted));
    pushEvent({ event: "avow_answered", avow_accepted: accepted, avow_vendors: vendors });
    if ([...ran].every(choices.isAccepted) || cookies.settings?.reloadAfterWithdrawal === false)
      return;
    reloadSoon();
  };
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", () => {
    choices.refresh();
    tcf?.refresh();
    // A page with another configuration may have more to ask.
    if (listNames().some(choices.isPending)) return;
    onElsewhere();
    applyAnswers();
  });
  return {
    run,
    settle,
    async answer(given, isAsked = choices.isAsked, ticket) {
      if (given === undefined) {
        if (!tcf) choices.noteNotice();
        return emit("dismissed");
      }
      const answers: Record<string, boolean> = {};
      for (const name of listNames().filter(isAsked)) {
        const isOn = typeof given === "boolean" ? given : given[name];
        if (isOn !== undefined) answers[name] = isOn;
      }
      const sending = choices.answer(answers, ticket, ticket && tcf?.answer(given));
      // A channel has no target origin: only pages of this origin receive it.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      channel.postMessage(0);
      applyAnswers();
      const sent = await sending;
      if (sent === "kept") emit("kept");
      else emit("saved", sent);
    },
  };
}
