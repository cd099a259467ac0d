import type { RegionRule } from "@avow/contract/configuration";
import { type ConsentModel, consentModels } from "@avow/contract/regions";
import {
  type Fields,
  pathOf,
  readEntries,
  readFields,
  readFlag,
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
 * c15t: options of `getOrCreateConsentRuntime` in JavaScript (c15t 2.2, docs/frameworks/javascript), or the answer of the
 * backend's `/init` as JSON (`initOutputSchema` of @c15t/schema 2.2).
 */
export const c15t: Product = {
  tool: "c15t",
  marks: /c15t/i,
  whereToFind:
    "c15t: the file with the options of getOrCreateConsentRuntime, or the answer of BACKEND/init.",
  isOurs: (input) => findValues(input).length > 0,
  read: readC15t,
};

function findValues({ json, script }: Input): { path: string; read: (report: Report) => Plain }[] {
  if (json !== undefined) {
    const isInit = hasField(json, "jurisdiction") && hasField(json, "translations");
    const isOptions = hasField(json, "consentCategories", "policyPacks", "offlinePolicy");
    return isInit || isOptions ? [{ path: "", read: () => json }] : [];
  }
  const passed = script?.passed.filter(
    ({ name, index }) =>
      index === 0 &&
      /^(?:getOrCreateConsentRuntime|createConsentRuntime|defineConfig|c15tInstance)$/.test(name),
  );
  const silent: Report = { lines: [], omitted: 0, add: () => undefined };
  const exported = script?.assigned.filter(({ name, read }) => {
    if (name !== "default" && !/c15t/i.test(name)) return false;
    const value = read(silent);
    return (
      isPlainObject(value) && hasField(value, "consentCategories", "backendURL", "policyPacks")
    );
  });
  const found = [...(passed ?? []), ...(exported ?? [])];
  return found.map(({ name, read }) => ({ path: name, read }));
}

/** Categories that a runtime without `consentCategories` has. */
const defaults = ["necessary", "marketing"];
/** English titles of the categories, for files that leave the texts to c15t (@c15t/translations 2.2). */
const titles: Readonly<Record<string, string>> = {
  necessary: "Strictly Necessary",
  functionality: "Functionality",
  experience: "Experience",
  measurement: "Analytics",
  marketing: "Marketing",
};
const behaviour = "A setting of c15t's own behaviour.";

function readC15t({ inputs, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("c15t", site);
  for (const { path, read } of inputs.flatMap(findValues)) {
    const root = toFields(read(report), path, report);
    const names = readTexts(root, "consentCategories");
    for (const id of names.length > 0 ? names : defaults)
      getOrAdd(configuration.categories, id, (name) => newCategory(name, name === "necessary"));
    readTranslations(root, configuration);
    readLinks(root, configuration);
    for (const script of readObjects(root, "scripts")) readScript(script, configuration);
    const packs = [
      ...readObjects(root, "policyPacks"),
      ...readObjects(readFields(root, "offlinePolicy"), "policyPacks"),
    ];
    for (const pack of packs) readPack(pack, configuration);
    for (const { id, title } of configuration.categories)
      if (title.size === 0 && Object.hasOwn(titles, id)) setText(title, "", titles[id]);
    const policy = readFields(root, "policy");
    if (Object.keys(policy.values).length > 0)
      report.add(
        "decide",
        pathOf(root, "policy"),
        "The answer has the policy of one region only. Add rules for the others.",
      );
    for (const key of ["jurisdiction", "location", "mode", "backendURL"]) readValue(root, key);
    reportUnread(root, {}, behaviour);
  }
  return configuration;
}

/** `i18n.messages` of version 2, `translations` of version 1, and `translations` of `/init`. */
function readTranslations(root: Fields, configuration: ForeignConfiguration): void {
  const i18n = readFields(root, "i18n");
  const translations = readFields(root, "translations");
  const language = readText(i18n, "locale") ?? readText(translations, "defaultLanguage");
  const served = readText(translations, "language");
  configuration.defaultLanguage ??= language ?? served;
  const nested = readFields(translations, "translations");
  if (served !== undefined) readMessages(nested, served, configuration);
  else for (const [tag, texts] of readEntries(nested)) readMessages(texts, tag, configuration);
  for (const [tag, texts] of readEntries(readFields(i18n, "messages")))
    readMessages(texts, tag, configuration);
  reportUnread(i18n, {}, "Avow chooses the language by the page and the browser.");
}

function readMessages(texts: Fields, language: string, configuration: ForeignConfiguration): void {
  const banner = configuration.texts;
  const common = readFields(texts, "common");
  setText(banner.acceptAll, language, readText(common, "acceptAll"));
  setText(banner.refuseAll, language, readText(common, "rejectAll"));
  setText(banner.choose, language, readText(common, "customize"));
  setText(banner.save, language, readText(common, "save"));
  setText(banner.close, language, readText(common, "close"));
  const notice = readFields(texts, "cookieBanner");
  setText(banner.title, language, readText(notice, "title"));
  setText(banner.message, language, readText(notice, "description", 20_000));
  const types = readFields(texts, "consentTypes");
  for (const category of configuration.categories) {
    const type = readFields(types, category.id);
    setText(category.title, language, readText(type, "title"));
    setText(category.description, language, readText(type, "description", 20_000));
  }
  const labels = readFields(texts, "legalLinks");
  for (const link of configuration.links)
    if (link.language === language) link.text ||= readText(labels, "privacyPolicy") ?? "";
  reportUnread(
    texts,
    { consentTypes: "The category is not used." },
    "A text of a part that Avow words itself.",
  );
}

function readLinks(root: Fields, configuration: ForeignConfiguration): void {
  const links = readFields(root, "legalLinks");
  for (const [name, link] of readEntries(links)) {
    const address = readText(link, "href") ?? "";
    const url = toAddress(address, configuration.site);
    const text =
      readText(link, "label") ??
      {
        privacyPolicy: "Privacy policy",
        cookiePolicy: "Cookie policy",
        termsOfService: "Terms of service",
      }[name] ??
      "";
    if (url !== undefined) configuration.links.push({ text, url });
    else
      link.report.add(
        "not mapped",
        pathOf(link, "href"),
        `${address} is not a full address. Enter the address of the site (--site), or add the link.`,
      );
  }
}

function readScript(script: Fields, configuration: ForeignConfiguration): void {
  const id = readText(script, "id", 128);
  const category = readText(script, "category");
  if (id === undefined || category === undefined)
    return script.report.add(
      "not mapped",
      script.path,
      "A script without an id, or with a condition instead of one category.",
    );
  const service = getOrAdd(
    getOrAdd(configuration.categories, category, newCategory).services,
    id,
    newService,
  );
  setText(service.title, "", id);
  const src = URL.parse(readText(script, "src") ?? "");
  if (src && src.hostname !== "") service.hosts.push(src.host);
  if (readFlag(script, "alwaysLoad") === true)
    script.report.add(
      "decide",
      pathOf(script, "alwaysLoad"),
      "c15t loaded this script before an answer. Avow holds the tag.",
    );
  reportUnread(script, {}, "A part of the tag, which you keep on the site.");
}

function readPack(pack: Fields, configuration: ForeignConfiguration): void {
  const match = readFields(pack, "match");
  const name = readText(readFields(pack, "consent"), "model");
  const model = consentModels.find((one): one is ConsentModel => one === name);
  const regions: RegionRule["in"] = [
    ...readTexts(match, "countries"),
    ...readObjects(match, "regions").map(
      (region) => `${readText(region, "country") ?? ""}-${readText(region, "region") ?? ""}`,
    ),
    ...(readFlag(match, "isDefault") === true ? ["*"] : []),
  ].filter((region) => /^(?:[A-Z]{2}(-[A-Z0-9]{1,3})?|\*)$/.test(region));
  if (model === undefined || regions.length === 0)
    return pack.report.add(
      "decide",
      pack.path,
      "The model or the regions of the policy are not those of Avow's rules.",
    );
  const title = readText(pack, "id");
  configuration.regions.push({ in: regions, model, ...(title !== undefined && { title }) });
}
