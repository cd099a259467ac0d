import type {
  AnswerImport,
  Cookies,
  Project,
  StoredItem,
  Vendor,
} from "@avow/contract/configuration";
import type {
  ForeignCategory,
  ForeignConfiguration,
  ForeignService,
  ForeignText,
  Localized,
} from "./foreign.ts";
import { escapeHtml, toHtml } from "./plain-text.ts";
import type { Report } from "./report.ts";

/** A project and its cookie banners, one for each language, in the shape of the vault. */
export interface Proposal {
  project: Project;
  cookies: Omit<Cookies, "projectId">[];
  /** Which vendors the answers to the old product are for, in the shape of `imports` of a cookie configuration. */
  answers: AnswerImport;
}

const LANGUAGES_MAX = 40;
const CATEGORIES_MAX = 90;
const VENDORS_MAX = 900;
const STEP_VENDORS_MAX = 500;
const REGIONS_MAX = 50;
const ANSWERS_MAX = 500;
const BUTTON_LENGTH_MAX = 200;
const STORAGE_MAX = 200;
const HOSTS_MAX = 100;
const LINKS_MAX = 10;
const DAYS_MAX = 3_650;
const MESSAGE_LENGTH_MAX = 20_000;
/** Reserved for examples (RFC 2606), until the address is known. */
const UNKNOWN_SITE = "https://site.example/";
const languagePattern = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;
const buttons: readonly ForeignText[] = [
  "acceptAll",
  "refuseAll",
  "choose",
  "save",
  "close",
  "alwaysOn",
  "settings",
];

/** A category with the slugs of its vendors, which are the same in every language. */
interface PlannedCategory {
  category: ForeignCategory;
  step: string;
  vendors: { service: ForeignService; slug: string; isRequired: boolean; isWhole: boolean }[];
}

/** Proposes Avow's documents for the configuration of another product. Values without a place are in the report. */
export function toProposal(
  configuration: ForeignConfiguration,
  { report, adoptsAnswers }: { report: Report; adoptsAnswers: boolean },
): Proposal {
  const languages = listLanguages(configuration, report);
  const isDefault = languages.find((tag) => tag === configuration.defaultLanguage) ?? languages[0];
  const planned = planCategories(configuration, report);
  const answers = toAnswers(configuration, planned, report);
  const cookies = languages.map((language) =>
    toCookies(configuration, {
      adopted: adoptsAnswers ? answers : undefined,
      isDefault: language === isDefault,
      language,
      fallback: isDefault ?? language,
      planned,
      report,
    }),
  );
  return { project: toProject(configuration, languages, report), cookies, answers };
}

function toProject(
  { site, name, colors, position }: ForeignConfiguration,
  languages: string[],
  report: Report,
): Project {
  if (site === undefined)
    report.add(
      "decide",
      "project.websiteURL",
      "The address of the site is not in the file. Enter it, or pass --site.",
    );
  const websiteURL = site ?? UNKNOWN_SITE;
  return {
    websiteURL,
    title: name ?? new URL(websiteURL).hostname,
    locales: languages,
    ...(Object.keys(colors).length > 0 && { colors }),
    ...(position !== undefined && { widgetStyle: { position } }),
  };
}

/** The languages of the first layer's text, or else of its title, or else of the categories. */
function listLanguages(configuration: ForeignConfiguration, report: Report): string[] {
  const { texts, categories, defaultLanguage } = configuration;
  const named = [texts.message, texts.title, ...categories.map(({ title }) => title)];
  const tags = named.map((one) => [...one.keys()].filter((tag) => tag !== ""));
  const found = [...new Set(tags.find((list) => list.length > 0) ?? [])];
  const usable = found.filter((tag) => languagePattern.test(tag));
  for (const tag of found)
    if (!languagePattern.test(tag)) report.add("invalid", `language ${tag}`, "Not a language tag.");
  for (const tag of new Set(tags.flat()))
    if (!found.includes(tag))
      report.add("not mapped", `language ${tag}`, "The file has no text of the first layer in it.");
  if (usable.length > LANGUAGES_MAX)
    report.add(
      "not mapped",
      `language ${usable[LANGUAGES_MAX] ?? ""}`,
      `Only ${LANGUAGES_MAX} languages are proposed.`,
    );
  if (usable.length > 0) return usable.slice(0, LANGUAGES_MAX);
  const only =
    defaultLanguage !== undefined && languagePattern.test(defaultLanguage) ? defaultLanguage : "en";
  if (only !== defaultLanguage)
    report.add(
      "decide",
      "language",
      "The file does not name the language of its texts. Proposed as English.",
    );
  return [only];
}

