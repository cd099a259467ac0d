import type { VisitorAnswers } from "./answers.ts";
import type { FormAnswers } from "./form-answers.ts";
import { CLEAN_MS, type Memory } from "./memory.ts";
import type { Cookies, Site } from "./site.ts";

/** The current answers of a token, as the service returns them. */
export interface ServiceAnswers {
  answers: ServiceAnswer[];
  /** The time of the service's clock. */
  readAt: string;
}

interface ServiceAnswer {
  identifier: string;
  /** The vendor; empty for a form. */
  item: string;
  status: string;
  since: string;
}

interface DeviceAnswers {
  site: Site;
  cookies: Cookies;
  choices: VisitorAnswers;
  forms: FormAnswers;
}

/**
 * Removes the answers from the device if they are those of another person whom the site knows; `token` undefined: nobody is
 * signed in. Answers from before a sign-in stay.
 */
export function forgetOthers(choices: VisitorAnswers, token: string | undefined): void {
  const { memory } = choices;
  if (!memory.$$known || memory.$$token === token) return;
  for (const name of Object.keys(memory)) delete memory[name];
  choices.keep({});
}

/** Stores the service's answers that are newer than those on the device. Returns whether any was. */
export function keepNewer(
  { site, cookies, choices, forms }: DeviceAnswers,
  given: ServiceAnswers,
): boolean {
  // Answers that expired or were given before a material change are asked again, and ignored here.
  const holding = given.answers.filter(({ status }) =>
    /^(accepted|refused|withdrawn)$/.test(status),
  );
  // Corrects the difference between the clocks of the service and the device.
  const aheadMs = Date.parse(given.readAt) - Date.now();
  const isNewer = ({ since }: ServiceAnswer, date: string | undefined): boolean =>
    !date || Date.parse(since) > Date.parse(date) + aheadMs;
  return [
    keepVendors({ site, cookies, choices }, holding, isNewer),
    keepForms({ site, choices, forms }, holding, isNewer),
  ].includes(true);
}

type IsNewer = (answered: ServiceAnswer, date: string | undefined) => boolean;

function keepVendors(
  { site, cookies, choices }: Omit<DeviceAnswers, "forms">,
  answers: readonly ServiceAnswer[],
  isNewer: IsNewer,
): boolean {
  const { $$asked, $$googleConsentMode, $$cookiesVersion, $$date, ...before } = choices.memory;
  const current = $$cookiesVersion?.identifier ?? cookies.identifier;
  const asked = { ...$$asked };
  const given: Record<string, boolean> = {};
  let newest = "";
  for (const answer of answers) {
    const { identifier, item, status } = answer;
    const isOn = status === "accepted";
    const isSame = before[item] === isOn && !choices.isPending(item);
    if (identifier !== current || isSame || !isNewer(answer, $$date)) continue;
    given[item] = isOn;
    if (answer.since > newest) newest = answer.since;
    asked[item] = site.widget?.substances?.[identifier]?.[item]?.slice(0, 8);
  }
  if (!Object.keys(given).length) return false;
  const $$imported = { ...choices.memory.$$imported };
  for (const item of Object.keys(given)) delete $$imported[item];
  const isRefusing = Object.values(given).includes(false);
  const more: Memory = isRefusing ? { $$clean: Date.now() + CLEAN_MS } : {};
  choices.keep({ ...given, $$asked: asked, $$imported, ...more });
  // The first answers on this device, given on another one.
  if (!$$date) {
    const { name = "", identifier } = cookies;
    choices.keep({
      $$date: newest,
      $$completed: true,
      $$cookiesVersion: { name, identifier },
      $$token: choices.token,
      $$known: true,
    });
  }
  if ($$googleConsentMode) choices.keep({ $$googleConsentMode: choices.toGrants() });
  return true;
}

function keepForms(
  { site, choices, forms }: Omit<DeviceAnswers, "cookies">,
  answers: readonly ServiceAnswer[],
  isNewer: IsNewer,
): boolean {
  let isChanged = false;
  for (const form of [...(site.processings ?? []), ...(site.contracts ?? [])]) {
    const answer = answers.find(({ identifier }) => identifier === form.identifier);
    const before = forms.find(form);
    const accept = answer?.status === "accepted";
    if (!answer || before?.accept === accept || !isNewer(answer, before?.date)) continue;
    forms.keep(form, { accept, token: choices.token, date: answer.since });
    isChanged = true;
  }
  return isChanged;
}
