const words: Readonly<Record<string, string>> = {
  en: "Imported from your earlier choices on this site",
  fr: "Repris de vos choix précédents sur ce site",
  de: "Aus Ihrer früheren Auswahl auf dieser Website übernommen",
  es: "Importado de sus elecciones anteriores en este sitio",
  it: "Importato dalle sue scelte precedenti su questo sito",
  nl: "Overgenomen uit uw eerdere keuzes op deze site",
  ar: "مستورد من اختياراتك السابقة على هذا الموقع",
};

/** The widget's text for an answer that it adopted from another consent tool. */
export function importedWordOf(language: string): string {
  return words[language.toLowerCase().split("-", 1)[0] ?? ""] ?? words["en"] ?? "";
}
