import {
  type Fields,
  listKeys,
  pathOf,
  readEntries,
  readFields,
  readFlag,
  readNumber,
  readObjects,
  readRaw,
  readText,
  readValue,
  reportUnread,
  toAddress,
  toFields,
} from "../mapping/fields.ts";
import {
  type ForeignConfiguration,
  getOrAdd,
  newCategory,
  newConfiguration,
  newService,
  setText,
} from "../mapping/foreign.ts";
import type { Input } from "../mapping/input.ts";
import { LINKS_OF_TEXT_MAX, listLinks } from "../mapping/plain-text.ts";
import { type Plain, isPlainObject } from "../mapping/plain.ts";
import type { Report } from "../mapping/report.ts";
import { toNamePatterns, toStoredItem } from "./cookie-names.ts";
import { type Product, type Source, hasField, listScripts } from "./product.ts";

/**
 * CookieConsent by orestbida: the script that calls `CookieConsent.run` (version 3,
 * https://cookieconsent.orestbida.com/reference/configuration-reference.html) or `run` of `initCookieConsent()` (version 2).
 */
export const cookieconsent: Product = {
  tool: "cookieconsent",
  marks: /cookieconsent(?:\.umd|\.esm)?(?:\.min)?\.js|initCookieConsent|CookieConsent\.run/i,
  whereToFind: "CookieConsent: the file of your site that calls CookieConsent.run.",
  isOurs: (input) => findValues(input).length > 0,
  read: readCookieConsent,
  findFiles: (page, report) =>
    listScripts(
      page,
      /src\s*=\s*["']([^"'<>\s]{0,200}cookie-?consent[^"'<>\s]{0,200}(?:config|init|settings)[^"'<>\s]{0,200}\.js)["']/gi,
      report,
    ),
};

/** Configurations with the names of their roots; a call of any `run` counts if it has the fields of a configuration. */
function findValues({ json, script }: Input): { path: string; read: (report: Report) => Plain }[] {
  if (json !== undefined) {
    const isOurs =
      hasField(json, "categories", "guiOptions") &&
      isPlainObject(json) &&
      isPlainObject(json["language"]);
    return isOurs ? [{ path: "", read: () => json }] : [];
  }
  const silent: Report = { lines: [], omitted: 0, add: () => undefined };
  const candidates = [
    ...(script?.passed.filter(({ name, index }) => index === 0 && /(?:^|\.)run$/.test(name)) ?? []),
    ...(script?.assigned.filter(({ name }) => name === "default") ?? []),
  ];
  return candidates.flatMap(({ name, read }) => {
    const value = read(silent);
    const isOurs =
      isPlainObject(value) && (isPlainObject(value["language"]) || "languages" in value);
    return isOurs ? [{ path: name, read }] : [];
  });
}

const behaviour = "A setting of CookieConsent's own behaviour.";
const reasons: Readonly<Record<string, string>> = {
  revision: "Avow asks again by itself after a material change.",
  onFirstConsent: "A function: use the event `answered` of the widget.",
  onConsent: "A function: use the event `answered` of the widget.",
  onChange: "A function: use the event `answered` of the widget.",
};

function readCookieConsent({ inputs, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("cookieconsent", site);
  for (const { path, read } of inputs.flatMap(findValues)) {
    const root = toFields(read(report), path, report);
    if (hasField(root.values, "languages")) readVersion2(root, configuration);
    else readVersion3(root, configuration);
    if (readText(root, "mode") === "opt-out")
      configuration.regions = [{ in: ["*"], model: "opt-out" }];
    reportUnread(root, reasons, behaviour);
  }
  return configuration;
}

function readVersion3(root: Fields, configuration: ForeignConfiguration): void {
  const { report } = root;
  for (const [id, fields] of readEntries(readFields(root, "categories"))) {
    const isRequired = readFlag(fields, "readOnly") === true;
    const category = getOrAdd(configuration.categories, id, (name) =>
      newCategory(name, isRequired),
    );
    if (readFlag(fields, "enabled") === true && !isRequired)
      report.add(
        "changed",
        pathOf(fields, "enabled"),
        "CookieConsent preselected this category. Avow preselects nothing.",
      );
    category.storage.push(...readAutoClear(fields));
    for (const [name, service] of readEntries(readFields(fields, "services"))) {
      const one = getOrAdd(category.services, name, newService);
      setText(one.title, "", readText(service, "label"));
      one.storage.push(...readCookies(service, "cookies"));
      reportUnread(service, {}, "A function or a setting of CookieConsent.");
    }
    reportUnread(fields, {}, behaviour);
  }
  const language = readFields(root, "language");
  const isDefault = readText(language, "default");
  if (isDefault !== undefined) configuration.defaultLanguage ??= isDefault;
  const translations = readFields(language, "translations");
  for (const tag of listKeys(translations)) {
    const value = readValue(translations, tag);
    if (isPlainObject(value))
      readTranslation(toFields(value, pathOf(translations, tag), report), tag, configuration);
    else
      report.add(
        "not mapped",
        pathOf(translations, tag),
        "The texts are in another file. Pass that language in this file.",
      );
  }
  reportUnread(language, {}, "Avow chooses the language by the page and the browser.");
  const cookie = readFields(root, "cookie");
  const name = readText(cookie, "name", 256);
  if (name !== "cc_cookie") configuration.cookieName = name;
  configuration.expiresAfterDays = readNumber(cookie, "expiresAfterDays");
  reportUnread(cookie, {}, behaviour);
  const options = readFields(root, "guiOptions");
  configuration.position = toPosition(readText(readFields(options, "consentModal"), "position"));
}

/** Texts of version 3: those of the two modals, and a section for each category. */
function readTranslation(
  texts: Fields,
  language: string,
  configuration: ForeignConfiguration,
): void {
  const banner = configuration.texts;
  const consent = readFields(texts, "consentModal");
  const preferences = readFields(texts, "preferencesModal");
  setText(banner.title, language, readText(consent, "title"));
  const message = readRaw(consent, "description");
  setText(banner.message, language, readText(consent, "description", 20_000));
  setText(banner.acceptAll, language, readText(consent, "acceptAllBtn"));
  setText(banner.refuseAll, language, readText(consent, "acceptNecessaryBtn"));
  setText(banner.choose, language, readText(consent, "showPreferencesBtn"));
  setText(banner.save, language, readText(preferences, "savePreferencesBtn"));
  setText(banner.close, language, readText(preferences, "closeIconLabel"));
  if (!banner.refuseAll.has(language))
    texts.report.add(
      "changed",
      pathOf(consent, "acceptNecessaryBtn"),
      "The first layer had no button to refuse. Avow's always has one.",
    );
  addLinks(readRaw(consent, "footer"), { configuration, fields: consent, key: "footer", language });
  addLinks(message, { configuration, fields: consent, key: "description", language });
  for (const key of ["title", "acceptAllBtn", "acceptNecessaryBtn"]) preferences.read.add(key);
  for (const section of readObjects(preferences, "sections"))
    readSection(section, readText(section, "linkedCategory"), { configuration, language });
  reportUnread(consent);
  reportUnread(preferences);
  reportUnread(texts);
}

function readSection(
  section: Fields,
  id: string | undefined,
  { configuration, language }: { configuration: ForeignConfiguration; language: string },
): void {
  if (id === undefined) {
    const title = readText(section, "title") ?? "";
    return section.report.add(
      "not mapped",
      section.path,
      `A section without a category: ${title}. Add its text to the first step if it is needed.`,
    );
  }
  const category = getOrAdd(configuration.categories, id, newCategory);
  setText(category.title, language, readText(section, "title"));
  setText(category.description, language, readText(section, "description", 20_000));
  const table = readFields(section, "cookieTable");
  readTable(readObjects(table, "body"), category);
  readValue(table, "caption");
  readValue(table, "headers");
  reportUnread(section);
}

/** Rows of a table of cookies, whose columns the site names as it likes. */
function readTable(
  rows: readonly Fields[],
  category: ForeignConfiguration["categories"][number],
): void {
  for (const row of rows) {
    const find = (pattern: RegExp): string | undefined => {
      const key = listKeys(row).find((one) => pattern.test(one));
      return key === undefined ? undefined : readText(row, key);
    };
    const written = find(/name|cookie|^col1$/i) ?? "";
    const isRegex = readFlag(row, "is_regex") === true;
    const texts = {
      provider: find(/domain|provider|service|^col2$/i),
      duration: find(/expir|duration|^col3$/i),
      purpose: find(/desc|purpose|^col4$/i),
    };
    for (const name of isRegex ? toNamePatterns(written) : [written]) {
      const item = toStoredItem({ name, kind: "cookie", ...texts });
      if (item && !category.storage.some((one) => one.name === item.name))
        category.storage.push(item);
    }
  }
}

function readAutoClear(fields: Fields): ReturnType<typeof readCookies> {
  return readCookies(readFields(fields, "autoClear"), "cookies");
}

function readCookies(
  fields: Fields,
  key: string,
): ForeignConfiguration["categories"][number]["storage"] {
  return readObjects(fields, key).flatMap((cookie) => {
    const value = readValue(cookie, "name");
    const regex = isPlainObject(value) ? value["regex"] : undefined;
    const names =
      typeof regex === "string" ? toNamePatterns(regex) : typeof value === "string" ? [value] : [];
    if (names.length === 0)
      cookie.report.add(
        "not mapped",
        pathOf(cookie, "name"),
        "The pattern is more than a name with *. Declare the cookies.",
      );
    return names.flatMap((name) => {
      const item = toStoredItem({
        name,
        kind: "cookie",
        domain: readText(cookie, "domain", 253),
        path: readText(cookie, "path"),
      });
      return item ? [item] : [];
    });
  });
}

/** Version 2: snake_case names, and categories as the blocks of the settings modal (types.d.ts of 2.9). */
function readVersion2(root: Fields, configuration: ForeignConfiguration): void {
  const isDefault = readText(root, "current_lang");
  if (isDefault !== undefined) configuration.defaultLanguage ??= isDefault;
  const cookieName = readText(root, "cookie_name", 256);
  if (cookieName !== "cc_cookie") configuration.cookieName = cookieName;
  configuration.expiresAfterDays = readNumber(root, "cookie_expiration");
  const options = readFields(readFields(root, "gui_options"), "consent_modal");
  configuration.position = toPosition(readText(options, "position"));
  for (const [language, texts] of readEntries(readFields(root, "languages"))) {
    const banner = configuration.texts;
    const consent = readFields(texts, "consent_modal");
    const settings = readFields(texts, "settings_modal");
    setText(banner.title, language, readText(consent, "title"));
    const message = readRaw(consent, "description");
    setText(banner.message, language, readText(consent, "description", 20_000));
    for (const key of ["primary_btn", "secondary_btn"]) {
      const button = readFields(consent, key);
      const role = readText(button, "role");
      const text = readText(button, "text");
      if (role === "accept_all") setText(banner.acceptAll, language, text);
      if (role === "accept_necessary") setText(banner.refuseAll, language, text);
      if (role === "settings") setText(banner.choose, language, text);
    }
    setText(banner.save, language, readText(settings, "save_settings_btn"));
    setText(banner.close, language, readText(settings, "close_btn_label"));
    addLinks(message, { configuration, fields: consent, key: "description", language });
    for (const key of ["title", "accept_all_btn", "reject_all_btn", "cookie_table_headers"])
      settings.read.add(key);
    for (const block of readObjects(settings, "blocks"))
      readBlock(block, { configuration, language });
    reportUnread(consent);
    reportUnread(settings);
  }
}

function readBlock(
  block: Fields,
  { configuration, language }: { configuration: ForeignConfiguration; language: string },
): void {
  const toggle = readFields(block, "toggle");
  const id = readText(toggle, "value");
  if (id !== undefined) {
    const category = getOrAdd(configuration.categories, id, newCategory);
    if (readFlag(toggle, "readonly") === true) category.isRequired = true;
    else if (readFlag(toggle, "enabled") === true)
      block.report.add(
        "changed",
        pathOf(toggle, "enabled"),
        "CookieConsent preselected this category. Avow preselects nothing.",
      );
    readTable(readObjects(block, "cookie_table"), category);
  }
  readSection(block, id, { configuration, language });
}

function addLinks(
  html: string | undefined,
  {
    configuration,
    fields,
    key,
    language,
  }: { configuration: ForeignConfiguration; fields: Fields; key: string; language: string },
): void {
  const links = listLinks(html ?? "");
  if (links.length >= LINKS_OF_TEXT_MAX)
    fields.report.add(
      "not mapped",
      pathOf(fields, key),
      `At most ${LINKS_OF_TEXT_MAX} links of a text are read.`,
    );
  for (const { text, url } of links) {
    const address = toAddress(url, configuration.site);
    if (address !== undefined) configuration.links.push({ text, url: address, language });
    else if (!url.startsWith("#"))
      fields.report.add(
        "not mapped",
        pathOf(fields, key),
        `${url} is not a full address. Enter the address of the site (--site), or add the link.`,
      );
  }
}

function toPosition(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [vertical = "bottom", horizontal = "middle"] = text.split(" ");
  if (vertical === "middle") return "center";
  const side = horizontal === "center" ? "middle" : horizontal;
  const position = `${vertical}-${side}`;
  return /^(?:top|bottom)-(?:left|middle|right)$/.test(position) ? position : undefined;
}
