/** Texts of the models that do not ask for consent (consent models by region). */
const en = {
  ok: "OK",
  doNotSell: "Do not sell or share my data",
  limitSensitive: "Limit the use of my sensitive data",
  optOutDone: "Done: your data is not sold or shared.",
};
type RegionWords = Record<keyof typeof en, string>;

const languages: Record<string, RegionWords> = {
  en,
  fr: {
    ok: "OK",
    doNotSell: "Ne pas vendre ni partager mes données",
    limitSensitive: "Limiter l’usage de mes données sensibles",
    optOutDone: "C’est fait : vos données ne sont ni vendues ni partagées.",
  },
  de: {
    ok: "OK",
    doNotSell: "Meine Daten nicht verkaufen oder weitergeben",
    limitSensitive: "Nutzung meiner sensiblen Daten einschränken",
    optOutDone: "Erledigt: Ihre Daten werden nicht verkauft oder weitergegeben.",
  },
  es: {
    ok: "Entendido",
    doNotSell: "No vender ni compartir mis datos",
    limitSensitive: "Limitar el uso de mis datos sensibles",
    optOutDone: "Hecho: sus datos no se venden ni se comparten.",
  },
  it: {
    ok: "OK",
    doNotSell: "Non vendere né condividere i miei dati",
    limitSensitive: "Limita l’uso dei miei dati sensibili",
    optOutDone: "Fatto: i suoi dati non vengono venduti né condivisi.",
  },
  nl: {
    ok: "OK",
    doNotSell: "Mijn gegevens niet verkopen of delen",
    limitSensitive: "Gebruik van mijn gevoelige gegevens beperken",
    optOutDone: "Gelukt: uw gegevens worden niet verkocht of gedeeld.",
  },
  ar: {
    ok: "حسنًا",
    doNotSell: "لا تبيعوا بياناتي ولا تشاركوها",
    limitSensitive: "تقييد استخدام بياناتي الحساسة",
    optOutDone: "تم: لن تُباع بياناتك ولن تُشارك.",
  },
};

/** The texts for configurations with rules by region, with the fallbacks of `wordsOf`. */
export function regionWordsOf(language: string): RegionWords {
  return languages[language.toLowerCase().split("-", 1)[0] ?? ""] ?? en;
}
