import type { Answer } from "./banner.ts";
import { emit } from "../core/events.ts";
import { toList } from "../core/memory.ts";
import { pushEvent, updateConsentMode } from "../core/signals.ts";
import type { Ticket } from "../core/service.ts";
import { runTags } from "./tags.ts";
import type { Parts } from "./parts.ts";

const RELOAD_AFTER_MS = 300;
/** Pages of one site hear of each other's answers by it. */
const CHANNEL = "avow";

/** Lets happen what follows from answers. */
export interface Answering {
  /** Lets run what may run by now. */
  run: () => void;
  /** The same, and tells consent modes what is granted. */
  settle: () => void;
  /**
   * Takes an answer for the vendors that are asked, with the ticket of what was shown.
   * @throws Error where it could be neither sent nor kept
   */
  answer: (given: Answer, isAsked?: (vendor: string) => boolean, ticket?: Ticket) => Promise<void>;
}

/** Not by `reload()`, which would send a form again. */
function beginAnew(): void {
  location.replace(location.pathname + location.search);
}

/** Opens what follows from the answers of a visit; `onElsewhere`: another page of the site was answered. */
export function openAnswering(
  { wanted, cookies, choices, tcf }: Parts,
  onElsewhere: () => void,
): Answering {
  const listNames = (): string[] => Object.keys(choices.vendors);
  const ran = new Set<string>();
  const run = (): void => runTags(choices.isAccepted, ran, wanted.nonce);
  const settle = (): void => {
    if (cookies.googleConsentMode ?? wanted.consentMode) updateConsentMode(choices.toGrants());
    run();
  };
  /** What runs can only be stopped by starting the page anew; the answer is on its way, and kept here. */
  const follow = (): void => {
    settle();
    const { vendors, token } = choices;
    emit("answered", { vendors, token });
    const accepted = toList(listNames().filter(choices.isAccepted));
    pushEvent({ event: "avow_answered", avow_accepted: accepted, avow_vendors: vendors });
    if ([...ran].every(choices.isAccepted) || cookies.settings?.reloadAfterWithdrawal === false)
      return;
    if (navigator.onLine) setTimeout(beginAnew, RELOAD_AFTER_MS);
    else addEventListener("online", beginAnew);
  };
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", () => {
    choices.refresh();
    tcf?.refresh();
    // A page with another configuration may have more to ask.
    if (listNames().some(choices.isPending)) return;
    onElsewhere();
    follow();
  });
  return {
    run,
    settle,
    async answer(given, isAsked = choices.isAsked, ticket) {
      if (given === undefined) {
        if (!tcf) choices.noteTold();
        return emit("dismissed");
      }
      const answers: Record<string, boolean> = {};
      for (const name of listNames().filter(isAsked)) {
        const isOn = typeof given === "boolean" ? given : given[name];
        if (isOn !== undefined) answers[name] = isOn;
      }
      const sending = choices.answer(answers, ticket, ticket && tcf?.answer(given));
      // A channel has no target: only pages of this origin hear it.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      channel.postMessage(0);
      follow();
      const sent = await sending;
      if (sent === "kept") emit("kept");
      else emit("saved", sent);
    },
  };
}
