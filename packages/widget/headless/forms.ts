import { type Box, type Site, chooseSpoken } from "../core/site.ts";
import { sayIn } from "../core/words.ts";
import { shownTitleOf } from "@avow/contract/published";
import { toChoices } from "../texts/form-choices.ts";
import type { ConsentForm } from "./api.ts";
import type { Situation } from "./situation.ts";

type FoundForm = ConsentForm & { configuration: Box };

/** Finds a form by its identifier, otherwise by its name in the visitor's language. @throws Error when none is published */
export function findForm(situation: Situation | undefined, name: string): FoundForm {
  const { site, snapshot } = situation ?? {};
  const languageTags = snapshot?.languages ?? [];
  for (const collection of ["processings", "contracts"] as const) {
    const all: readonly Box[] = site?.[collection] ?? [];
    const configuration =
      all.find(({ identifier }) => identifier === name) ??
      chooseSpoken(
        all.filter((one) => one.name === name),
        { languageTags, countryCode: snapshot?.country, pagePath: "" },
      );
    if (configuration) return { collection, configuration, ...toShown(site, configuration) };
  }
  throw new Error(`Avow: no form ${name} is published.`);
}

function toShown(
  site: Site | undefined,
  box: Box,
): Omit<ConsentForm, "collection" | "configuration"> {
  const { language, strings } = box;
  const say = sayIn(site ?? { projectId: "" }, language, strings);
  const direction: ConsentForm["direction"] = say("dir") === "rtl" ? "rtl" : "ltr";
  const title = shownTitleOf(box);
  return { language: language ?? "en", direction, title, choices: toChoices(box, say), say };
}
