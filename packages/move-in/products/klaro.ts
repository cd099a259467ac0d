import type { StoredItem } from "@avow/contract/configuration";
import {
  type Fields,
  listKeys,
  pathOf,
  readEntries,
  readFields,
  readFlag,
  readNumber,
  readObjects,
  readText,
  readTexts,
  readValue,
  reportUnread,
  toAddress,
  toFields,
} from "../mapping/fields.ts";
import {
  type ForeignConfiguration,
  type ForeignText,
  getOrAdd,
  newCategory,
  newConfiguration,
  newService,
  setText,
} from "../mapping/foreign.ts";
import type { Input } from "../mapping/input.ts";
import { type Plain, isPlainList, isPlainObject } from "../mapping/plain.ts";
import type { Report } from "../mapping/report.ts";
import { toNamePatterns, toStoredItem } from "./cookie-names.ts";
import { type Product, type Source, hasField, listScripts } from "./product.ts";

/** Klaro: the script that assigns `klaroConfig` or calls `klaro.setup` (klaro 0.7, dist/config.js), or the same as JSON. */
export const klaro: Product = {
  tool: "klaro",
  marks: /klaro(?:-[a-z-]+)?\.js|klaroConfig/i,
  whereToFind: "Klaro: the file of your site that assigns klaroConfig.",
  isOurs: (input) => findValues(input).length > 0,
  read: readKlaro,
  findFiles: (page, report) =>
    listScripts(
      page,
      /src\s*=\s*["']([^"'<>\s]{0,200}(?:klaro[^"'<>\s]{0,200}config|config[^"'<>\s]{0,200}klaro|\/config)[^"'<>\s]{0,200}\.js)["']/gi,
      report,
    ),
};

function findValues({ json, script }: Input): ((report: Report) => Plain)[] {
  if (json !== undefined)
    return hasField(json, "services", "apps") && hasField(json, "translations") ? [() => json] : [];
  const assigned = script?.assigned.filter(({ name }) => /(?:^|\.)klaroConfig$/.test(name)) ?? [];
  const passed =
    script?.passed.filter(({ name, index }) => name === "klaro.setup" && index === 0) ?? [];
  return [...assigned, ...(assigned.length > 0 ? [] : passed)].map(({ read }) => read);
}

const notices: Readonly<Record<string, ForeignText>> = {
  acceptAll: "acceptAll",
  ok: "acceptAll",
  decline: "refuseAll",
  acceptSelected: "save",
  save: "save",
  close: "close",
};
const COOKIES_MAX = 100;
/** Lengths of a stored item's fields in the vault. */
const PATH_LENGTH_MAX = 1_000;
const DOMAIN_LENGTH_MAX = 253;
/** The language of default translations. */
const ANY = "zz";
const behaviour = "A setting of Klaro's own behaviour.";
const reasons: Readonly<Record<string, string>> = {
  styling: "Klaro's style. Choose colours and position in Avow's design.",
  elementID: behaviour,
  version: "The version of Klaro's own format.",
  callback: "A function: run code on the event `answered` of the widget instead.",
};

