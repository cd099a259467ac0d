import { shownTitleOf } from "@avow/contract/published";
import { toChoices } from "../boxes/buttons.ts";
import { type Box, type Site, chooseSpoken } from "../core/site.ts";
import { sayIn } from "../core/words.ts";
import type { ConsentForm } from "./api.ts";
import { toLook } from "./look.ts";
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
    if (site && configuration) return toForm(site, collection, configuration);
  }
  throw new Error(`Avow: no form ${name} is published.`);
}

function toForm(site: Site, collection: FoundForm["collection"], configuration: Box): FoundForm {
  const { language = "en", strings } = configuration;
  const say = sayIn(site, language, strings);
  return {
    collection,
    configuration,
    title: shownTitleOf(configuration),
    language,
    direction: say("dir") === "rtl" ? "rtl" : "ltr",
    buttons: toChoices(configuration, say),
    say,
    look: toLook(site),
  };
}
