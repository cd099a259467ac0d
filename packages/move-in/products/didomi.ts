import {
  type Fields,
  listKeys,
  pathOf,
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
  type ForeignCategory,
  type ForeignConfiguration,
  type Localized,
  getOrAdd,
  newCategory,
  newConfiguration,
  newService,
  setText,
} from "../mapping/foreign.ts";
import type { Input } from "../mapping/input.ts";
import { type Plain, isPlainObject } from "../mapping/plain.ts";
import type { Report } from "../mapping/report.ts";
import { type Product, type Source, hasField } from "./product.ts";

/**
 * Didomi: the custom JSON of a notice, which is also `didomi_config.json` of apps and `window.didomiConfig` of pages
 * (https://developers.didomi.io/cmp/web-sdk/consent-notice).
 */
export const didomi: Product = {
  tool: "didomi",
  marks: /privacy-center\.org|didomiConfig|didomi-host/i,
  whereToFind:
    "Didomi: the custom JSON of the notice in the console, or window.didomiConfig of the page.",
  isOurs: (input) => findValues(input).length > 0,
  read: readDidomi,
};

function findValues({ json, script }: Input): { path: string; read: (report: Report) => Plain }[] {
  if (json !== undefined) {
    const app = isPlainObject(json) ? json["app"] : undefined;
    const isOurs = hasField(app, "vendors", "apiKey", "privacyPolicyURL");
    return isOurs ? [{ path: "", read: () => json }] : [];
  }
  const assigned = script?.assigned.filter(({ name }) => /^(?:window\.)?didomiConfig$/.test(name));
  return (assigned ?? []).map(({ name, read }) => ({ path: name, read }));
}

/** Names of the standard purposes that sites without TCF use (https://developers.didomi.io/api/data-manager/purposes). */
const purposeTitles: Readonly<Record<string, string>> = {
  cookies: "Store and access information on a device",
  analytics: "Analytics",
  advertising_personalization: "Advertising personalization",
  content_personalization: "Content personalization",
  ad_delivery: "Ad delivery",
  market_research: "Market research",
  improve_products: "Develop and improve products",
};
const DAY_SECONDS = 86_400;
const behaviour = "A setting of Didomi's own behaviour or design.";