function readKlaro({ inputs, language, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("klaro", site);
  for (const value of inputs.flatMap(findValues)) {
    const root = toFields(value(report), "klaroConfig", report);
    // The order of Klaro itself (dist/config.js, lang).
    configuration.defaultLanguage ??= readText(root, "lang") ?? language ?? "en";
    const translations = readFields(root, "translations");
    for (const [tag, texts] of readEntries(translations))
      readTranslation(texts, { configuration, language: tag === ANY ? "" : tag });
    const isOnByDefault = readFlag(root, "default") === true;
    const services = [...readObjects(root, "services"), ...readObjects(root, "apps")];
    for (const service of services)
      readService(service, { configuration, translations, isOnByDefault });
    configuration.expiresAfterDays = readNumber(root, "cookieExpiresAfterDays");
    const cookieName = readText(root, "cookieName", 256);
    if (cookieName !== "klaro") configuration.cookieName = cookieName;
    if (readFlag(root, "hideDeclineAll") === true)
      report.add(
        "changed",
        pathOf(root, "hideDeclineAll"),
        "Avow always shows a button to refuse, like the one to accept.",
      );
    if (readFlag(root, "mustConsent") === true)
      report.add(
        "changed",
        pathOf(root, "mustConsent"),
        "Avow's banner does not block the page, unless overlayStyle is set.",
      );
    for (const key of ["storageMethod", "acceptAll", "groupByPurpose"]) readValue(root, key);
    reportUnread(root, reasons, behaviour);
  }
  // Translations also name purposes that no service has.
  configuration.categories = configuration.categories.filter(({ services }) => services.length > 0);
  return configuration;
}

function readTranslation(
  texts: Fields,
  { configuration, language }: { configuration: ForeignConfiguration; language: string },
): void {
  for (const [key, name] of Object.entries(notices))
    if (!configuration.texts[name].has(language))
      setText(configuration.texts[name], language, readText(texts, key));
  const notice = readFields(texts, "consentNotice");
  const modal = readFields(texts, "consentModal");
  const banner = configuration.texts;
  setText(banner.title, language, readText(notice, "title") ?? readText(modal, "title"));
  const message = readText(notice, "description", 20_000) ?? readText(modal, "description", 20_000);
  if (message?.includes("{purposes}") === true)
    texts.report.add(
      "decide",
      pathOf(notice, "description"),
      "The text contains {purposes}, which Klaro fills in. Write the purposes.",
    );
  setText(banner.message, language, message);
  setText(banner.choose, language, readText(notice, "learnMore"));
  const address = readText(texts, "privacyPolicyUrl");
  const url = toAddress(address, configuration.site);
  const text = readText(readFields(texts, "privacyPolicy"), "name") ?? "";
  if (url !== undefined) configuration.links.push({ text, url, language: language || undefined });
  else if (address !== undefined)
    texts.report.add(
      "not mapped",
      pathOf(texts, "privacyPolicyUrl"),
      `${address} is not a full address. Enter the address of the site (--site), or add the link.`,
    );
  const purposes = readFields(texts, "purposes");
  for (const id of listKeys(purposes)) {
    const category = getOrAdd(configuration.categories, id, newCategory);
    const value = readValue(purposes, id);
    const within = isPlainObject(value)
      ? toFields(value, pathOf(purposes, id), texts.report)
      : undefined;
    setText(category.title, language, within ? readText(within, "title") : readText(purposes, id));
    if (within) setText(category.description, language, readText(within, "description", 20_000));
  }
}

function readService(
  fields: Fields,
  {
    configuration,
    translations,
    isOnByDefault,
  }: { configuration: ForeignConfiguration; translations: Fields; isOnByDefault: boolean },
): void {
  const { report } = fields;
  const id = readText(fields, "name", 128);
  if (id === undefined) return report.add("invalid", fields.path, "The service has no name.");
  const [purpose = "services", ...more] = readTexts(fields, "purposes");
  if (more.length > 0)
    report.add(
      "changed",
      pathOf(fields, "purposes"),
      `Avow has one category for a service: ${purpose}, without ${more.join(", ")}.`,
    );
  const category = getOrAdd(configuration.categories, purpose, newCategory);
  const service = getOrAdd(category.services, id, newService);
  setText(service.title, "", readText(fields, "title"));
  setText(service.description, "", readText(fields, "description", 20_000));
  const own = readFields(fields, "translations");
  for (const source of [translations, own])
    for (const tag of listKeys(source)) {
      const language = tag === ANY ? "" : tag;
      const texts = toFields(source.values[tag], pathOf(source, tag), report);
      const named = source === own ? texts : readFields(texts, id);
      setText(service.title, language, readText(named, "title"));
      setText(service.description, language, readText(named, "description", 20_000));
    }
  service.isRequired = readFlag(fields, "required") === true;
  if (readFlag(fields, "optOut") === true)
    report.add(
      "decide",
      pathOf(fields, "optOut"),
      "Klaro ran this service before an answer. Avow does so only with a rule of regions.",
    );
  if (readFlag(fields, "default") ?? isOnByDefault)
    report.add(
      "changed",
      pathOf(fields, "default"),
      "Klaro preselected this service. Avow preselects nothing.",
    );
  for (const [index, entry] of listEntries(fields, "cookies").entries()) {
    const items = toItems(entry);
    service.storage.push(...items);
    if (items.length === 0)
      report.add(
        "not mapped",
        `${pathOf(fields, "cookies")}[${index}]`,
        "The pattern is more than a name with *, or is too long. Declare the cookies.",
      );
  }
  reportUnread(fields, reasons, behaviour);
}

function listEntries(fields: Fields, key: string): readonly Plain[] {
  const value = readValue(fields, key);
  if (!isPlainList(value)) return [];
  if (value.length > COOKIES_MAX)
    fields.report.add(
      "not mapped",
      `${pathOf(fields, key)}[${COOKIES_MAX}]`,
      `Only ${COOKIES_MAX} cookies of a service are read.`,
    );
  return value.slice(0, COOKIES_MAX);
}

/** A name, a regular expression, or `[name, path, domain]`. */
function toItems(entry: Plain): StoredItem[] {
  const [pattern, path, domain] = isPlainList(entry) ? entry : [entry];
  const regex = isPlainObject(pattern) ? (pattern["regex"] ?? pattern["pattern"]) : undefined;
  const names =
    typeof regex === "string"
      ? toNamePatterns(regex)
      : typeof pattern === "string"
        ? [pattern]
        : [];
  if (isLong(path, PATH_LENGTH_MAX) || isLong(domain, DOMAIN_LENGTH_MAX)) return [];
  return names.flatMap((name) => {
    const item = toStoredItem({
      name,
      kind: "cookie",
      path: typeof path === "string" && path !== "/" ? path : undefined,
      domain: typeof domain === "string" ? domain : undefined,
    });
    return item ? [item] : [];
  });
}

function isLong(text: Plain | undefined, max: number): boolean {
  return typeof text === "string" && text.length > max;
}
