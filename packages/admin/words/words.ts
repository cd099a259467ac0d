import { type ReadonlySignal, computed, effect, signal } from "@preact/signals";
import { type Words, en } from "./en.ts";
import { fr } from "./fr.ts";

/** All texts by language. A missing text is a type error. */
const all = { en, fr } satisfies Record<string, Words>;
export type Language = keyof typeof all;
export const languages = Object.keys(all) as Language[];
/** The name of each language, in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: en.name, fr: fr.name };

const KEY = "avow-language";

/** The current language: the user's choice, or the best match of the browser's languages. */
export const language = signal<Language>(findLanguage());

/** The texts in the current language. */
export const words = computed<Words>(() => all[language.value]);

/** Selects texts in the current language, for texts that are loaded with their screens. */
export function toWords<W>(by: Record<Language, W>): ReadonlySignal<W> {
  return computed(() => by[language.value]);
}

effect(() => {
  document.documentElement.lang = language.value;
});

/** Changes the language and remembers it. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  language.value = chosen;
}

function findLanguage(): Language {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages];
  const found = wanted.map((one) => languages.find((known) => one.split("-")[0] === known));
  return found.find((one) => one !== undefined) ?? "en";
}
