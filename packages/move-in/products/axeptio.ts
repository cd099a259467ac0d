import { type VendorUse, vendorUses } from "@avow/contract/regions";
import {
  type Fields,
  pathOf,
  readFields,
  readFlag,
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
import { type Product, type Source, hasField, listMatches, rootOf } from "./product.ts";

/**
 * Axeptio: the published file `https://client.axept.io/PROJECT.json` with all cookie configurations of a project. Its
 * fields are those that the plugin of Axeptio for WordPress and Axeptio's SDK read (`cookies`, `steps`, `vendors`).
 */
export const axeptio: Product = {
  tool: "axeptio",
  marks: /static\.axept(?:io)?\.(?:io|eu)|axeptioSettings/i,
  whereToFind: "Axeptio: https://client.axept.io/PROJECT.json with the clientId of your page.",
  isOurs: (input) =>
    hasField(input.json, "cookies") && !hasField(input.json, "project", "DomainData"),
  read: readAxeptio,
  findFiles({ html }) {
    const [id] = listMatches(html, /clientId["']?\s*:\s*["']([\da-f]{24})["']/gi);
    return id === undefined ? [] : [`https://client.axept.io/${id}.json`];
  },
};

const other = "Not a part of the cookie banner, or a detail of Axeptio's own design.";

function readAxeptio({ inputs, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("axeptio", site);
  for (const input of inputs) {
    const root = rootOf(input, report);
    configuration.site ??= toAddress(readText(root, "websiteURL"), undefined);
    configuration.name = readText(root, "title") ?? readText(root, "name");
    const colors = readFields(root, "colors");
    for (const key of ["main", "background", "text", "title"] as const) {
      const color = readText(colors, key);
      if (color !== undefined && /^#[\da-f]{3,8}$/i.test(color)) configuration.colors[key] = color;
    }
    configuration.position = readText(readFields(root, "widgetStyle"), "position");
    const seen = new Set<string>();
    for (const fields of readObjects(root, "cookies")) {
      const language = readText(fields, "language") ?? "";
      if (seen.has(language))
        report.add(
          "not mapped",
          fields.path,
          `A second configuration in ${language || "the same language"}: ${readText(fields, "name") ?? ""}. Create it by hand if a page needs it.`,
        );
      else readCookies(fields, language, configuration);
      seen.add(language);
    }
    for (const key of ["processings", "contracts", "contractsV2"])
      if (readObjects(root, key).length > 0)
        report.add(
          "not mapped",
          pathOf(root, key),
          "Consent forms: create them in Avow; this command moves cookie banners.",
        );
    readValue(root, "id");
    reportUnread(root, {}, other);
  }
  return configuration;
}

function readCookies(fields: Fields, language: string, configuration: ForeignConfiguration): void {
  configuration.defaultLanguage ??= language;
  const strings = readFields(fields, "strings");
  const banner = configuration.texts;
  setText(
    banner.acceptAll,
    language,
    readText(strings, "acceptAll") ?? readText(strings, "accept"),
  );
  setText(banner.refuseAll, language, readText(strings, "dismiss") ?? readText(strings, "refuse"));
  for (const step of readObjects(fields, "steps")) {
    const layout = readText(step, "layout");
    const id = readText(step, "name", 128) ?? layout ?? "step";
    if (layout === "welcome") {
      setText(banner.title, language, readText(step, "title"));
      setText(banner.message, language, readText(step, "message", 20_000));
    } else if (layout === "como_v2")
      step.report.add(
        "not mapped",
        step.path,
        "A step of Google Consent Mode: see Avow's guide of Consent Mode.",
      );
    else if (layout === "iab")
      step.report.add("not mapped", step.path, "A step of IAB TCF: set TCF up in Avow.");
    else readStep(step, id, { configuration, language });
    for (const key of ["topTitle", "subTitle", "image"])
      if (readText(step, key) !== undefined)
        step.report.add(
          "not mapped",
          pathOf(step, key),
          "Add it to the step in Avow if it is needed; pictures must be uploaded.",
        );
    for (const key of ["identifier", "disablePaint"]) readValue(step, key);
    reportUnread(step, {}, other);
  }
  for (const key of ["identifier", "name", "title", "isDefault"]) readValue(fields, key);
  reportUnread(strings, {}, "A text that Avow words itself.");
  reportUnread(fields, {}, other);
}

function readStep(
  step: Fields,
  id: string,
  { configuration, language }: { configuration: ForeignConfiguration; language: string },
): void {
  const category = getOrAdd(configuration.categories, id, newCategory);
  setText(category.title, language, readText(step, "title"));
  setText(category.description, language, readText(step, "message", 20_000));
  for (const vendor of readObjects(step, "vendors")) {
    const name = readText(vendor, "name", 128);
    if (name === undefined) {
      vendor.report.add("decide", vendor.path, "The vendor has no name. Complete it by hand.");
      continue;
    }
    const service = getOrAdd(category.services, name, newService);
    setText(service.title, language, readText(vendor, "title") ?? name);
    setText(
      service.description,
      language,
      readText(vendor, "shortDescription", 20_000) ?? readText(vendor, "longDescription", 20_000),
    );
    service.policyUrl ??= toAddress(readText(vendor, "policyUrl"), configuration.site);
    if (readFlag(vendor, "required") === true) service.isRequired = true;
    const domain = readText(vendor, "domain", 253);
    if (
      domain !== undefined &&
      /^[\w-]+(\.[\w-]+)+$/.test(domain) &&
      !service.hosts.includes(domain)
    )
      service.hosts.push(domain);
    const uses = readTexts(vendor, "uses").filter((use): use is VendorUse =>
      (vendorUses as readonly string[]).includes(use),
    );
    if (uses.length > 0)
      vendor.report.add(
        "decide",
        pathOf(vendor, "uses"),
        `Uses of data: ${uses.join(", ")}. Set them on the vendor.`,
      );
    for (const key of ["type", "image", "_id", "id"]) readValue(vendor, key);
    reportUnread(vendor, {}, other);
  }
}
