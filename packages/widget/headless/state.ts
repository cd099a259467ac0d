import { toConsentMode } from "../core/signals.ts";
import type { ConsentOptions, ConsentState, ConsentView, FormAnswer } from "./api.ts";
import { toOffer } from "./offer.ts";
import type { Situation } from "./situation.ts";
import type { ConsentStrings } from "./strings.ts";

/** The state while a project loads: nothing may run. */
export const loadingState: ConsentState = {
  status: "loading",
  error: undefined,
  view: "closed",
  token: undefined,
  vendors: {},
  isAnswered: false,
  pending: [],
  model: "opt-in",
  region: undefined,
  signals: toConsentMode([], () => false),
  forms: {},
  offer: undefined,
  tcString: undefined,
  gppString: undefined,
};

interface StateParts extends OpenConsent {
  view: ConsentView;
  error: Error | undefined;
}

export function toState({ situation, strings, view, error }: StateParts): ConsentState {
  const { site, regional, answers, snapshot } = situation;
  const { vendors } = answers;
  const { region, gpc } = snapshot;
  return {
    status: "ready",
    error,
    view,
    token: answers.token,
    vendors,
    isAnswered: answers.memory.$$completed === true,
    pending: Object.keys(vendors).filter(answers.isPending),
    model: regional.model,
    region,
    signals: answers.toGrants(),
    forms: toForms(situation),
    offer: toOffer({ site, regional, answers, gpc, isPreferences: view !== "banner" }),
    tcString: strings?.tcf?.find()?.tcString,
    gppString: strings?.encodeGpp(),
  };
}

function toForms({ site, forms }: Situation): Record<string, FormAnswer> {
  const found: Record<string, FormAnswer> = {};
  for (const form of [...(site.processings ?? []), ...(site.contracts ?? [])]) {
    const held = forms.find(form);
    if (held) {
      const { accept, date, isWithdrawn = false } = held;
      found[form.identifier] = { accept, date, isWithdrawn };
    }
  }
  return found;
}

/** An opened situation, and IAB's strings once their code is loaded. */
export interface OpenConsent {
  situation: Situation;
  strings: ConsentStrings | undefined;
}

/** Whether the visitor is to be shown the banner without asking for it. */
export function isBannerDue({ situation, strings }: OpenConsent): boolean {
  const { answers, regional } = situation;
  const { $$completed, $$confirm } = answers.memory;
  if (regional.on) return regional.model !== "none" && (!$$completed || $$confirm === true);
  const names = Object.keys(answers.vendors);
  const { steps = [] } = regional.cookies;
  if (!steps[0]) return false;
  const isAsking = names.some(answers.isAsked) || strings?.tcf;
  return isAsking
    ? strings?.tcf?.isPending() === true || names.some(answers.isPending)
    : !$$completed;
}

/**
 * The view that a page begins with. A visitor whom the site knows may have answered on another device: the banner then waits
 * until the service was asked.
 */
export function toFirstView(open: OpenConsent, { manual, token }: ConsentOptions): ConsentView {
  const isWaiting = token !== undefined && token !== open.situation.answers.memory.$$token;
  return !manual && !isWaiting && isBannerDue(open) ? "banner" : "closed";
}
