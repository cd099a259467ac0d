import { type Content, languageOf } from "@avow/contract/published";
import { type JsonObject, readObject, readText } from "@avow/contract/json";
import { type Fault, type Rule, listSteps } from "./finding.ts";

/** Words by which a label says that it refuses, in the languages of the widget's texts. */
const refusals: Record<string, string> = {
  en: "no|not|none|nothing|never|\\p{L}+n't|refuse|reject|decline|deny|disagree|without|only|opt out|necessary|essential",
  fr: "non|ne|pas|aucune?s?|rien|sans|refus\\p{L}*|rejet\\p{L}*|déclin\\p{L}*|uniquement|seulement|seuls?|nécessaires?|essentiels?|m'oppose",
  de: "nein|nicht|nichts|keine?n?|ablehnen|lehne|verweiger\\p{L}*|ohne|nur|notwendige?n?|erforderliche?n?",
  es: "ningun[ao]|nada|sin|rechaz\\p{L}*|deneg\\p{L}*|solo|sólo|únicamente|necesarias?|esenciales",
  it: "nessun[oa]?|niente|senza|rifiut\\p{L}*|soltanto|necessari|essenziali",
  nl: "nee|niet|niets|geen|weiger\\p{L}*|zonder|alleen|noodzakelijke?|essentiële",
  ar: "لا|رفض|أرفض|بدون|فقط",
};
/** Emotional phrases instead of facts, in English and French. A person has to judge each finding. */
const steeringWords = toPattern(
  "hate|miss(?:ing)? out|sorry to|sad|please accept|we beg|don't care|boring|irrelevant ads?",
  "(?:poor|poorer|bad|worse|limited|degraded|best|better|optimal|perfect) (?:\\p{L}+ )?experience",
  "feel (?:bad|guilty)|support (?:us|our)|yummy|delicious|love cookies",
  "déteste|dommage|triste|tant pis|passer à côté|ennuyeu\\p{L}+|délicieu\\p{L}+|gourmand\\p{L}*|soutenez",
  "acceptez,? (?:s'il vous plaît|svp)|(?:meilleure|optimale|parfaite) expérience",
  "expérience (?:optimale|dégradée|limitée|parfaite)",
);
/** Phrases of cookie walls and of implied consent, in English and French. */
const wallWords = toPattern(
  "(?:must|need to|have to|required to) (?:accept|agree|consent)",
  "(?:accept|agree|consent)(?: \\p{L}+){0,4} to (?:continue|access|enter|proceed|read)",
  "(?:continue|access|enter|read)(?: \\p{L}+){0,4} only (?:if|when|after) you (?:accept|agree|consent)",
  "by (?:continuing|browsing|scrolling|closing)|by (?:using|visiting) (?:this|our|the) (?:site|website|page|app)",
  "(?:accept|agree|consent) or (?:pay|subscribe)|(?:pay|subscribe) or (?:accept|agree|consent)",
  "(?:devez|faut|obligatoire d'|tenus? d') ?(?:accepter|consentir)",
  "pour (?:continuer|accéder|entrer|lire|poursuivre)[^.]{0,40} (?:acceptez|accepter|consent\\p{L}*)",
  "(?:acceptez|accepter)[^.]{0,40} pour (?:continuer|accéder|entrer|lire|poursuivre)",
  "en (?:poursuivant|continuant|naviguant|fermant)|en (?:utilisant|visitant) (?:ce|notre|le) (?:site|service)",
  "(?:accepter|acceptez|consentir) ou (?:payer|payez|s'abonner|vous abonner|abonnez)",
  "(?:payer|payez|s'abonner|abonnez-vous) ou (?:accepter|acceptez|consentir)",
);
const refusalWords = toPattern(...Object.values(refusals));

/** A pattern for whole words only. */
function toPattern(...words: string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "iu");
}

/** A text that visitors read. */
interface VisibleText {
  text: string;
  path: string;
}