/** Gives each category and each service its slug. A category without services is one vendor, since Avow asks by vendor. */
function planCategories({ categories }: ForeignConfiguration, report: Report): PlannedCategory[] {
  const steps = new Set(["welcome"]);
  const slugs = new Set<string>();
  let count = 0;
  if (categories.length === 0)
    report.add("decide", "categories", "The file names no category. Add categories and vendors.");
  for (const { id, title } of categories.slice(CATEGORIES_MAX))
    report.add(
      "not mapped",
      `category ${id}: ${findFirst(title) ?? ""}`,
      `Only ${CATEGORIES_MAX} categories are proposed.`,
    );
  return categories.slice(0, CATEGORIES_MAX).map((category) => {
    const vendors: PlannedCategory["vendors"] = [];
    const add = (service: ForeignService, isWhole: boolean): void => {
      count += 1;
      if (count > VENDORS_MAX)
        return report.add("not mapped", service.id, `Only ${VENDORS_MAX} vendors are proposed.`);
      if (vendors.length >= STEP_VENDORS_MAX)
        return report.add(
          "not mapped",
          service.id,
          `Only ${STEP_VENDORS_MAX} vendors of a category are proposed.`,
        );
      const isRequired = category.isRequired || service.isRequired === true;
      const name = isNumbered(service.id) ? (findFirst(service.title) ?? service.id) : service.id;
      vendors.push({ service, slug: toFreeSlug(name, slugs), isRequired, isWhole });
      reportOwnCookies(service, report);
    };
    for (const service of category.services) add(service, false);
    if (category.services.length === 0 || category.storage.length > 0) {
      const { id, title, description, storage } = category;
      add({ id, title, description: new Map(description), hosts: [], storage }, true);
      report.add(
        "decide",
        `category ${id}: ${findFirst(title) ?? ""}`,
        category.services.length === 0
          ? "The file names no services of this category: proposed as one vendor. Replace it by the vendors of the site (avow scan lists them)."
          : "Cookies without a service: proposed as one vendor of the category. Give them to the vendors that set them.",
      );
    }
    return { category, step: toFreeSlug(category.id, steps), vendors };
  });
}

/** Whether an id says nothing to people, such as OneTrust's `C0002`. */
function isNumbered(id: string): boolean {
  return /^[A-Z]{0,4}\d+$/.test(id);
}

function findFirst(texts: Localized): string | undefined {
  return texts.get("en") ?? texts.values().next().value;
}

/** Names of the old product's own cookies, which end with it. */
const ownCookies =
  /^(?:Optanon|CookieConsent|didomi_|euconsent|uc_|ucData|axeptio_|cc_cookie|klaro|tarteaucitron|c15t)/;

function reportOwnCookies({ id, storage }: ForeignService, report: Report): void {
  for (const { name } of storage)
    if (ownCookies.test(name))
      report.add(
        "decide",
        `cookie ${name} of ${id}`,
        "A cookie of the old product. Remove it when the old product is gone and its answers have expired.",
      );
}

interface Writing {
  /** The answers that the banner adopts, if it does. */
  adopted: AnswerImport | undefined;
  isDefault: boolean;
  language: string;
  /** The language whose texts are used where this one has none. */
  fallback: string;
  planned: readonly PlannedCategory[];
  report: Report;
}

