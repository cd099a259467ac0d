import { toConsentMode } from "../core/signals.ts";
import type {
  ConsentAppearance,
  ConsentOptions,
  ConsentState,
  ConsentView,
  FormAnswer,
} from "./api.ts";
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
  appearance: { theme: {}, position: "bottom-left", isModal: false },
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
    appearance: toAppearance(situation),
    tcString: strings?.tcf?.find()?.tcString,
    gppString: strings?.encodeGpp(),
  };
}

function toAppearance({ site: { client = {}, widget } }: Situation): ConsentAppearance {
  const { widgetStyle, overlayStyle } = client;
  return {
    theme: widget?.theme ?? {},
    position: widgetStyle?.position ?? "bottom-left",
    isModal: Boolean(overlayStyle?.["background"]),
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

/** Whether a banner is due that does not depend on answers that only the service knows. */
export function isBannerKnown(
  current: OpenConsent,
  options: Pick<ConsentOptions, "token">,
): boolean {
  return !isNewVisitor(options, current.situation) && isBannerDue(current);
}

/** Whether the site names another visitor than the device has answers of: the service may know theirs. */
export function isNewVisitor(
  { token }: Pick<ConsentOptions, "token">,
  { answers }: Situation,
): boolean {
  return token !== undefined && token !== answers.memory.$$token;
}
