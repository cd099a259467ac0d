import { type ReadonlySignal, computed, effect, signal } from "@preact/signals";
import { type Words, en } from "./en.ts";
import { fr } from "./fr.ts";

/** All that the app says by itself, by language: one that lacks a text is an error of types. */
const all = { en, fr } satisfies Record<string, Words>;
export type Language = keyof typeof all;
export const languages = Object.keys(all) as Language[];

const KEY = "avow-language";

/** The language that is shown: the one that was chosen here, or the best of the browser's. */
export const language = signal<Language>(findLanguage());

/** The texts in that language. */
export const words = computed<Words>(() => all[language.value]);

/** Texts that come with the screens that show them, in the language that is shown. */
export function toWords<W>(by: Record<Language, W>): ReadonlySignal<W> {
  return computed(() => by[language.value]);
}

effect(() => {
  document.documentElement.lang = language.value;
});

/** Shows the app in another language, also when it is opened again. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  language.value = chosen;
}

function findLanguage(): Language {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages];
  const found = wanted.map((one) => languages.find((known) => one.split("-")[0] === known));
  return found.find((one) => one !== undefined) ?? "en";
}