function toCookies(
  configuration: ForeignConfiguration,
  writing: Writing,
): Omit<Cookies, "projectId"> {
  const { language, isDefault, planned, report } = writing;
  const { texts, expiresAfterDays, launcher } = configuration;
  const regions = takeFirst(configuration.regions, {
    max: REGIONS_MAX,
    path: "regions",
    noun: "rules of regions",
    report,
  });
  const title = findText(texts.title, writing) ?? findOwn(texts.settings, language) ?? "Cookies";
  if (texts.title.size === 0)
    report.add(
      "decide",
      `title of the first layer, ${language}`,
      `The old first layer has no title. Proposed: ${title}.`,
    );
  const message = findText(texts.message, writing);
  if (message === undefined)
    report.add(
      "decide",
      `text of the first layer, ${language}`,
      "The file has no text of the first layer in this language. Write one.",
    );
  const strings = Object.fromEntries(
    buttons.flatMap((name) => {
      const text = findOwn(texts[name], language);
      if (text !== undefined && text.length > BUTTON_LENGTH_MAX)
        report.add(
          "changed",
          `text of the button ${name}, ${language}`,
          `The text is longer than ${BUTTON_LENGTH_MAX} characters and was cut.`,
        );
      return text === undefined ? [] : [[name, text.slice(0, BUTTON_LENGTH_MAX)]];
    }),
  );
  const settings = {
    ...(expiresAfterDays !== undefined && { expiresAfterDays: toDays(expiresAfterDays, report) }),
    ...(launcher !== undefined && { launcher }),
  };
  return {
    name: `cookies-${language.toLowerCase()}`,
    title: `Cookies (${language})`,
    language,
    ...(isDefault && { isDefault }),
    steps: [
      {
        name: "welcome",
        layout: "welcome",
        title,
        message: toHtml(message ?? "") + toLinks(configuration, language, report),
      },
      ...planned.map((one) => toStep(one, writing)),
    ],
    ...(Object.keys(strings).length > 0 && { strings }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(regions.length > 0 && { regions }),
    ...(writing.adopted && { imports: [writing.adopted] }),
  };
}

function toStep(
  { category, step, vendors }: PlannedCategory,
  writing: Writing,
): NonNullable<Cookies["steps"]>[number] {
  const title = findText(category.title, writing) ?? category.id;
  const description = findText(category.description, writing);
  return {
    name: step,
    layout: "category",
    title,
    ...(description !== undefined && { message: toHtml(description.slice(0, MESSAGE_LENGTH_MAX)) }),
    vendors: vendors.map(({ service, slug, isRequired, isWhole }) => {
      const text = isWhole ? undefined : findText(service.description, writing);
      return toVendor(service, { slug, isRequired, type: title, text, writing });
    }),
  };
}

function toVendor(
  { id, title, policyUrl, hosts, storage }: ForeignService,
  {
    slug,
    isRequired,
    type,
    text,
    writing,
  }: {
    slug: string;
    isRequired: boolean;
    type: string;
    text: string | undefined;
    writing: Writing;
  },
): Vendor {
  const { report } = writing;
  const items: StoredItem[] = takeFirst(storage, {
    max: STORAGE_MAX,
    path: `cookies of ${id}`,
    noun: "stored items of a vendor",
    report,
  });
  const ownHosts = takeFirst(hosts, {
    max: HOSTS_MAX,
    path: `hosts of ${id}`,
    noun: "hosts of a vendor",
    report,
  });
  return {
    name: slug,
    title: findText(title, writing) ?? id,
    type,
    ...(text !== undefined && { shortDescription: text }),
    ...(policyUrl !== undefined && { policyUrl }),
    ...(isRequired && { required: true }),
    ...(ownHosts.length > 0 && { hosts: ownHosts }),
    ...(items.length > 0 && { storage: items }),
  };
}

/** The first entries of a list; a cut is a line of the report. */
function takeFirst<T>(
  list: readonly T[],
  { max, path, noun, report }: { max: number; path: string; noun: string; report: Report },
): T[] {
  if (list.length > max)
    report.add("not mapped", path, `Only ${max} ${noun} are proposed, of ${list.length}.`);
  return list.slice(0, max);
}

/** The text in a language, of the same language in another country, or for all languages. */
function findOwn(texts: Localized, language: string): string | undefined {
  return texts.get(language) ?? texts.get(language.split("-")[0] ?? "") ?? texts.get("");
}

/** The same, or else the text of the default language, which then has to be translated. */
function findText(texts: Localized, { language, fallback, report }: Writing): string | undefined {
  const own = findOwn(texts, language);
  if (own !== undefined) return own;
  const borrowed = findOwn(texts, fallback) ?? texts.values().next().value;
  if (borrowed !== undefined)
    report.add(
      "decide",
      `text in ${language}: ${borrowed.slice(0, 60)}`,
      `The file has no text in ${language}. Translate it.`,
    );
  return borrowed;
}

/** The usual name of the page that most products link without a text. */
const policyNames: Readonly<Record<string, string>> = {
  de: "Datenschutzerklärung",
  en: "Privacy policy",
  es: "Política de privacidad",
  fr: "Politique de confidentialité",
  it: "Informativa sulla privacy",
  nl: "Privacyverklaring",
};

function toShortAddress(url: string): string {
  return url
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "")
    .slice(0, 100);
}

