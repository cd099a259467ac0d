import {
  pathOf,
  readFlag,
  readText,
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
import type { Report } from "../mapping/report.ts";
import { toStoredItem } from "./cookie-names.ts";
import { type Product, type Source, listScripts } from "./product.ts";
import known from "./tarteaucitron-services.json" with { type: "json" };

/**
 * tarteaucitron: the script of the page that calls `tarteaucitron.init` and pushes services to `tarteaucitron.job`
 * (https://github.com/AmauriC/tarteaucitron.js, README).
 */
export const tarteaucitron: Product = {
  tool: "tarteaucitron",
  marks: /tarteaucitron(?:\.min)?\.js|tarteaucitron\.(?:init|job)/i,
  whereToFind: "tarteaucitron: the script of your site that calls tarteaucitron.init.",
  isOurs: ({ script }) =>
    script?.passed.some(({ name }) => /^tarteaucitron\.(?:init|job\.push)$/.test(name)) === true,
  read: readTarteaucitron,
  findFiles: (page, report) =>
    listScripts(
      page,
      /src\s*=\s*["']([^"'<>\s]{0,200}tarteaucitron[^"'<>\s]{0,200}(?:config|init|custom)[^"'<>\s]{0,200}\.js)["']/gi,
      report,
    ),
};

/** Type, title, policy and cookies of a service, by its key. */
type ServiceRow = readonly [type: string, title: string, uri: string, ...cookies: string[]];
const services = known.services as unknown as Readonly<Record<string, ServiceRow>>;

const iconPositions: Readonly<Record<string, string>> = {
  BottomRight: "bottom-right",
  BottomLeft: "bottom-left",
  TopRight: "top-right",
  TopLeft: "top-left",
};
const orientations: Readonly<Record<string, string>> = {
  top: "top-middle",
  bottom: "bottom-middle",
  middle: "center",
  popup: "bottom-right",
};
/** Titles in English and French of the types of services, as tarteaucitron groups them. */
const types: Readonly<Record<string, readonly [en: string, fr: string]>> = {
  ads: ["Advertising", "Publicité"],
  analytic: ["Audience measurement", "Mesure d’audience"],
  api: ["Interfaces", "Interfaces"],
  comment: ["Comments", "Commentaires"],
  google: ["Google services", "Services de Google"],
  other: ["Other services", "Autres services"],
  social: ["Social networks", "Réseaux sociaux"],
  support: ["Support", "Assistance"],
  video: ["Videos", "Vidéos"],
};

function readTarteaucitron({ inputs, language, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("tarteaucitron", site);
  for (const { script } of inputs) {
    if (!script) continue;
    for (const { name, index, read } of script.passed) {
      if (name === "tarteaucitron.init" && index === 0)
        readInit(read(report), configuration, report);
      if (name !== "tarteaucitron.job.push") continue;
      const key = read(report);
      if (typeof key === "string") addService(key, configuration, report);
    }
    for (const { name, read } of script.assigned) {
      if (name === "tarteaucitronForceLanguage") {
        const forced = read(report);
        if (typeof forced === "string") configuration.defaultLanguage = forced;
      }
      const [, id] = /^tarteaucitron\.user\.(\w{1,80})$/.exec(name) ?? [];
      if (id !== undefined)
        report.add(
          "not mapped",
          name,
          "An id or a setting of a service's tag. It belongs to the tag that you keep on the site.",
        );
      if (name.startsWith("tarteaucitron.services."))
        report.add(
          "not mapped",
          name,
          "A service of your own, defined by a program. Add a vendor for it.",
        );
    }
  }
  const isFrench = (configuration.defaultLanguage ?? language)?.startsWith("fr") === true;
  for (const category of configuration.categories) {
    const named = Object.hasOwn(types, category.id) ? types[category.id] : undefined;
    setText(category.title, "", named?.[isFrench ? 1 : 0]);
  }
  return configuration;
}

function readInit(
  value: Parameters<typeof toFields>[0],
  configuration: ForeignConfiguration,
  report: Report,
): void {
  const fields = toFields(value, "tarteaucitron.init", report);
  const name = readText(fields, "cookieName", 256);
  if (name !== "tarteaucitron") configuration.cookieName = name;
  const orientation = readText(fields, "orientation");
  if (orientation !== undefined && Object.hasOwn(orientations, orientation))
    configuration.position = orientations[orientation];
  const icon = readText(fields, "iconPosition");
  if (readFlag(fields, "showIcon") === false) configuration.launcher = false;
  else if (icon !== undefined && Object.hasOwn(iconPositions, icon))
    configuration.launcher = iconPositions[icon];
  const address = readText(fields, "privacyUrl");
  const url = toAddress(address, configuration.site);
  if (url !== undefined) configuration.links.push({ text: "", url });
  else if (address !== undefined)
    report.add(
      "not mapped",
      pathOf(fields, "privacyUrl"),
      `${address} is not a full address. Enter the address of the site (--site), or add the link.`,
    );
  if (readFlag(fields, "highPrivacy") === false)
    report.add(
      "decide",
      pathOf(fields, "highPrivacy"),
      "Continuing to browse counted as consent. Avow asks, and old answers of this site may be no consent.",
    );
  if (readFlag(fields, "DenyAllCta") === false)
    report.add(
      "changed",
      pathOf(fields, "DenyAllCta"),
      "Avow always shows a button to refuse, like the one to accept.",
    );
  if (readText(fields, "serviceDefaultState") === "true")
    report.add(
      "decide",
      pathOf(fields, "serviceDefaultState"),
      "Services ran before an answer. Avow does so only with a rule of regions.",
    );
  for (const key of ["hashtag", "AcceptAllCta", "mandatory", "mandatoryCta"]) fields.read.add(key);
  reportUnread(fields, {}, "A setting of tarteaucitron's own behaviour or design.");
}

/** The category and the vendor of a service that tarteaucitron knows; one without texts for others. */
function addService(key: string, configuration: ForeignConfiguration, report: Report): void {
  const found = Object.hasOwn(services, key) ? services[key] : undefined;
  const [type = "other", title, uri, ...cookies] = found ?? [];
  if (!found)
    report.add(
      "decide",
      `tarteaucitron.job: ${key}`,
      "Not a service of tarteaucitron 1.34. Complete the vendor by hand.",
    );
  const category = getOrAdd(configuration.categories, type, newCategory);
  const service = getOrAdd(category.services, key, newService);
  setText(service.title, "", title ?? key);
  service.policyUrl = toAddress(uri, undefined);
  const names = new Set(service.storage.map((item) => item.name));
  for (const name of cookies) {
    const item = toStoredItem({ name, kind: "cookie" });
    if (item && !names.has(name)) service.storage.push(item);
  }
}
