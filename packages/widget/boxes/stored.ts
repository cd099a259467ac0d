import type { Context } from "../banner/features.ts";
import { type FormAnswers, openFormAnswers, toFormsKey } from "../core/form-answers.ts";

/** The visitor's answers to the page's boxes, in local storage. */
export function openStoredAnswers({ site, choices }: Context): FormAnswers {
  const key = toFormsKey(site);
  return openFormAnswers(site, choices, {
    readForms: () => localStorage.getItem(key),
    writeForms: (text) => localStorage.setItem(key, text),
  });
}