function readDidomi({ inputs, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("didomi", site);
  for (const { path, read } of inputs.flatMap(findValues)) {
    const root = toFields(read(report), path, report);
    const app = readFields(root, "app");
    configuration.name = readText(app, "name");
    const seconds = readNumber(app, "consentDuration");
    if (seconds !== undefined) configuration.expiresAfterDays = Math.round(seconds / DAY_SECONDS);
    const languages = readFields(root, "languages");
    configuration.defaultLanguage ??= readText(languages, "default");
    const url = toAddress(readText(app, "privacyPolicyURL"), configuration.site);
    if (url !== undefined) configuration.links.push({ text: "", url });
    readPurposes(app, configuration);
    readVendors(app, configuration);
    for (const id of readTexts(app, "essentialPurposes"))
      getOrAdd(configuration.categories, id, newCategory).isRequired = true;
    readNotice(readFields(root, "notice"), configuration);
    readPreferences(readFields(root, "preferences"), configuration);
    readTheme(readFields(root, "theme"), configuration);
    readTexts(languages, "enabled");
    for (const key of ["apiKey", "deploymentId", "logoUrl", "country"]) readValue(app, key);
    if (readFlag(app, "gdprAppliesGlobally") === false)
      report.add(
        "decide",
        pathOf(app, "gdprAppliesGlobally"),
        "The notice was for the European Union only. Add rules of regions if other visitors are not asked.",
      );
    const regulations = readFields(root, "regulations");
    for (const name of listKeys(regulations))
      report.add(
        "decide",
        pathOf(regulations, name),
        "The rules of one law. Add a rule of regions for its countries.",
      );
    reportUnread(app, {}, behaviour);
    reportUnread(
      root,
      { integrations: "Tags and Consent Mode: see the guide of Consent Mode." },
      behaviour,
    );
  }
  return configuration;
}

function readPurposes(app: Fields, configuration: ForeignConfiguration): void {
  for (const purpose of readObjects(app, "customPurposes")) {
    const id = readText(purpose, "id", 128);
    if (id === undefined) continue;
    const category = getOrAdd(configuration.categories, id, newCategory);
    readLocalized(purpose, "name", category.title);
    readLocalized(purpose, "description", category.description);
    reportUnread(purpose);
  }
}

function readVendors(app: Fields, configuration: ForeignConfiguration): void {
  const vendors = readFields(app, "vendors");
  const { report } = app;
  const iab = readFields(vendors, "iab");
  const isIab =
    readFlag(iab, "all") === true ||
    readTexts(iab, "include").length > 0 ||
    readFlag(iab, "enabled") === true;
  if (isIab)
    report.add(
      "not mapped",
      pathOf(vendors, "iab"),
      "Vendors of IAB TCF: choose them in Avow's TCF settings.",
    );
  for (const id of readTexts(vendors, "didomi")) {
    const service = addVendor(id, "cookies", configuration);
    setText(service.title, "", id);
    report.add(
      "decide",
      `${pathOf(vendors, "didomi")}: ${id}`,
      "A vendor of Didomi's own list, of which the file has only the id. Complete its purpose, texts and policy.",
    );
  }
  for (const fields of readObjects(vendors, "custom")) {
    const id = readText(fields, "id", 128) ?? readText(fields, "name", 128);
    if (id === undefined) continue;
    const [purpose = "cookies", ...more] = readTexts(fields, "purposeIds");
    if (more.length > 0)
      report.add(
        "changed",
        pathOf(fields, "purposeIds"),
        `Avow has one category for a vendor: ${purpose}, without ${more.join(", ")}.`,
      );
    const service = addVendor(id, purpose, configuration);
    setText(service.title, "", readText(fields, "name") ?? id);
    service.policyUrl = toAddress(
      readText(fields, "policyUrl") ?? readText(readFields(fields, "urls"), "privacy"),
      configuration.site,
    );
    if (readTexts(fields, "legIntPurposeIds").length > 0)
      report.add(
        "not mapped",
        pathOf(fields, "legIntPurposeIds"),
        "Legitimate interest: Avow asks for consent outside of TCF.",
      );
    reportUnread(fields);
  }
  if (Object.keys(readFields(vendors, "google").values).length > 0)
    report.add(
      "not mapped",
      pathOf(vendors, "google"),
      "Google's ad technology providers: choose them in Avow's TCF settings.",
    );
  reportUnread(vendors, {}, behaviour);
}

function addVendor(id: string, purpose: string, configuration: ForeignConfiguration) {
  const category = getOrAdd(configuration.categories, purpose, newCategory);
  if (category.title.size === 0)
    setText(
      category.title,
      "",
      Object.hasOwn(purposeTitles, purpose) ? purposeTitles[purpose] : purpose,
    );
  return getOrAdd(category.services, id, newService);
}

function readNotice(notice: Fields, configuration: ForeignConfiguration): void {
  const banner = configuration.texts;
  const content = readFields(notice, "content");
  readLocalized(content, "title", banner.title);
  readLocalized(content, "notice", banner.message);
  if (banner.message.size === 0) readLocalized(content, "popup", banner.message);
  readLocalized(content, "dismiss", banner.acceptAll);
  readLocalized(content, "deny", banner.refuseAll);
  readLocalized(content, "learnMore", banner.choose);
  readLocalized(content, "close", banner.close);
  const position = readText(notice, "position");
  const positions: Readonly<Record<string, string>> = {
    bottom: "bottom-middle",
    top: "top-middle",
    popup: "center",
    "top-left": "top-left",
    "top-right": "top-right",
    "bottom-left": "bottom-left",
    "bottom-right": "bottom-right",
  };
  if (position !== undefined && Object.hasOwn(positions, position))
    configuration.position = positions[position];
  for (const key of ["closeOnClick", "closeOnScroll"])
    if (readFlag(notice, key) === true)
      notice.report.add(
        "decide",
        pathOf(notice, key),
        "Clicking or scrolling counted as consent. Avow asks, and old answers may be no consent.",
      );
  if (readText(notice, "type") === "optout")
    notice.report.add(
      "decide",
      pathOf(notice, "type"),
      "The notice was an opt-out. Add a rule of regions with that model if the law allows it.",
    );
  reportUnread(content);
  reportUnread(notice, {}, behaviour);
}

function readPreferences(preferences: Fields, configuration: ForeignConfiguration): void {
  const content = readFields(preferences, "content");
  readLocalized(content, "save", configuration.texts.save);
  const { title, message } = configuration.texts;
  if (title.size === 0) readLocalized(content, "title", title);
  if (message.size === 0) readLocalized(content, "text", message);
  for (const category of readObjects(preferences, "categories")) {
    const id = readText(category, "purposeId") ?? readText(category, "id") ?? "";
    const known = configuration.categories.some((one: ForeignCategory) => one.id === id);
    readValue(category, "type");
    if (!known)
      preferences.report.add(
        "not mapped",
        category.path,
        `The purpose ${id}: no vendor of the file that Avow maps has it.`,
      );
  }
  reportUnread(
    content,
    {},
    "A text of Didomi's preference center; Avow has its own words in each language.",
  );
  reportUnread(preferences, {}, behaviour);
}

function readTheme(theme: Fields, configuration: ForeignConfiguration): void {
  const color = readText(theme, "color");
  if (color !== undefined && /^#[\da-f]{3,8}$/i.test(color)) configuration.colors.main = color;
  reportUnread(theme, {}, behaviour);
}

/** `{ "en": "…", "fr": "…" }`, or one text for all languages. Didomi's macros stay visible and are in the report. */
function readLocalized(fields: Fields, key: string, texts: Localized): void {
  const value = readValue(fields, key);
  const inner = isPlainObject(value)
    ? toFields(value, pathOf(fields, key), fields.report)
    : undefined;
  const entries = inner
    ? listKeys(inner).map((tag) => [tag, readText(inner, tag, 20_000)] as const)
    : [["", readText(fields, key, 20_000)] as const];
  for (const [tag, text] of entries) {
    setText(texts, tag, text);
    if (text !== undefined && /\{[a-zA-Z]+\}/.test(text))
      fields.report.add(
        "decide",
        pathOf(fields, key),
        "The text contains a macro of Didomi. Write its value.",
      );
  }
}