const refuseUnclear: Rule = {
  id: "refuse-unclear",
  severity: "warning",
  source: "GDPR article 4(11); EDPB 03/2022 on deceptive patterns: ambiguous wording",
  find: (content) =>
    listStrings(content).flatMap(({ strings, language, path }): Fault[] => {
      const refuse = toPlain(strings["refuseAll"]);
      // An empty text and the text for accepting are errors of the rule `refuse-missing`.
      const isSame = refuse.toLowerCase() === toPlain(strings["acceptAll"]).toLowerCase();
      if (!/[\p{L}\p{N}]/u.test(refuse) || isSame || !isKnown(language)) return [];
      if (refusalWords.test(refuse)) return [];
      return [
        {
          path: `${path}/strings/refuseAll`,
          message: `“${refuse.slice(0, 80)}” does not clearly say that it refuses.`,
          about: [refuse.slice(0, 80)],
          fix: "Say what a click does, such as “Refuse all”. Ignore this if visitors understand the text in your language.",
        },
      ];
    }),
};

const steering: Rule = {
  id: "steering",
  severity: "warning",
  source: "EDPB 03/2022 on deceptive patterns: emotional steering",
  find: (content) =>
    findWords(content, steeringWords, {
      what: "uses emotional pressure",
      fix: "Say what happens to the data and what a click does, without praise or blame.",
    }),
};

const cookieWall: Rule = {
  id: "cookie-wall",
  severity: "warning",
  source: "EDPB 05/2020 §39-41 and 86; EDPB cookie banner task force, 13",
  find: (content) =>
    findWords(content, wallWords, {
      what: "makes accepting a condition, or treats something else as acceptance",
      fix: "Give access whatever visitors answer, and treat only a click as an answer.",
    }),
};

function findWords(
  content: Content,
  words: RegExp,
  { what, fix }: { what: string; fix: string },
): Fault[] {
  return listVisibleTexts(content).flatMap(({ text: whole, path }): Fault[] => {
    const [found] = words.exec(whole) ?? [];
    if (found === undefined) return [];
    const text = found.slice(0, 80);
    return [{ path, message: `“${text}” ${what}.`, about: [text], fix }];
  });
}

/** Custom texts of cookie configurations and of their steps, which inherit those of their configuration. */
function listStrings(content: Content) {
  const whole = content.cookies.map((one, at) => ({ of: one, own: one, path: `/cookies/${at}` }));
  const steps = listSteps(content).map(({ step, configuration, path }) => ({
    of: configuration,
    own: step,
    path,
  }));
  return [...whole, ...steps]
    .filter(({ own }) => "refuseAll" in (own.strings ?? {}))
    .map(({ of, own, path }) => ({
      strings: { ...of.strings, ...own.strings },
      language: languageOf(of) ?? "",
      path,
    }));
}

/** The texts of cookie configurations, their steps and the consent forms. */
function listVisibleTexts(content: Content): VisibleText[] {
  return [
    ...content.cookies.flatMap((one, at) => textsIn(one, `/cookies/${at}`, [])),
    ...listSteps(content).flatMap(({ step, path }) => textsIn(step, path, ["title", "message"])),
    ...content.processings.flatMap((box, at) => [
      ...textsIn(box, `/processings/${at}`, ["message"]),
      ...(box.buttons ?? []).flatMap((one, n) =>
        textsIn(one, `/processings/${at}/buttons/${n}`, ["text"]),
      ),
    ]),
  ];
}

/** The named texts of an object, and its `strings`. */
function textsIn(one: JsonObject, path: string, names: string[]): VisibleText[] {
  return [
    ...names.map((name) => ({ text: toPlain(one[name]), path: `${path}/${name}` })),
    ...Object.entries(readObject(one["strings"])).map(([name, text]) => ({
      text: toPlain(text),
      path: `${path}/strings/${toPointer(name)}`,
    })),
  ];
}

/** Whether the language has refusal words; true also without a language, since it can be any. */
function isKnown(language: string): boolean {
  const [primary = ""] = language.toLowerCase().split("-");
  return primary === "" || primary in refusals;
}

/** A text without HTML, with one kind of apostrophe and of space. */
function toPlain(html: unknown): string {
  return (readText(html) ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;|&#39;|&apos;|’/gi, "'")
    .replace(/(?:\s|&nbsp;)+/gi, " ")
    .trim();
}

function toPointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export const wordingRules: readonly Rule[] = [refuseUnclear, steering, cookieWall];
