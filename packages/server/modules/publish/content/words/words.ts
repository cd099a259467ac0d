import { banner } from "./banner.ts";
import { boxes } from "./boxes.ts";
import { findLanguage } from "./languages.ts";
import { embeds } from "./embeds.ts";
import { imported } from "./imported.ts";
import { person } from "./person.ts";
import { regions } from "./regions.ts";
import { search } from "./search.ts";
import { storage } from "./storage.ts";
import { tcf } from "./tcf.ts";

/**
 * The widget's default texts for a language (BCP 47), by groups that are published separately and by their names in a
 * configuration's `strings`. Texts of an unknown language are in English.
 */
export function wordsOf(tag: string) {
  const language = findLanguage(tag) ?? "en";
  return {
    banner: banner[language],
    person: person[language],
    search: search[language],
    storage: storage[language],
    regions: regions[language],
    imported: imported[language],
    embeds: embeds[language],
    tcf: tcf[language],
    boxes: boxes[language],
  };
}
