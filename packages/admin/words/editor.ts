import { computed } from "@preact/signals";
import { type EditorWords, editorEn } from "./editor-en.ts";
import { editorFr } from "./editor-fr.ts";
import { language, type Language } from "./words.ts";

const all: Record<Language, EditorWords> = { en: editorEn, fr: editorFr };

/** The texts of the editors in the current language. */
export const editorWords = computed<EditorWords>(() => all[language.value]);
