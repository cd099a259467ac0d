import type { StoredItem } from "@avow/contract/configuration";
import {
  type Fields,
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
} from "../mapping/fields.ts";
import {
  type ForeignConfiguration,
  getOrAdd,
  newCategory,
  newConfiguration,
  newService,
  setText,
} from "../mapping/foreign.ts";
import type { Report } from "../mapping/report.ts";
import { toStoredItem } from "./cookie-names.ts";
import { type Product, type Source, hasField, listMatches, rootOf } from "./product.ts";

/**
 * Usercentrics: the settings of a language (`settings/ID/latest/LANGUAGE.json`), and the services (`aggregate/LANGUAGE`)
 * that its script loads. Names and addresses are those of @usercentrics/cmp-browser-sdk 4.64.
 */
export const usercentrics: Product = {
  tool: "usercentrics",
  marks: /usercentrics|data-settings-id|uc-block/i,
  whereToFind:
    "Usercentrics: https://api.usercentrics.eu/settings/ID/latest/LANGUAGE.json with the id of your script tag.",
  isOurs: (input) =>
    hasField(input.json, "consentTemplates", "settingsId", "languagesAvailable") ||
    (hasField(input.json, "templates") && !hasField(input.json, "DomainData")),
  read: readUsercentrics,
  findFiles({ html }) {
    const [id] = listMatches(html, /data-settings-id\s*=\s*["']([\w-]{4,64})["']/gi);
    return id === undefined
      ? []
      : [`https://api.usercentrics.eu/settings/${id}/latest/languages.json`];
  },
  listFurther(input, address, report) {
    const silent: Report = { lines: [], omitted: 0, add: () => undefined };
    const root = rootOf(input, silent);
    if (address.pathname.endsWith("/languages.json")) {
      const languages = readTexts(root, "languagesAvailable").filter((language) =>
        /^[A-Za-z_-]{2,12}$/.test(language),
      );
      if (languages.length > LANGUAGES_FETCHED_MAX)
        report.add(
          "not mapped",
          "languagesAvailable",
          `Only the files of ${LANGUAGES_FETCHED_MAX} languages are fetched, of ${languages.length}.`,
        );
      return languages
        .slice(0, LANGUAGES_FETCHED_MAX)
        .map((language) => new URL(`${language}.json`, address).href);
    }
    const language = readText(root, "language") ?? "en";
    const ids = readObjects(root, "consentTemplates").flatMap((template) => {
      const [id, version] = [readText(template, "templateId"), readText(template, "version")];
      const isUsable = /^[\w-]+$/.test(id ?? "") && /^[\w.-]+$/.test(version ?? "");
      return isUsable ? [`${id ?? ""}@${version ?? ""}`] : [];
    });
    if (ids.length > SERVICES_FETCHED_MAX)
      report.add(
        "not mapped",
        "consentTemplates",
        `Only ${SERVICES_FETCHED_MAX} services are fetched, of ${ids.length}.`,
      );
    if (ids.length === 0 || !/^[A-Za-z_-]{2,12}$/.test(language)) return [];
    return [
      `https://aggregator.service.usercentrics.eu/aggregate/${language}?templates=${ids.slice(0, SERVICES_FETCHED_MAX).join(",")}`,
    ];
  },
};

const LANGUAGES_FETCHED_MAX = 10;
const SERVICES_FETCHED_MAX = 200;
const worded = "A text or a setting of Usercentrics' own dialog.";
const DAY_SECONDS = 86_400;

function readUsercentrics({ inputs, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("usercentrics", site);
  const settings = inputs.filter((input) => hasField(input.json, "consentTemplates", "settingsId"));
  for (const input of settings) readSettings(rootOf(input, report), configuration);
  for (const input of inputs)
    if (hasField(input.json, "templates")) {
      const root = rootOf(input, report);
      for (const template of readObjects(root, "templates")) readTemplate(template, configuration);
    }
  const bare = configuration.categories
    .flatMap(({ services }) => services)
    .filter(({ title }) => title.size === 0);
  for (const service of bare) {
    setText(service.title, "", service.id);
    report.add(
      "decide",
      `consentTemplates: ${service.id}`,
      "The file has only the id of the service. Add the answer of the aggregator, or complete the vendor.",
    );
  }
  return configuration;
}

function readSettings(root: Fields, configuration: ForeignConfiguration): void {
  const { report } = root;
  const language = (readText(root, "language") ?? "").replace("_", "-");
  configuration.defaultLanguage ??= language;
  const banner = configuration.texts;
  const labels = readFields(root, "labels");
  setText(
    banner.title,
    language,
    readText(labels, "firstLayerTitle") ?? readText(labels, "headerModal"),
  );
  setText(banner.message, language, readText(root, "bannerMessage", 20_000));
  setText(banner.acceptAll, language, readText(labels, "btnAcceptAll"));
  setText(banner.refuseAll, language, readText(labels, "btnDeny"));
  setText(banner.choose, language, readText(labels, "btnMore"));
  setText(banner.save, language, readText(labels, "btnSave"));
  const names = {
    privacyPolicyUrl: "privacyPolicyLinkText",
    cookiePolicyUrl: "cookiePolicyLinkText",
    imprintUrl: "imprintLinkText",
  };
  for (const [key, label] of Object.entries(names)) {
    const url = toAddress(readText(root, key), configuration.site);
    const text = readText(labels, label) ?? "";
    if (url !== undefined) configuration.links.push({ text, url, language });
  }
  for (const fields of readObjects(root, "categories")) {
    const id = readText(fields, "categorySlug");
    if (id === undefined) continue;
    const isRequired = readFlag(fields, "isEssential") === true;
    const category = getOrAdd(configuration.categories, id, (name) =>
      newCategory(name, isRequired),
    );
    setText(category.title, language, readText(fields, "label"));
    setText(category.description, language, readText(fields, "description", 20_000));
    if (readFlag(fields, "isHidden") === true)
      report.add(
        "changed",
        pathOf(fields, "isHidden"),
        "The category was hidden. Avow shows all categories.",
      );
    reportUnread(fields, {}, worded);
  }
  for (const template of readObjects(root, "consentTemplates"))
    readConsentTemplate(template, configuration, language);
  if (readFlag(root, "tcf2Enabled") === true)
    report.add(
      "not mapped",
      pathOf(root, "tcf2Enabled"),
      "IAB TCF: set it up in Avow's TCF settings.",
    );
  if (readFlag(readFields(root, "ccpa"), "isActive") === true)
    report.add(
      "decide",
      pathOf(root, "ccpa"),
      "The file has rules for California. Add a rule of regions.",
    );
  if (readFlag(root, "displayOnlyForEU") === true)
    report.add(
      "decide",
      pathOf(root, "displayOnlyForEU"),
      "Visitors outside of the European Union were not asked. Add a rule of regions if that is right.",
    );
  readCustomization(readFields(root, "customization"), configuration);
  for (const key of ["settingsId", "version", "languagesAvailable", "editableLanguages"])
    readValue(root, key);
  reportUnread(labels, {}, worded);
  reportUnread(root, {}, worded);
}

function readConsentTemplate(
  template: Fields,
  configuration: ForeignConfiguration,
  language: string,
): void {
  const id = readText(template, "templateId", 128);
  if (id === undefined)
    return template.report.add("invalid", template.path, "The service has no templateId.");
  if (readFlag(template, "isDeactivated") === true) return;
  const slug = readText(template, "categorySlug") ?? "services";
  const service = getOrAdd(
    getOrAdd(configuration.categories, slug, newCategory).services,
    id,
    newService,
  );
  setText(service.description, language, readText(template, "description", 20_000));
  setText(service.title, "", readText(template, "dataProcessor"));
  readValue(template, "version");
  reportUnread(template, {}, worded);
}

/** A service of the aggregator, by the id that the settings name. */
function readTemplate(template: Fields, configuration: ForeignConfiguration): void {
  const id = readText(template, "templateId");
  const service = configuration.categories
    .flatMap(({ services }) => services)
    .find((one) => one.id === id);
  if (!service) return;
  const language = (readText(template, "language") ?? "").replace("_", "-");
  setText(
    service.title,
    "",
    readText(template, "dataProcessor") ?? readTexts(template, "dataProcessors")[0],
  );
  if (!service.description.has(language))
    setText(service.description, language, readText(template, "descriptionOfService", 20_000));
  service.provider =
    readText(template, "nameOfProcessingCompany") ?? readText(template, "processingCompany");
  service.policyUrl ??= toAddress(
    readText(template, "privacyPolicyURL") ?? readText(template, "policyOfProcessorUrl"),
    undefined,
  );
  if (service.storage.length === 0) {
    const storage = readFields(template, "deviceStorage");
    service.storage.push(...readObjects(storage, "disclosures").flatMap((item) => toItem(item)));
  }
  readValue(template, "version");
  reportUnread(template, {}, "A detail of the service that Avow has no field for.");
}

const kinds: Readonly<Record<string, StoredItem["kind"]>> = {
  cookie: "cookie",
  web: "localStorage",
};

function toItem(fields: Fields): StoredItem[] {
  const seconds = readNumber(fields, "maxAgeSeconds");
  const type = readText(fields, "type") ?? "";
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  const item = toStoredItem({
    name: readText(fields, "identifier", 256) ?? readText(fields, "name", 256),
    ...(kind && { kind }),
    purpose: readText(fields, "description"),
    duration:
      seconds === undefined || seconds <= 0
        ? undefined
        : `${Math.max(1, Math.round(seconds / DAY_SECONDS))} days`,
  });
  return item ? [item] : [];
}

function readCustomization(customization: Fields, configuration: ForeignConfiguration): void {
  const color = readFields(customization, "color");
  const value = readText(color, "primary") ?? readText(color, "acceptBtnBackground");
  if (value !== undefined && /^#[\da-f]{3,8}$/i.test(value)) configuration.colors.main = value;
  reportUnread(customization, {}, "A detail of Usercentrics' design.");
}
