import { type VendorUse, soldUses } from "@avow/contract/regions";
import type { JsonObject } from "@avow/contract/json";
import type { VisitorAnswers } from "../core/answers.ts";
import { type RegionalCookies, listUsed, toRefusal } from "../core/rule.ts";
import { type Site, type Step, listVendors } from "../core/site.ts";
import { isAsking, listChoosing, listSteps } from "../core/steps.ts";
import { sayIn } from "../core/words.ts";
import type { ConsentOffer, OfferButton } from "./api.ts";

interface OfferParts {
  site: Site;
  regional: RegionalCookies;
  answers: VisitorAnswers;
  gpc: boolean;
  isPreferences: boolean;
}

/** The content of a banner or a preference center, with its buttons as the law of the visitor's region has them. */
export function toOffer({ site, regional, answers, gpc, isPreferences }: OfferParts): ConsentOffer {
  const { cookies } = regional;
  const isAsked = isPreferences ? answers.isAsked : answers.isPending;
  const steps = listSteps(cookies, isAsked);
  const language = cookies.language ?? "en";
  const say: ConsentOffer["say"] = (name, step) =>
    sayIn(site, cookies.language, step?.strings as JsonObject | undefined, cookies.strings)(name);
  const first = (name: string): string => say(name, steps[0]);
  const note = toNote({ regional, answers, gpc });
  return {
    configuration: cookies,
    language,
    direction: first("dir") === "rtl" ? "rtl" : "ltr",
    steps,
    categories: listChoosing(steps),
    hasSwitches: isPreferences || listChoosing(steps) === steps,
    vendors: [...listVendors(cookies).values()],
    note: note && first(note),
    buttons: toButtons({ regional, answers, steps, isPreferences }).map(({ name, ...button }) => ({
      name,
      text: first(name),
      ...button,
    })),
    isAsked: answers.isAsked,
    say,
  };
}

/** The name of the text that confirms an opt-out, or says why nothing was accepted. */
function toNote({ regional, answers, gpc }: Pick<OfferParts, "regional" | "answers" | "gpc">) {
  if (regional.model === "opt-in") return gpc && !answers.isAccepting() ? "optedOut" : undefined;
  if (!answers.memory.$$confirm) return undefined;
  return gpc ? "optedOut" : "optOutDone";
}

type ButtonsGiven = Pick<OfferParts, "regional" | "answers" | "isPreferences"> & {
  steps: readonly Step[];
};

function toButtons({ regional, answers, steps, isPreferences }: ButtonsGiven) {
  const { cookies, model } = regional;
  const isAsked = isPreferences ? answers.isAsked : answers.isPending;
  const choosing = listChoosing(steps);
  const isCenter = isPreferences || choosing === steps;
  const buttons: Omit<OfferButton, "text">[] = [];
  const add = (name: string, act: OfferButton["act"], answer?: OfferButton["answer"]): void =>
    void buttons.push({ name, act, answer });
  if (!steps.some((step) => isAsking(step, isAsked))) {
    add("close", "close");
    return buttons;
  }
  const addRefusal = (name: string, uses: readonly VendorUse[]): void => {
    const names = listUsed(cookies, uses);
    // As prominent as the others (11 CCR §7004, symmetry in choice).
    if (model === "opt-out" && names.some((one) => answers.isAccepted(one)))
      add(name, "answer", toRefusal(names));
  };
  if (model === "opt-in") {
    add("refuseAll", "answer", false);
    add("acceptAll", "answer", true);
  } else {
    addRefusal("doNotSell", soldUses);
    addRefusal("limitSensitive", ["sensitive"]);
    if (!isCenter) add("ok", "close");
  }
  if (isCenter) add("save", "save");
  else if (choosing[0]) add("choose", "choose");
  return buttons;
}
