import { type Content, languageOf } from "@avow/contract/published";
import { type JsonObject, readObject, readText } from "@avow/contract/json";
import { type WidgetLanguage, findLanguage } from "../../content/words/languages.ts";
import { type Fault, type Rule, listSteps } from "./finding.ts";

/** The languages of the widget's texts without their variants. */
type BaseLanguage = Exclude<WidgetLanguage, `${string}-${string}`>;

/** Words by which a label says that it refuses, by base language. Languages without spaces have any letters around them. */
const refusals: Readonly<Record<BaseLanguage, string>> = {
  en: "no|not|none|nothing|never|\\p{L}+n't|refuse|reject|decline|deny|disagree|without|only|opt out|necessary|essential",
  bg: "не|нищо|без|отказ\\p{L}*|отхвърл\\p{L}*|само|единствено|необходими\\p{L}*",
  cs: "ne|nic|bez|odm[ií]t\\p{L}*|nesouhlas\\p{L}*|nepřij\\p{L}*|zam[ií]t\\p{L}*|pouze|jen|nezbytn\\p{L}*|nutn\\p{L}*",
  da: "nej|ikke|ingen|intet|afvis\\p{L}*|afslå\\p{L}*|nægt\\p{L}*|uden|kun|nødvendige",
  de: "nein|nicht|nichts|keine?n?|ablehnen|lehne|verweiger\\p{L}*|ohne|nur|notwendige?n?|erforderliche?n?",
  el: "όχι|δεν|μη|μην|κανένα|τίποτα|χωρίς|απ[οό]ρρ[ιί]\\p{L}*|αρν\\p{L}*|διαφων\\p{L}*|μόνο|απαραίτητα",
  es: "no|ningun[ao]|nada|sin|rechaz\\p{L}*|deneg\\p{L}*|solo|sólo|únicamente|necesarias?|esenciales",
  et: "ei|mitte|ära|ärge|keeldu\\p{L}*|lükka\\p{L}*|loobu\\p{L}*|ilma|ainult|üksnes|vajalikud",
  fi: "ei|en|älä|hylkä\\p{L}*|hylkää|kieltäydy\\p{L}*|kiellä|estä|torju|ilman|vain|välttämättömät",
  fr: "non|ne|pas|aucune?s?|rien|sans|refus\\p{L}*|rejet\\p{L}*|déclin\\p{L}*|uniquement|seulement|seuls?|nécessaires?|essentiels?|m'oppose",
  ga: "ní|ná|níl|nílim|diúlt\\p{L}*|gan|amháin|riachtanach\\p{L}*",
  hr: "ne|ništa|bez|odbi\\p{L}*|odbac\\p{L}*|samo|isključivo|nužn\\p{L}*|neophodn\\p{L}*",
  hu: "nem|ne|semmi|nélkül|\\p{L}*elutasít\\p{L}*|\\p{L}*utasít\\p{L}*|letilt\\p{L}*|csak|kizárólag|szükséges\\p{L}*",
  it: "no|non|nessun[oa]?|niente|senza|rifiut\\p{L}*|soltanto|solo|necessari|essenziali",
  lt: "ne|nesutin\\p{L}*|atmes\\p{L}*|atsisak\\p{L}*|be|tik|būtin\\p{L}*",
  lv: "nē|ne|nepiekr\\p{L}*|noraid\\p{L}*|atteikt\\p{L}*|atteikties|bez|tikai|nepieciešam\\p{L}*",
  mt: "le|ma|mhux|xejn|irrifjuta\\p{L}*|nirrifjuta|mingħajr|biss|meħtieġ\\p{L}*|essenzjali",
  nb: "nei|ikke|ingen|avvis\\p{L}*|avslå\\p{L}*|nekt\\p{L}*|uten|kun|bare|nødvendige",
  nl: "nee|niet|niets|geen|weiger\\p{L}*|afwijzen|zonder|alleen|noodzakelijke?|essentiële",
  pl: "nie|nic|bez|odrzu\\p{L}*|odm[aó]w\\p{L}*|rezygnuj\\p{L}*|tylko|wyłącznie|niezbędn\\p{L}*|konieczn\\p{L}*",
  pt: "não|nenhum|nada|sem|recus\\p{L}*|rejeit\\p{L}*|negar|discordo|só|somente|apenas|necessári[oa]s|essenciais",
  ro: "nu|niciun\\p{L}*|nimic|fără|refuz\\p{L}*|resping\\p{L}*|numai|doar|necesare|esențiale",
  sk: "nie|nič|bez|odmiet\\p{L}*|nesúhlas\\p{L}*|neprij\\p{L}*|zamiet\\p{L}*|iba|len|nevyhnutn\\p{L}*|potrebn\\p{L}*",
  sl: "ne|nič|brez|zavrn\\p{L}*|zavrač\\p{L}*|odklo\\p{L}*|samo|le|nujn\\p{L}*|potrebn\\p{L}*",
  sv: "nej|inte|ingen|inga|inget|neka|nekar|avvisa|avböj\\p{L}*|vägra\\p{L}*|avslå|utan|endast|bara|nödvändiga",
  ar: "لا|رفض|أرفض|بدون|فقط",
  bn: "না|নয়|প্রত্যাখ্যান|অস্বীকার|বাতিল|ছাড়া|শুধু|শুধুমাত্র|কেবল|প্রয়োজনীয়",
  hi: "नहीं|न|ना|मत|अस्वीकार|अस्वीकृत|इनकार|इंकार|मना|बिना|केवल|सिर्फ|सिर्फ़|आवश्यक",
  id: "tidak|tak|jangan|tolak|menolak|tanpa|hanya|diperlukan",
  ja: "\\p{L}*(?:拒否|しない|しません|断|なし|のみ|だけ|必要|不要|いいえ)\\p{L}*",
  ko: "\\p{L}*(?:거부|거절|않|아니|없이|필수)\\p{L}*",
  ru: "нет|не|ничего|без|отклон\\p{L}*|отказ\\p{L}*|отверг\\p{L}*|запрет\\p{L}*|только|лишь|необходимые",
  tr: "hayır|değil|hiçbir\\p{L}*|redde\\p{L}*|istemiyorum|etmiyorum|olmadan|yalnızca|sadece|gerekli|zorunlu",
  ur: "نہیں|نہ|مت|مسترد|انکار|رد|منع|بغیر|صرف|ضروری",
  zh: "\\p{L}*(?:不|拒|否|仅|僅|只|必要|必需)\\p{L}*",
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

/** A pattern for whole words only. Vowels are marks in some scripts. */
function toPattern(...words: string[]): RegExp {
  const letter = "[\\p{L}\\p{M}]";
  return new RegExp(`(?<!${letter})(?:${words.join("|")})(?!${letter})`, "iu");
}

/**
 * The words for refusing in a language, and in English; of all languages without one, since it can be any. Undefined if the
 * words of the language are not known.
 */
function findRefusalWords(language: string): RegExp | undefined {
  if (language === "") return toPattern(...Object.values(refusals));
  const known = findLanguage(language)?.split("-", 1)[0] as BaseLanguage | undefined;
  return known && toPattern(refusals[known], refusals.en);
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
      if (!/[\p{L}\p{N}]/u.test(refuse) || isSame) return [];
      if (findRefusalWords(language)?.test(refuse) !== false) return [];
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
