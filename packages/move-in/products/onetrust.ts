import type { RegionRule } from "@avow/contract/configuration";
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
  type ForeignCategory,
  type ForeignConfiguration,
  type ForeignText,
  getOrAdd,
  newCategory,
  newConfiguration,
  newService,
  setText,
} from "../mapping/foreign.ts";
import { toStoredItem } from "./cookie-names.ts";
import { type Product, type Source, hasField, listMatches, rootOf } from "./product.ts";

/**
 * OneTrust: the domain file `consent/ID/ID.json` (rules by region) and the language files `consent/ID/RULE/LANGUAGE.json`
 * that `otSDKStub.js` loads, and that the download of scripts contains.
 */
export const onetrust: Product = {
  tool: "onetrust",
  marks: /otSDKStub\.js|data-domain-script|OptanonWrapper/i,
  whereToFind: "OneTrust: Scripts, Download; or the files that the site loads below /consent/.",
  isOurs: (input) => hasField(input.json, "DomainData", "RuleSet"),
  read: readOneTrust,
  findFiles({ html, url }) {
    const [id] = listMatches(html, /data-domain-script\s*=\s*["']([\w-]{8,80})["']/gi);
    const [stub = "https://cdn.cookielaw.org/scripttemplates/otSDKStub.js"] = listMatches(
      html,
      /src\s*=\s*["']([^"'<>\s]{1,500})otSDKStub\.js/gi,
    );
    const base = URL.parse(stub, url)?.href.replace(/scripttemplates\/.*$/, "");
    return id === undefined || base === undefined ? [] : [`${base}consent/${id}/${id}.json`];
  },
  listFurther(input, address, report) {
    if (!hasField(input.json, "RuleSet")) return [];
    const silent = { lines: [], omitted: 0, add: () => undefined };
    const rules = readObjects(rootOf(input, silent), "RuleSet");
    if (rules.length > RULES_FETCHED_MAX)
      report.add(
        "not mapped",
        `RuleSet[${RULES_FETCHED_MAX}]`,
        `Only the files of ${RULES_FETCHED_MAX} rules are fetched, of ${rules.length}.`,
      );
    return rules.slice(0, RULES_FETCHED_MAX).flatMap((rule) => {
      const id = readText(rule, "Id");
      if (id === undefined || !/^[\w-]+$/.test(id)) return [];
      const placeholder = readFields(rule, "LanguageSwitcherPlaceholder");
      const languages = Object.keys(placeholder.values)
        .map((key) => readText(placeholder, key) ?? "")
        .filter((language) => /^[A-Za-z-]{2,12}$/.test(language));
      const distinct = [...new Set(languages)];
      if (distinct.length > LANGUAGES_FETCHED_MAX)
        report.add(
          "not mapped",
          placeholder.path,
          `Only the files of ${LANGUAGES_FETCHED_MAX} languages are fetched, of ${distinct.length}.`,
        );
      return distinct
        .slice(0, LANGUAGES_FETCHED_MAX)
        .map((language) => new URL(`${id}/${language}.json`, address).href);
    });
  },
};

const texts: Readonly<Record<string, ForeignText>> = {
  BannerTitle: "title",
  AlertNoticeText: "message",
  AlertAllowCookiesText: "acceptAll",
  BannerRejectAllButtonText: "refuseAll",
  AlertMoreInfoText: "choose",
  PreferenceCenterConfirmText: "save",
  BannerCloseButtonText: "close",
  AlwaysActiveText: "alwaysOn",
  CookieSettingButtonText: "settings",
};
const positions: Readonly<Record<string, string>> = {
  "bottom-left": "bottom-left",
  "bottom-right": "bottom-right",
  bottom: "bottom-middle",
  top: "top-middle",
  center: "center",
};
const REGIONS_MAX = 300;
const RULES_FETCHED_MAX = 5;
const LANGUAGES_FETCHED_MAX = 10;
const optIn = new Set(["GDPR", "LGPD", "KVKK", "PIPEDA", "POPIA", "DPDPA", "PIPL"]);
const optOut = new Set(["CCPA", "CPRA", "USNATIONAL", "VCDPA", "CPA", "CTDPA", "UCPA", "USP"]);
const worded = "A text of OneTrust's preference center; Avow has its own words in each language.";
const design = "A detail of OneTrust's design.";

function readOneTrust({ inputs, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("onetrust", site);
  for (const input of inputs) {
    const root = rootOf(input, report);
    if (hasField(input.json, "RuleSet")) readRules(root, configuration);
    if (hasField(input.json, "DomainData")) readLanguage(root, configuration);
    reportUnread(root, {}, "Not a part of the banner's content.");
  }
  return configuration;
}

function readRules(root: Fields, configuration: ForeignConfiguration): void {
  const rules = readObjects(root, "RuleSet");
  for (const rule of rules) {
    const type = readText(rule, "Type") ?? "";
    if (!optIn.has(type) && !optOut.has(type))
      rule.report.add(
        "decide",
        pathOf(rule, "Type"),
        `The type ${type || "(none)"} says nothing of consent in Avow: proposed as opt-in, the strictest model.`,
      );
    const model = optOut.has(type) ? "opt-out" : "opt-in";
    const title = readText(rule, "Name");
    const regions = listRegions(rule);
    if (regions.length > 0)
      configuration.regions.push({ in: regions, model, ...(title !== undefined && { title }) });
    for (const key of ["Id", "LanguageSwitcherPlaceholder", "TemplateName", "Default"])
      rule.read.add(key);
    reportUnread(rule);
  }
  // One rule for everywhere is what a configuration without rules does.
  const [only] = configuration.regions;
  if (configuration.regions.length === 1 && only?.model === "opt-in") configuration.regions = [];
}

function listRegions(rule: Fields): RegionRule["in"] {
  if (readFlag(rule, "Global") === true) {
    rule.read.add("Countries").add("States");
    return ["*"];
  }
  const states = readFields(rule, "States");
  const within = Object.keys(states.values).flatMap((country) =>
    readTexts(states, country).map((state) => `${country}-${state}`.toUpperCase()),
  );
  const countries = readTexts(rule, "Countries").map((country) => country.toUpperCase());
  const named = new Set(within.map((region) => region.slice(0, 2)));
  const regions = [...countries.filter((country) => !named.has(country)), ...within].filter(
    (region) => /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(region),
  );
  if (regions.length > REGIONS_MAX)
    rule.report.add(
      "not mapped",
      pathOf(rule, "Countries"),
      `Only ${REGIONS_MAX} regions of a rule are proposed, of ${regions.length}.`,
    );
  return regions.slice(0, REGIONS_MAX);
}

function readLanguage(root: Fields, configuration: ForeignConfiguration): void {
  const { report } = root;
  const data = readFields(root, "DomainData");
  const language = readText(readFields(data, "Language"), "Culture") ?? "";
  configuration.defaultLanguage ??= language;
  for (const [key, name] of Object.entries(texts))
    setText(configuration.texts[name], language, readText(data, key, 20_000));
  const position = readText(data, "BannerPosition");
  if (position !== undefined && Object.hasOwn(positions, position))
    configuration.position = positions[position];
  configuration.expiresAfterDays ??= readNumber(data, "ReconsentFrequencyDays");
  if (readFlag(data, "PCShowPersistentCookiesHoverButton") === false)
    configuration.launcher = false;
  const model = readText(data, "ConsentModel");
  if (model !== undefined && !["opt-in", "custom"].includes(model))
    report.add(
      "decide",
      pathOf(data, "ConsentModel"),
      `OneTrust's model is ${model}. Proposed by the rules of regions, or as opt-in without them.`,
    );
  if (readFlag(data, "IsIabEnabled") === true)
    report.add(
      "not mapped",
      pathOf(data, "IsIabEnabled"),
      "IAB TCF: set it up in Avow's TCF settings.",
    );
  if (readFlag(data, "BannerShowRejectAllButton") === false)
    report.add(
      "changed",
      pathOf(data, "BannerShowRejectAllButton"),
      "The old first layer had no button to refuse. Avow's always has one, like the one to accept.",
    );
  const vendors = readObjects(data, "GeneralVendors");
  for (const group of readObjects(data, "Groups"))
    readGroup(group, { configuration, language, vendors });
  readCommon(readFields(root, "CommonData"), configuration);
  reportUnread(data, { Vendors: "IAB vendors: choose them in Avow's TCF settings." }, worded);
}

interface GroupContext {
  configuration: ForeignConfiguration;
  language: string;
  vendors: readonly Fields[];
}

function readGroup(group: Fields, { configuration, language, vendors }: GroupContext): void {
  const { report } = group;
  const id = readText(group, "CustomGroupId") ?? readText(group, "OptanonGroupId");
  group.read.add("OptanonGroupId");
  if (id === undefined) return report.add("invalid", group.path, "The group has no id.");
  const type = readText(group, "Type") ?? "COOKIE";
  if (readFlag(group, "IsIabPurpose") === true || type.startsWith("IAB"))
    return report.add("not mapped", group.path, "A purpose of IAB TCF: set TCF up in Avow.");
  const status = readText(group, "Status") ?? "";
  const isRequired = status === "always active";
  const category = getOrAdd(configuration.categories, id, (name) => newCategory(name, isRequired));
  if (status.startsWith("active"))
    report.add(
      "decide",
      pathOf(group, "Status"),
      "OneTrust had this group on before an answer. Avow asks first, unless a rule of regions says opt-out.",
    );
  setText(category.title, language, readText(group, "GroupName"));
  setText(category.description, language, readText(group, "GroupDescription", 20_000));
  const isFirst = category.storage.length === 0 && category.services.length === 0;
  if (isFirst) {
    category.storage.push(...readCookies(group, "FirstPartyCookies"));
    readHosts(group, { category, language });
    const ids = new Set(readTexts(group, "GeneralVendorsIds"));
    for (const vendor of vendors)
      if (ids.has(readText(vendor, "VendorCustomId") ?? "")) readVendor(vendor, category, language);
  }
  for (const key of ["Hosts", "FirstPartyCookies", "GeneralVendorsIds", "Order", "PurposeId"])
    group.read.add(key);
  for (const key of [
    "GroupId",
    "GroupNameMobile",
    "GroupNameOTT",
    "GroupDescriptionOTT",
    "ShowInPopup",
  ])
    group.read.add(key);
  if (readText(group, "Parent") !== undefined)
    report.add(
      "changed",
      pathOf(group, "Parent"),
      "A group within a group becomes a category of its own.",
    );
  reportUnread(group, {}, "A setting of OneTrust's preference center.");
}

function readHosts(
  group: Fields,
  { category, language }: { category: ForeignCategory; language: string },
): void {
  for (const host of readObjects(group, "Hosts")) {
    const name = readText(host, "HostName");
    if (name === undefined) continue;
    const service = getOrAdd(category.services, name, newService);
    setText(service.title, "", readText(host, "DisplayName") ?? name);
    setText(service.description, language, readText(host, "Description", 20_000));
    service.policyUrl = toAddress(readText(host, "PrivacyPolicy"), undefined);
    if (/^[\w-]+(\.[\w-]+)+$/.test(name)) service.hosts.push(name);
    service.storage.push(...readCookies(host, "Cookies"));
    host.read.add("HostId");
    reportUnread(host);
  }
}

function readVendor(vendor: Fields, category: ForeignCategory, language: string): void {
  const id = readText(vendor, "VendorCustomId") ?? "";
  const service = getOrAdd(category.services, id, newService);
  setText(service.title, "", readText(vendor, "Name") ?? id);
  setText(service.description, language, readText(vendor, "Description", 20_000));
  service.policyUrl = toAddress(readText(vendor, "PrivacyPolicyUrl"), undefined);
  service.storage.push(...readCookies(vendor, "Cookies"));
}

function readCookies(parent: Fields, key: string): ForeignCategory["storage"] {
  return readObjects(parent, key).flatMap((cookie) => {
    const days = readNumber(cookie, "Length") ?? 0;
    const isSession = readFlag(cookie, "IsSession") === true || days === 0;
    const item = toStoredItem({
      name: readText(cookie, "Name", 256),
      kind: "cookie",
      purpose: readText(cookie, "description"),
      duration: isSession ? "session" : `${days} days`,
      provider: readText(cookie, "Host"),
    });
    return item ? [item] : [];
  });
}

function readCommon(common: Fields, configuration: ForeignConfiguration): void {
  const color = (key: string): string | undefined => {
    const value = readText(common, key);
    return value !== undefined && /^#[\da-f]{3,8}$/i.test(value) ? value : undefined;
  };
  const [main, background, text] = [
    color("ButtonColor"),
    color("BackgroundColor"),
    color("TextColor"),
  ];
  if (main !== undefined) configuration.colors.main = main;
  if (background !== undefined) configuration.colors.background = background;
  if (text !== undefined) Object.assign(configuration.colors, { text, title: text });
  const domain = readText(common, "OptanonCookieDomain");
  if (domain !== undefined) configuration.site ??= toAddress(`https://${domain}/`, undefined);
  readValue(common, "ConsentIntegration");
  reportUnread(common, {}, design);
}
