import type { Answer } from "./banner.ts";
import { toList } from "./memory.ts";
import { pushEvent, updateConsentMode } from "./signals.ts";
import type { Ticket } from "./service.ts";
import { runTags } from "./tags.ts";
import type { Parts } from "./visit.ts";

const RELOAD_AFTER_MS = 300;

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

/** Opens what follows from the answers of a visit. */
export function openAnswering({ options, emit, cookies, choices, tcf }: Parts): Answering {
  const ran = new Set<string>();
  const hasMode = Boolean(cookies.googleConsentMode ?? options.consentMode);
  const run = (): void => {
    for (const vendor of runTags(choices.isAccepted, options.nonce)) ran.add(vendor);
  };
  const settle = (): void => {
    if (hasMode) updateConsentMode(choices.toGrants());
    run();
  };
  return {
    run,
    settle,
    async answer(given, isAsked = choices.isAsked, ticket) {
      if (given.kind === "dismissed") {
        if (!tcf) choices.noteTold();
        return emit("dismissed");
      }
      const names = Object.keys(choices.vendors).filter(isAsked);
      const answers = Object.fromEntries(
        names.flatMap((name) => {
          const isOn = given.kind === "some" ? given.vendors[name] : given.accept;
          return isOn === undefined ? [] : [[name, isOn]];
        }),
      );
      const sending = choices.answer(answers, ticket, ticket && tcf?.answer(given));
      const isEnded = [...ran].some((vendor) => !choices.isAccepted(vendor));
      settle();
      const { vendors, token } = choices;
      emit("answered", { vendors, token });
      const accepted = toList(Object.keys(vendors).filter((name) => vendors[name]));
      pushEvent({ event: "avow_answered", avow_accepted: accepted, avow_vendors: vendors });
      // What runs can only be stopped by starting the page anew; the answer is on its way, and kept here.
      if (isEnded && navigator.onLine && cookies.settings?.["reloadAfterWithdrawal"] !== false)
        setTimeout(() => location.reload(), RELOAD_AFTER_MS);
      const sent = await sending;
      if (sent === "kept") emit("kept");
      else emit("saved", sent);
    },
  };
}