function toLinks({ links }: ForeignConfiguration, language: string, report: Report): string {
  const shown = links.filter((link) => link.language === undefined || link.language === language);
  const distinct = [...new Map(shown.map((link) => [link.url, link])).values()];
  return takeFirst(distinct, {
    max: LINKS_MAX,
    path: `links of the first layer, ${language}`,
    noun: "links",
    report,
  })
    .map(({ url, text }) => {
      const name = text || policyNames[language.split("-")[0] ?? ""] || toShortAddress(url);
      return `<p><a href="${escapeHtml(url)}">${escapeHtml(name)}</a></p>`;
    })
    .join("");
}

/** Which vendors an answer to a category or a service of the old product is for. */
function toAnswers(
  { tool, cookieName }: ForeignConfiguration,
  planned: readonly PlannedCategory[],
  report: Report,
): AnswerImport {
  const categories: [string, string[]][] = planned.flatMap(({ category, vendors }) => {
    const asked = vendors.filter(({ isRequired }) => !isRequired);
    const all = asked.map(({ slug }) => slug);
    const single = asked.map(({ service, slug }): [string, string[]] => [service.id, [slug]]);
    return all.length === 0 ? [] : [...single, [category.id, all] satisfies [string, string[]]];
  });
  const isUsable =
    cookieName !== undefined && /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/.test(cookieName);
  // A category may have the id of one of its services.
  const distinct = Object.entries(Object.fromEntries(categories));
  const kept = takeFirst(distinct, {
    max: ANSWERS_MAX,
    path: "imports",
    noun: "old answers by category and service",
    report,
  });
  return {
    from: tool,
    categories: Object.fromEntries(kept),
    ...(isUsable && { cookieName }),
  };
}

function toDays(days: number, report: Report): number {
  const usable = Math.min(DAYS_MAX, Math.max(1, Math.round(days)));
  if (usable !== Math.round(days))
    report.add(
      "changed",
      "expiry of answers",
      `${days} days: Avow has 1 to ${DAYS_MAX}, proposed as ${usable}.`,
    );
  return usable;
}

/** A slug that is not taken, which then is: letters, digits, dots, hyphens and underscores. */
function toFreeSlug(text: string, taken: Set<string>): string {
  const base =
    text
      .normalize("NFKD")
      .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
      .replaceAll(/^[^A-Za-z0-9]+|-+$/g, "")
      .slice(0, 100) || "vendor";
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  taken.add(slug);
  return slug;
}
